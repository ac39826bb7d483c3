// The choices of an open, in Enscribe's words.
import {QuireError} from './errors.js';

/** How a key chooses records. */
export const Mode = Object.freeze({
  EXACT: 'EXACT',              // the one with this full key
  GENERIC: 'GENERIC',          // those whose key begins with it
  APPROXIMATE: 'APPROXIMATE',  // from the first key >= it on; in reverse: from the last <= it down
});

/** What an open may do; anything else gets 49. */
export const Access = Object.freeze({
  READ_WRITE: 'ACCESS_MODE_READ_WRITE',
  READ: 'ACCESS_MODE_READ',
  WRITE: 'ACCESS_MODE_WRITE',
});

/** What other opens may do meanwhile; an open that disagrees gets 12. */
export const Exclusion = Object.freeze({
  SHARED: 'EXCLUSION_SHARED',
  EXCLUSIVE: 'EXCLUSION_EXCLUSIVE',
  PROTECTED: 'EXCLUSION_PROTECTED',
});

/** SETMODE 4: what happens at another's lock. Writers get 73 at once in every mode. */
export const LockMode = Object.freeze({
  NORMAL: 'LOCK_MODE_NORMAL',                            // reads and lock calls wait
  REJECT: 'LOCK_MODE_REJECT',                            // both get 73
  READ_THROUGH: 'LOCK_MODE_READ_THROUGH',                // reads ignore the lock, lock calls wait
  READ_THROUGH_REJECT: 'LOCK_MODE_READ_THROUGH_REJECT',  // … lock calls get 73
  READ_WARN: 'LOCK_MODE_READ_WARN',                      // reads: warning 9, lock calls wait
  READ_WARN_REJECT: 'LOCK_MODE_READ_WARN_REJECT',        // reads: warning 9, lock calls get 73
});

/** `value`, which must be one of `choices`: left to the wire, another would pass as the default. */
export function checked(choices, value) {
  if (Object.values(choices).includes(value)) return value;
  throw new QuireError(22, 'bad-parameter',
                       `${value} is none of ${Object.values(choices).join(', ')}`);
}
