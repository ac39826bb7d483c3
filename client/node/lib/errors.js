// Errors as Enscribe programs know them: by number. proto/README.md has the table.
import {status} from '@grpc/grpc-js';

export const END_OF_FILE = 1;
export const VOLUME_DOWN = 66;
export const PATH_DOWN = 201;

// What a gRPC status means when no Quire server gave it, and so carries no number.
const NUMBER_OF_STATUS = new Map([
  [status.OUT_OF_RANGE, [1, 'end-of-file']],
  [status.UNIMPLEMENTED, [2, 'invalid-operation']],
  [status.ALREADY_EXISTS, [10, 'already-exists']],
  [status.NOT_FOUND, [11, 'not-found']],
  [status.FAILED_PRECONDITION, [16, 'not-open']],
  [status.INVALID_ARGUMENT, [22, 'bad-parameter']],
  [status.RESOURCE_EXHAUSTED, [31, 'no-buffer-space']],
  [status.DEADLINE_EXCEEDED, [40, 'timed-out']],
  [status.PERMISSION_DENIED, [48, 'security-violation']],
  [status.UNAUTHENTICATED, [48, 'security-violation']],
  [status.DATA_LOSS, [59, 'file-bad']],
  [status.ABORTED, [60, 'reopen']],
]);
// gRPC has no code for "nothing was sent", only these sentences. Another wording is taken for sent.
const NEVER_SENT = ['No connection established', 'Name resolution failed'];

/**
 * A refused call or operation.
 *   number    Enscribe's, e.g. 10
 *   name      stable, e.g. "already-exists"
 *   sentence  what is wrong and what to do
 *   retry     "NEVER", "SAFE" (nothing was done; repeat), "OUTCOME_UNKNOWN" (it may have been done)
 *             or "REOPEN" (open the file again, then repeat)
 */
export class QuireError extends Error {
  constructor(number, name, sentence, retry = 'NEVER') {
    super(`error ${number} (${name}): ${sentence}`);
    Object.assign(this, {number, name, sentence, retry});
  }

  toString() {
    return this.message;
  }

  /** Of an ErrorDetail, which is how results of a session carry an error. */
  static ofDetail(detail) {
    const retry = detail.retry.replace('RETRY_', '').replace('UNSPECIFIED', 'NEVER');
    return new QuireError(detail.number, detail.name, detail.sentence, retry);
  }

  /** Of a failed gRPC call: its trailers, or else the number nearest to its status. */
  static ofCall(error) {
    const trailer = (key) => error.metadata?.get(key)[0];
    if (trailer('quire-error') !== undefined) {
      return new QuireError(Number(trailer('quire-error')), trailer('quire-error-name'),
                            error.details, trailer('quire-retry'));
    }
    const details = error.details ?? '';
    if (error.code === status.UNAVAILABLE && NEVER_SENT.some((text) => details.startsWith(text))) {
      return new QuireError(VOLUME_DOWN, 'volume-down',
                            `no connection; nothing was sent: ${details}`, 'SAFE');
    }
    const [number, name] = NUMBER_OF_STATUS.get(error.code) ?? [PATH_DOWN, 'path-down'];
    const unknown = number === PATH_DOWN || error.code === status.DEADLINE_EXCEEDED;
    return new QuireError(number, name, error.message, unknown ? 'OUTCOME_UNKNOWN' : 'NEVER');
  }
}

/** For a change that was under way when the connection was lost. */
export function outcomeUnknown(why) {
  return new QuireError(PATH_DOWN, 'path-down',
                        `it may or may not have been done (${why.message}); read before ` +
                        'repeating it',
                        'OUTCOME_UNKNOWN');
}
