// What the Node.js client makes of a session's answers, with a server that plays a script: losses
// that no real server shows on demand.
import assert from 'node:assert/strict';
import {afterEach, it} from 'node:test';

import {client, grpc, protoLoader, PROTOS} from './node_support.js';

const {connect, operations: op} = client;
const {quire: {v1: {RecordService}}} = grpc.loadPackageDefinition(protoLoader.loadSync(
  'quire/v1/record.proto', {includeDirs: [PROTOS], longs: Number, enums: String, defaults: true,
                            oneofs: true}));

const cleanups = [];
afterEach(() => cleanups.splice(0).reverse().forEach((cleanup) => cleanup()));

/** A stream as the script sees it. */
class Played {
  constructor(call) {
    this.call = call;
    this.requests = call[Symbol.asyncIterator]();
  }

  async next() {
    return (await this.requests.next()).value;
  }

  open(fields) {
    this.call.write({opened: {openId: 7, credits: 64, maxBatchBytes: 1000, maxBatchOperations: 10,
                              token: Buffer.from('opened'), ...fields}});
  }

  answer(batch, fields) {
    this.call.write({result: {firstSequence: batch.firstSequence, count: batch.operations.length,
                              ...fields}});
  }

  /** Answers every batch until the client closes; `answered` collects what came. */
  async playToTheEnd(answered) {
    for (let request = await this.next(); request?.batch; request = await this.next()) {
      answered.push(request.batch);
      this.answer(request.batch);
    }
    this.call.end();
  }

  fail(number, name, retry, code) {
    const metadata = new grpc.Metadata();
    metadata.set('quire-error', String(number));
    metadata.set('quire-error-name', name);
    metadata.set('quire-retry', retry);
    this.call.emit('error', {code, details: 'a sentence', metadata});
  }

  breakOff() {
    this.call.emit('error', {code: grpc.status.UNAVAILABLE, details: 'Socket closed'});
  }
}

/** An open at a server whose streams are played by `streams`, one after the other. */
async function openAt(streams, options) {
  const scripts = streams[Symbol.iterator]();
  const fake = new grpc.Server();
  fake.addService(RecordService.service,
                  {Session: (call) => scripts.next().value(new Played(call))});
  const port = await new Promise((resolve, reject) => {
    fake.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(),
                   (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  cleanups.push(() => fake.forceShutdown());
  const server = connect(`127.0.0.1:${port}`, {clientName: 'session-test'});
  cleanups.push(() => server.close());
  return server.open('$DATA01.STOCK.PARTS', options);
}

const errorNumbers = (results) => results.map(({error}) => error?.number);

it('numbers, acknowledges, keeps tokens (R-S2)', async () => {
  const opens = [];
  const batches = [];
  const parts = await openAt([
    async (stream) => {
      opens.push((await stream.next()).open);
      stream.open();
      for (let i = 0; i < 2; ++i) {
        batches.push((await stream.next()).batch);
        stream.answer(batches.at(-1), {token: Buffer.from('token')});
      }
      stream.breakOff();
    },
    async (stream) => {
      opens.push((await stream.next()).open);
      stream.open({answersKept: true, token: Buffer.alloc(0)});
      await stream.playToTheEnd(batches);
    },
  ]);
  await parts.submit([op.write('a'), op.write('b')]);
  await parts.write('c');
  await parts.write('d');
  await parts.close();
  assert.deepEqual(batches.map((batch) => batch.firstSequence), [1, 3, 4]);
  assert.deepEqual(batches.map((batch) => batch.ackedThrough), [0, 2, 3]);
  assert.equal(opens[0].resume, null);
  assert.equal(opens[1].file.openId, 7);
  assert.equal(opens[1].resume.token.toString(), 'token');
  assert.equal(opens[1].resume.ackedThrough, 3);
});

it('sends again, as it was, what has no answer', async () => {
  const lost = [];
  const again = [];
  const parts = await openAt([
    async (stream) => {
      await stream.next();
      stream.open();
      lost.push((await stream.next()).batch, (await stream.next()).batch);
      stream.breakOff();
    },
    async (stream) => {
      await stream.next();
      stream.open({answersKept: true});
      await stream.playToTheEnd(again);
    },
  ]);
  const results = await Promise.all([parts.submit([op.write('a'), op.read('k')]),
                                     parts.submit([op.write('b')])]);
  assert.deepEqual(errorNumbers(results.flat()), [undefined, undefined, undefined]);
  assert.deepEqual(again, lost);
  await parts.close();
});

it('answers not kept: changes get 201, reads are sent again under their numbers', async () => {
  const again = [];
  const parts = await openAt([
    async (stream) => {
      await stream.next();
      stream.open();
      await stream.next();
      await stream.next();
      stream.breakOff();
    },
    async (stream) => {
      await stream.next();
      stream.open({answersKept: false});
      const {batch} = await stream.next();
      again.push(batch);
      stream.answer(batch, {
        recordLengths: [0, 3], data: Buffer.from('xyz'), warned: [{index: 1, warning: 9}],
        failed: [{index: 0, error: {number: 11, name: 'not-found', sentence: 'none'}}]});
      await stream.playToTheEnd(again);
    },
  ]);
  const [[none, unknown, found], changes] = await Promise.all([
    parts.submit([op.read('k'), op.write('a'), op.readNext()]),
    parts.submit([op.deleteCurrent()])]);
  assert.deepEqual([none.error.number, none.error.retry], [11, 'NEVER']);
  assert.deepEqual([unknown.error.number, unknown.error.retry], [201, 'OUTCOME_UNKNOWN']);
  assert.deepEqual([found.record.toString(), found.warning, found.error], ['xyz', 9, undefined]);
  assert.deepEqual(errorNumbers(changes), [201]);
  await parts.close();
  assert.equal(again.length, 1);
  assert.deepEqual([again[0].firstSequence, again[0].sequenceOffsets], [1, [0, 2]]);
});

it('sync depth 0: nothing is sent again', async () => {
  const opens = [];
  const after = [];
  const parts = await openAt([
    async (stream) => {
      opens.push((await stream.next()).open);
      stream.open();
      await stream.next();
      stream.breakOff();
    },
    async (stream) => {
      opens.push((await stream.next()).open);
      stream.open({answersKept: true});
      await stream.playToTheEnd(after);
    },
  ], {syncDepth: 0});
  assert.deepEqual(errorNumbers(await parts.submit([op.write('a'), op.read('k')])), [201, 201]);
  await parts.write('b');
  await parts.close();
  assert.equal(opens[0].syncDepth, 0);
  assert.equal(opens[0]._syncDepth, 'syncDepth');  // said, not left out
  assert.deepEqual(after.map((batch) => batch.firstSequence), [3]);
});

it('lease expired: 60, and 201 for what may have been done (R-S3)', async () => {
  const parts = await openAt([
    async (stream) => {
      await stream.next();
      stream.open();
      await stream.next();
      stream.breakOff();
    },
    async (stream) => {
      await stream.next();
      stream.call.write({error: {number: 60}});
      stream.fail(60, 'reopen', 'REOPEN', grpc.status.ABORTED);
    },
  ]);
  const results = await parts.submit([op.write('a'), op.read('k')]);
  assert.deepEqual(errorNumbers(results), [201, 60]);
  assert.equal(results[1].error.retry, 'REOPEN');
  await assert.rejects(parts.read('k'), {number: 60});
  await parts.close();
});

it('a refused open', async () => {
  const opening = openAt([async (stream) => {
    await stream.next();
    stream.call.write({error: {number: 12}});
    stream.fail(12, 'file-in-use', 'NEVER', grpc.status.FAILED_PRECONDITION);
  }]);
  await assert.rejects(opening, {number: 12, name: 'file-in-use'});
});

it('a server that does not come back', async () => {
  const gone = async (stream) => {
    await stream.next();
    stream.breakOff();
  };
  const parts = await openAt([
    async (stream) => {
      await stream.next();
      stream.open();
      await stream.next();
      stream.breakOff();
    },
    ...new Array(100).fill(gone),
  ], {retrySeconds: 0.2});
  const [{error}] = await parts.submit([op.write('a')]);
  assert.deepEqual([error.number, error.retry], [201, 'OUTCOME_UNKNOWN']);
});

it('credits bound what is under way', async () => {
  const held = [];
  let most = 0;
  const parts = await openAt([async (stream) => {
    await stream.next();
    stream.open({credits: 2});
    for (let request = await stream.next(); request?.batch; request = await stream.next()) {
      held.push(request.batch);
      most = Math.max(most, held.length);
      setTimeout(() => stream.answer(held.shift()), 30);  // time for one more, if it were sent
    }
    stream.call.end();
  }]);
  const underWay = [1, 2, 3, 4, 5, 6].map(() => parts.submit([op.write('a')]));
  await parts.room();
  const results = (await Promise.all(underWay)).flat();
  assert.deepEqual(errorNumbers(results), new Array(6).fill(undefined));
  await parts.close();
  assert.equal(most, 2);
});

it('a close that arrived is not repeated (R-S3: 16)', async () => {
  let closes = 0;
  const parts = await openAt([
    async (stream) => {
      await stream.next();
      stream.open();
      if ((await stream.next()).close) ++closes;
      stream.breakOff();
    },
    async (stream) => {
      await stream.next();
      stream.fail(16, 'not-open', 'NEVER', grpc.status.FAILED_PRECONDITION);
    },
  ]);
  await parts.close();
  assert.equal(closes, 1);
});
