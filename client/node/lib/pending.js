// Operations sent together, with or without their results.
import {outcomeUnknown} from './errors.js';

export class Pending {
  /** `options` are fields of Batch. */
  constructor(firstSequence, operations, options) {
    Object.assign(this, {firstSequence, operations, options});
    this.outstanding = operations.map((_, index) => index);  // without results
    this.results = new Array(operations.length);
    this.done = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  get lastSequence() {
    return this.firstSequence + this.operations.length - 1;
  }

  /** Gives those outstanding operations a result for which `resultOf` has one. */
  settle(resultOf) {
    this.outstanding = this.outstanding.filter((index, i) => {
      this.results[index] = resultOf(this.operations[index], i);
      return this.results[index] === undefined;
    });
    if (this.outstanding.length === 0) this.resolve(this.results);
  }

  /** Nothing more will come: changes may have been done, the rest was not. */
  fail(error) {
    const unknown = outcomeUnknown(error);
    this.settle((operation) => ({warning: 0, error: operation.changes ? unknown : error}));
  }

  /** The server does not know any more which changes were done; reads can be repeated. */
  loseChanges(why) {
    let lost = false;
    this.settle((operation) => {
      lost = operation.changes || (lost && this.options.stopOnError);
      return lost ? {warning: 0, error: outcomeUnknown(why)} : undefined;
    });
  }

  loseAll(why) {
    this.settle(() => ({warning: 0, error: outcomeUnknown(why)}));
  }

  /** The Batch of what is outstanding. */
  toBatch() {
    const sent = this.outstanding.map((index) => this.operations[index]);
    return {
      firstSequence: this.firstSequence,
      operations: sent.map(({header}) => header),
      data: Buffer.concat(sent.map(({data}) => data)),
      sequenceOffsets: sent.length < this.operations.length ? this.outstanding : [],
      ...this.options,
    };
  }
}
