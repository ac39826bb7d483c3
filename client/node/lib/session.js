// The stream behind an open: numbers operations, keeps those without results, and goes on with the
// open when the connection breaks. What a change's number is good for: sent again with the same
// number it is done once.
import {setTimeout as sleep} from 'node:timers/promises';

import {PATH_DOWN, QuireError, VOLUME_DOWN} from './errors.js';
import {Pending} from './pending.js';

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1000;

export class Session {
  #records;           // stub of RecordService
  #message;           // Open
  #retryMs;
  #call;              // the stream; undefined while there is none
  #queue = [];        // Pending, not sent yet
  #unanswered = [];   // Pending, sent
  #nextSequence = 1;
  #ackedThrough = 0;
  #token = Buffer.alloc(0);
  #waitMs = FIRST_WAIT_MS;
  #deadline;          // of the attempts to go on; undefined while the stream stands
  #closing = false;
  #ended;             // why nothing more can be done
  #life;              // ends with the open
  #room = [];         // who waits for credits

  /** What the server said of the open: openId, leaseMs, credits, info, … (Opened). */
  opened;

  /** The session when the file is open. */
  static async open(records, message, retryMs) {
    const session = new Session();
    session.#records = records;
    session.#message = message;
    session.#retryMs = retryMs;
    await new Promise((resolve, reject) => {
      session.#life = session.#live(resolve, reject);
    });
    return session;
  }

  /** The results of `operations`, one each: {record, warning, error}. */
  submit(operations, {stopOnError = false, lockTimeoutMs = 0, signal} = {}) {
    const {maxBatchBytes, maxBatchOperations} = this.opened;
    const size = operations.reduce((sum, {data}) => sum + data.length, 0);
    if (size > maxBatchBytes || operations.length > maxBatchOperations || operations.length === 0) {
      return Promise.reject(new QuireError(
        21, 'illegal-count',
        `a batch has 1 to ${maxBatchOperations} operations with at most ${maxBatchBytes} bytes`));
    }
    if (this.#ended || this.#closing) return Promise.reject(this.#ended ?? closed());
    const pending = new Pending(this.#nextSequence, operations, {stopOnError, lockTimeoutMs});
    this.#nextSequence += operations.length;
    this.#queue.push(pending);
    const cancel = () => this.#cancel(pending);
    signal?.addEventListener('abort', cancel);
    this.#pump();
    if (signal?.aborted) cancel();
    return pending.done.finally(() => signal?.removeEventListener('abort', cancel));
  }

  /** Resolves when another batch would be sent at once. */
  async room() {
    while (!this.#ended && this.#queue.length > 0) {
      await new Promise((resolve) => this.#room.push(resolve));
    }
  }

  /** Waits for all results, then ends the open with its locks. */
  close() {
    this.#closing = true;
    this.#pump();
    return this.#life;
  }

  /** From the open to its end, over as many streams as it takes. */
  async #live(onOpened, onRefused) {
    let why = await this.#serve(this.#message, onOpened);
    if (!this.opened) return onRefused(why ?? closed());
    while (why && (why.number === VOLUME_DOWN || why.number === PATH_DOWN)) {
      this.#deadline ??= Date.now() + this.#retryMs;
      if (Date.now() > this.#deadline) break;
      if (this.#message.syncDepth === 0) this.#settleSent((pending) => pending.loseAll(why));
      await sleep(this.#waitMs);
      this.#waitMs = Math.min(2 * this.#waitMs, LONGEST_WAIT_MS);
      const before = why;
      why = await this.#serve(this.#resumeMessage(), (opened) => {
        if (!opened.answersKept) this.#settleSent((pending) => pending.loseChanges(before));
      });
    }
    this.#ended = why ?? closed();
    for (const pending of [...this.#unanswered, ...this.#queue]) pending.fail(this.#ended);
    this.#unanswered = this.#queue = [];
    this.#wake();
  }

  /** One stream to its end; why it ended, undefined when it was closed. */
  async #serve(message, onOpened) {
    const call = this.#records.Session();
    call.write({open: message});
    try {
      for await (const response of call) {
        if (response.opened) {
          this.opened = response.opened;
          this.#takeToken(response.opened.token);
          onOpened(response.opened);
          this.#call = call;
          this.#deadline = undefined;
          for (const pending of this.#unanswered) this.#send(pending);
          this.#pump();
        } else if (response.result) {  // else an error: the stream's status repeats it
          this.#take(response.result);
        }
      }
      return undefined;
    } catch (error) {
      return QuireError.ofCall(error);
    } finally {
      this.#call = undefined;
      call.end();
    }
  }

  /** Sends what the credits permit. */
  #pump() {
    if (!this.#call) return;
    while (this.#queue.length > 0 && this.#unanswered.length < this.opened.credits) {
      const pending = this.#queue.shift();
      this.#unanswered.push(pending);
      this.#send(pending);
    }
    if (this.#closing && this.#queue.length + this.#unanswered.length === 0) {
      this.#call.write({close: {}});
      this.#call.end();
      this.#call = undefined;
    }
    this.#wake();
  }

  #send(pending) {
    this.#call.write({batch: {...pending.toBatch(), ackedThrough: this.#ackedThrough}});
  }

  #cancel(pending) {
    for (const index of pending.outstanding) {
      this.#call?.write({cancel: {sequence: pending.firstSequence + index}});
    }
  }

  #take(result) {
    const pending = this.#unanswered.shift();
    const errors = new Map(result.failed.map(({index, error}) =>
      [index, QuireError.ofDetail(error)]));
    const warnings = new Map(result.warned.map(({index, warning}) => [index, warning]));
    let at = 0;
    pending.settle((_, i) => {
      const length = result.recordLengths[i] ?? 0;
      const record = length > 0 ? result.data.subarray(at, at + length) : undefined;
      at += length;
      return {record, warning: warnings.get(i) ?? 0, error: errors.get(i)};
    });
    this.#ackedThrough = pending.lastSequence;
    this.#takeToken(result.token);
    this.#waitMs = FIRST_WAIT_MS;
    this.#pump();
  }

  #takeToken(token) {
    if (token.length > 0) this.#token = token;
  }

  #resumeMessage() {
    return {
      ...this.#message,
      file: {...this.#message.file, openId: this.opened.openId},
      resume: {token: this.#token, ackedThrough: this.#ackedThrough},
    };
  }

  #settleSent(settle) {
    this.#unanswered.forEach(settle);
    this.#unanswered = this.#unanswered.filter(({outstanding}) => outstanding.length > 0);
  }

  #wake() {
    for (const resolve of this.#room.splice(0)) resolve();
  }
}

function closed() {
  return new QuireError(16, 'not-open', 'the file is closed; open it again');
}
