// Operations of an open, to be sent together with OpenFile.submit. OpenFile has a method of the
// same name for each. Keys and records are Buffers, or strings, which are taken as UTF-8.
import {checked, LockMode, Mode} from './modes.js';

const CHANGES = new Set(['WRITE', 'UPDATE', 'DELETE', 'WRITE_UPDATE', 'DELETE_CURRENT']);

export function toBytes(value) {
  return typeof value === 'string' ? Buffer.from(value) : value;
}

function operation(kind, value = '', fields = {}) {
  const data = toBytes(value);
  const header = {kind: `OPERATION_KIND_${kind}`, length: data.length, ...fields};
  return {header, data, changes: CHANGES.has(kind)};
}

/** WRITE: inserts. 10 when the key exists; 21 for a wrong length; 73. Options: unlock. */
export const write = (record, options) => operation('WRITE', record, options);

/** A read by key that leaves the position alone. 11 when there is none; in other
 *  modes 1. Options: mode (EXACT), reverse, skipExact, lock. */
export const read = (key, {mode = Mode.EXACT, ...options} = {}) =>
  operation('READ', key, {mode: readMode(mode), ...options});

/** Replaces the record with the same key. 11 when there is none. Options: unlock. */
export const update = (record, options) => operation('UPDATE', record, options);

/** Deletes by key. 11 when there is none. Options: unlock. */
export const deleteKey = (key, options) => operation('DELETE', key, options);

/** KEYPOSITION: where readNext goes on. 21, 46; a missing record shows at the read.
 *  Options: mode (APPROXIMATE), compareLength, reverse, skipExact, lastOfSet, keySpecifier. */
export const setPosition = (key, {mode = Mode.APPROXIMATE, ...options} = {}) =>
  operation('SET_POSITION', key,
            {positioning: `POSITIONING_${checked(Mode, mode)}`, ...options});

/** READ, READLOCK: the next record of the subset. 1 at its end. Options: lock. */
export const readNext = (options) => operation('READ_NEXT', '', options);

/** READUPDATE, READUPDATELOCK: the current record again. 11 when it is gone. Options: lock. */
export const readUpdate = (options) => operation('READ_UPDATE', '', options);

/** WRITEUPDATE, WRITEUPDATEUNLOCK: replaces the current record. 11; 46 for another key.
 *  Options: unlock. */
export const writeUpdate = (record, options) => operation('WRITE_UPDATE', record, options);

/** WRITEUPDATE with count 0: deletes the current record. 11. Options: unlock. */
export const deleteCurrent = (options) => operation('DELETE_CURRENT', '', options);

/** LOCKREC: of the current record, or of the one with this key. 40, 73. */
export const lockRecord = (key) => operation('LOCK_RECORD', key);

/** UNLOCKREC: of the current record, or of the one with this key. */
export const unlockRecord = (key) => operation('UNLOCK_RECORD', key);

/** LOCKFILE: all partitions. 40, 73. */
export const lockFile = () => operation('LOCK_FILE');

/** UNLOCKFILE: the file lock and all record locks of this open. */
export const unlockFile = () => operation('UNLOCK_FILE');

/** SETMODE 4. */
export const setLockMode = (lockMode) => 
  operation('SET_LOCK_MODE', '', {lockMode: checked(LockMode, lockMode)});

/** SAVEPOSITION: the result's record holds the position as bytes. */
export const savePosition = () => operation('SAVE_POSITION');

/** REPOSITION: back to where savePosition was. */
export const restorePosition = (saved) => operation('RESTORE_POSITION', saved);

/** The ReadMode of a Mode. */
export function readMode(mode) {
  return checked(Mode, mode) === Mode.EXACT ? 'READ_MODE_BY_KEY' : `READ_MODE_${mode}`;
}
