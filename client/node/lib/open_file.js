// An open file: Enscribe's calls, one at a time or pipelined.
import {END_OF_FILE} from './errors.js';
import * as op from './operations.js';

/**
 * One open with its position and locks; Server.open makes it.
 *
 * Each method is a promise, rejected with QuireError when the call is refused; the position is then
 * as before. Calls run in the order in which they are made, awaited or not. A broken connection is
 * mended: a change is done once, however often it had to be sent. Iterating with "for await" reads
 * on from the position to the end of the subset.
 *
 * Options of an operation are those of operations.js; lockTimeoutMs and signal are of submit.
 */
export class OpenFile {
  #session;

  /** Of the last call that was done: 9 read through another's lock, else 0. */
  lastWarning = 0;

  constructor(session) {
    this.#session = session;
  }

  /** What the server said of the open: openId, leaseMs, credits, info, … (Opened). */
  get opened() {
    return this.#session.opened;
  }

  /** Ends the open; its locks go. */
  close() {
    return this.#session.close();
  }

  /**
   * Nowait: sends operations together; resolves to one {record, warning, error} each, in order. One
   * that fails does not stop the others unless `stopOnError`. An aborted `signal` cancels what has
   * not been executed (40). `lockTimeoutMs` is the longest wait of one operation for a lock.
   */
  submit(operations, options) {
    return this.#session.submit([...operations], options);
  }

  /** Resolves when the server takes another batch: await it between many submits. */
  room() {
    return this.#session.room();
  }

  write(record, options) {
    return this.#do(op.write(record, options));
  }

  read(key, {lockTimeoutMs, signal, ...options} = {}) {
    return this.#do(op.read(key, options), {lockTimeoutMs, signal});
  }

  update(record, options) {
    return this.#do(op.update(record, options));
  }

  deleteKey(key, options) {
    return this.#do(op.deleteKey(key, options));
  }

  setPosition(key, options) {
    return this.#do(op.setPosition(key, options));
  }

  readNext({lockTimeoutMs, signal, ...options} = {}) {
    return this.#do(op.readNext(options), {lockTimeoutMs, signal});
  }

  readUpdate({lockTimeoutMs, signal, ...options} = {}) {
    return this.#do(op.readUpdate(options), {lockTimeoutMs, signal});
  }

  writeUpdate(record, options) {
    return this.#do(op.writeUpdate(record, options));
  }

  deleteCurrent(options) {
    return this.#do(op.deleteCurrent(options));
  }

  savePosition() {
    return this.#do(op.savePosition());
  }

  restorePosition(saved) {
    return this.#do(op.restorePosition(saved));
  }

  lockRecord(key, options) {
    return this.#do(op.lockRecord(key), options);
  }

  unlockRecord(key) {
    return this.#do(op.unlockRecord(key));
  }

  lockFile(options) {
    return this.#do(op.lockFile(), options);
  }

  unlockFile() {
    return this.#do(op.unlockFile());
  }

  setLockMode(mode) {
    return this.#do(op.setLockMode(mode));
  }

  async *[Symbol.asyncIterator]() {
    for (;;) {
      const [{record, error}] = await this.submit([op.readNext()]);
      if (error?.number === END_OF_FILE) return;
      if (error) throw traced(error);
      yield record;
    }
  }

  async #do(operation, options) {
    const [{record, warning, error}] = await this.submit([operation], options);
    if (error) throw traced(error);
    this.lastWarning = warning;
    return record;
  }
}

/** With the stack of the call that failed, not of the stream that brought the news. */
function traced(error) {
  Error.captureStackTrace(error, traced);
  return error;
}
