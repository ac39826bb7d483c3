// The Node.js client against the server at $QUIRE_TEST_SERVER, a router over two volumes or a
// single volume: the same answers from both. Files are cut into two partitions where there are two
// volumes.
import assert from 'node:assert/strict';
import {afterEach, beforeEach, describe, it} from 'node:test';
import {promisify} from 'node:util';

import {client, startProxy} from './node_support.js';

const {Access, connect, Exclusion, LockMode, Mode, operations: op, QuireError} = client;
const ADDRESS = process.env.QUIRE_TEST_SERVER;

const key = (number) => `K${String(number).padStart(7, '0')}`;
const text = (record) => record.toString();
const numbered = (from, to, step = 1) =>
  Array.from({length: Math.ceil((to - from) / step)}, (_, i) => from + i * step);

let server;
let volumes;
let name;
let files = 0;
let cleanups;

beforeEach(async () => {
  cleanups = [];
  server = connect(ADDRESS, {clientName: 'node-test'});
  volumes = await server.volumes();
  name = `$DATA01.NODE.F${files++}`;
  await server.create(name, {
    keyLength: 8, recordBytes: 80,
    partitions: volumes.slice(1, 2).map((volume) => [volume, key(500)])});
});

afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  server.close();
});

async function open(options, from = server) {
  const opened = await from.open(name, options);
  cleanups.push(() => opened.close());
  return opened;
}

async function filled(list, options) {
  const opened = await open(options);
  const results = await opened.submit(list.map((n) => op.write(`${key(n)}text`)));
  assert.deepEqual(results.filter(({error}) => error), []);
  return opened;
}

async function numbers(records) {
  const found = [];
  for await (const record of records) found.push(Number(text(record).slice(1, 8)));
  return found;
}

/** The promise is rejected with this number (and these other members of QuireError). */
async function refused(number, promise, members = {}) {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof QuireError, error);
    assert.equal(error.number, number, error);
    assert.notEqual(error.sentence, '');
    for (const [member, value] of Object.entries(members)) assert.equal(error[member], value);
    return true;
  });
}

async function all(iterable) {
  const found = [];
  for await (const item of iterable) found.push(item);
  return found;
}

async function untilSomebodyWaits() {
  const deadline = Date.now() + 60000;
  while ((await all(server.listLocks(name))).every(({granted}) => granted)) {
    assert.ok(Date.now() < deadline, 'nobody waits for a lock');
  }
}

describe('single calls: errors in trailers', () => {
  it('have their numbers', async () => {
    await server.write(name, `${key(1)}one`);
    await refused(10, server.write(name, key(1)), {name: 'already-exists', retry: 'NEVER'});
    await refused(11, server.read(name, key(2)), {name: 'not-found'});
    await refused(11, server.update(name, key(2)));
    await refused(11, server.deleteKey(name, key(2)));
    await refused(1, server.read(name, 'L', {mode: Mode.GENERIC}), {name: 'end-of-file'});
    await refused(21, server.write(name, 'short'), {name: 'illegal-count'});
    await refused(21, server.write(name, key(3) + 'x'.repeat(80)));
    await refused(21, server.update(name, ''));
    await refused(10, server.create(name, {keyLength: 8}));
    await refused(21, server.create('$DATA01.NODE.OTHER', {keyLength: 0}));
    await refused(11, server.info('$DATA01.NODE.NONE'));
    await refused(11, server.open('$DATA01.NODE.NONE'));
    await refused(13, server.info('not a name'), {name: 'illegal-name'});
    await refused(13, server.info('$DATA01.1X.FILE'), {name: 'illegal-name'});
    await refused(14, server.info('$NOWHERE.NODE.FILE'), {name: 'no-such-volume'});
    await refused(22, server.read(name, key(1), {mode: 'NONE'}), {name: 'bad-parameter'});
    await refused(22, server.open(name, {access: 'NONE'}));
    const [volume, subvolume, file] = name.split('.');
    const unknown = {file: {name: {volume, subvolume, file}}, key: Buffer.from(key(1)), mode: 99};
    const answer = promisify(server.records.Read).call(server.records, unknown);
    await refused(22, answer.catch((error) => {
      throw QuireError.ofCall(error);
    }), {name: 'bad-parameter'});
    assert.equal(text(await server.read(name, key(1))), `${key(1)}one`);
  });

  it('an open file is not purged', async () => {
    const opened = await open();
    await refused(12, server.purge(name), {name: 'file-in-use'});
    await opened.close();
    await server.purge(name);
  });

  it('change records', async () => {
    await server.write(name, `${key(600)}a`);
    await server.update(name, `${key(600)}b`);
    assert.equal(text(await server.read(name, 'K', {mode: Mode.GENERIC})), `${key(600)}b`);
    await server.deleteKey(name, key(600));
    await refused(11, server.read(name, key(600)));
  });

  it('nobody there', async () => {
    const nobody = connect('127.0.0.1:1');
    await refused(66, nobody.volumes(), {retry: 'SAFE'});
    await refused(66, nobody.open(name), {retry: 'SAFE'});
    nobody.close();
  });
});

describe('scans', () => {
  it('give ranges in order', async () => {
    await filled(numbered(0, 1000, 10));
    const scan = (options) => numbers(server.scan(name, options));
    assert.deepEqual(await scan(), numbered(0, 1000, 10));
    assert.deepEqual(await scan({chunkBytes: 64}), numbered(0, 1000, 10));
    assert.deepEqual(await scan({reverse: true}), numbered(0, 1000, 10).reverse());
    const range = {start: key(480), limit: key(520)};
    assert.deepEqual(await scan(range), [480, 490, 500, 510]);
    assert.deepEqual(await scan({...range, startExclusive: true}), [490, 500, 510]);
    assert.deepEqual(await scan({start: key(991)}), []);
    assert.deepEqual(await scan({maxRecords: 3}), [0, 10, 20]);
    for await (const record of server.scan(name)) {
      assert.equal(text(record), `${key(0)}text`);
      break;  // the rest is not read
    }
  });

  it('report errors', async () => {
    await refused(11, all(server.scan('$DATA01.NODE.NONE')));
  });
});

describe('sessions: errors in results', () => {
  it('have their numbers', async () => {
    const opened = await filled([1, 2, 501]);
    await refused(10, opened.write(key(1)), {name: 'already-exists', retry: 'NEVER'});
    await refused(11, opened.read(key(3)), {name: 'not-found'});
    await refused(1, opened.read(key(3), {mode: Mode.GENERIC}), {name: 'end-of-file'});
    await refused(11, opened.update(key(3)));
    await refused(11, opened.deleteKey(key(3)));
    await refused(21, opened.write('short'));
    await refused(21, opened.setPosition(key(1), {compareLength: 9}));
    await refused(46, opened.setPosition(key(1), {keySpecifier: 1}), {name: 'invalid-key'});
    await opened.setPosition(key(501), {mode: Mode.EXACT});
    await opened.readNext();
    await refused(1, opened.readNext());
    await refused(46, opened.writeUpdate(key(502)));
    await refused(21, opened.writeUpdate(''));
    await opened.deleteCurrent();
    await refused(11, opened.readUpdate(), {name: 'not-found'});
    await refused(11, opened.writeUpdate(key(501)));
    await refused(22, opened.restorePosition('nonsense'));
    await refused(21, opened.submit(new Array(5000).fill(op.read(key(1)))));
    await opened.close();
    await refused(16, opened.read(key(1)), {name: 'not-open'});
  });

  it('access and exclusion', async () => {
    const reader = await open({access: Access.READ, exclusion: Exclusion.PROTECTED});
    await refused(49, reader.write(key(1)));
    await refused(12, server.open(name, {access: Access.WRITE}), {name: 'file-in-use'});
    await refused(12, server.open(name, {exclusion: Exclusion.EXCLUSIVE}));
  });

  it('one failure leaves the rest', async () => {
    const opened = await filled([1]);
    const results = await opened.submit(
      [op.write(key(1)), op.write(key(600)), op.read(key(600)), op.read(key(2))]);
    assert.deepEqual(results.map(({error}) => error?.number), [10, undefined, undefined, 11]);
    assert.deepEqual(results.map(({record}) => record?.toString()),
                     [undefined, undefined, key(600), undefined]);
  });

  it('many under way', async () => {
    const opened = await open();
    const underWay = [];
    for (const at of numbered(0, 1000, 10)) {
      await opened.room();
      underWay.push(opened.submit(numbered(at, at + 10).map((n) => op.write(key(n)))));
    }
    const errors = (await Promise.all(underWay)).flat().filter(({error}) => error);
    assert.deepEqual(errors, []);
    assert.deepEqual(await numbers(server.scan(name)), numbered(0, 1000));
  });
});

describe('positions', () => {
  it('choose subsets', async () => {
    const opened = await filled([1, 2, 10, 499, 500, 501, 900]);
    assert.deepEqual(await numbers(opened), [1, 2, 10, 499, 500, 501, 900]);
    await opened.setPosition('K00005', {mode: Mode.GENERIC});
    assert.deepEqual(await numbers(opened), [500, 501]);
    await opened.setPosition(key(3));
    assert.deepEqual(await numbers(opened), [10, 499, 500, 501, 900]);
    await opened.setPosition(key(10), {skipExact: true});
    assert.deepEqual(await numbers(opened), [499, 500, 501, 900]);
    await opened.setPosition(key(501), {reverse: true});
    assert.deepEqual(await numbers(opened), [501, 500, 499, 10, 2, 1]);
    await opened.setPosition(key(500), {mode: Mode.EXACT});
    assert.deepEqual(await numbers(opened), [500]);
  });

  it('are saved, and changes are made there', async () => {
    const opened = await filled([1, 2, 3, 600]);
    await opened.setPosition(key(2));
    assert.equal(text(await opened.readNext()), `${key(2)}text`);
    const saved = await opened.savePosition();
    await opened.writeUpdate(`${key(2)}new`);
    assert.equal(text(await opened.readUpdate()), `${key(2)}new`);
    assert.deepEqual(await numbers(opened), [3, 600]);
    await opened.restorePosition(saved);
    await opened.deleteCurrent();
    assert.deepEqual(await numbers(opened), [3, 600]);
    assert.deepEqual(await numbers(server.scan(name)), [1, 3, 600]);
  });
});

describe('locks', () => {
  it('modes', async () => {
    const owner = await filled([1, 600]);
    await owner.read(key(600), {lock: true});
    const other = await open({lockMode: LockMode.REJECT});
    await refused(73, other.read(key(600)), {name: 'locked'});
    await refused(73, other.update(key(600)));
    await refused(73, other.lockRecord(key(600)));
    assert.equal(text(await other.read(key(1))), `${key(1)}text`);
    await other.setLockMode(LockMode.READ_WARN);
    assert.equal(text(await other.read(key(600))), `${key(600)}text`);
    assert.equal(other.lastWarning, 9);
    const briefly = {lockTimeoutMs: 20};
    await refused(40, other.lockRecord(key(600), briefly), {name: 'timed-out'});
    await refused(40, server.read(name, key(600), briefly));
    const locks = await all(server.listLocks(name));
    assert.deepEqual(locks.map((lock) => [text(lock.key), lock.granted]), [[key(600), true]]);
    assert.equal(locks[0].openId, owner.opened.openId);
    await owner.unlockRecord(key(600));
    await other.lockFile();
    await refused(40, owner.read(key(1), briefly));
    await other.unlockFile();
    assert.equal(text(await owner.read(key(1))), `${key(1)}text`);
  });

  it('are waited for', async () => {
    const owner = await filled([600]);
    await owner.lockRecord(key(600));
    const other = await open();
    const waiting = other.read(key(600), {lock: true});
    await untilSomebodyWaits();
    await owner.update(`${key(600)}changed`, {unlock: true});
    assert.equal(text(await waiting), `${key(600)}changed`);
  });

  it('a wait is cancelled', async () => {
    const owner = await filled([600]);
    await owner.lockRecord(key(600));
    const other = await open();
    const abort = new AbortController();
    const waiting = other.lockRecord(key(600), {signal: abort.signal});
    await untilSomebodyWaits();
    abort.abort();
    await refused(40, waiting);
  });

  it('go with the open', async () => {
    const owner = await filled([1]);
    await owner.lockFile();
    await owner.close();
    assert.deepEqual(await all(server.listLocks(name)), []);
    await (await open()).write(key(2));
  });
});

describe('cut connections', () => {
  let proxy;
  let throughProxy;

  beforeEach(async () => {
    proxy = await startProxy(ADDRESS);
    throughProxy = connect(proxy.address, {clientName: 'node-test'});
    cleanups.push(() => {
      throughProxy.close();
      proxy.close();
    });
  });

  it('every change is done once', async () => {
    const opened = await open({}, throughProxy);
    const underWay = [];
    for (const at of numbered(0, 1000, 10)) {
      underWay.push(opened.submit(numbered(at, at + 10).map((n) => op.write(key(n)))));
      if (at % 130 === 0) {
        await underWay.at(at ? -7 : 0);  // so that some are answered and some are not
        proxy.cut();
      }
    }
    const errors = (await Promise.all(underWay)).flat().filter(({error}) => error);
    assert.deepEqual(errors, []);
    assert.deepEqual(await numbers(server.scan(name)), numbered(0, 1000));
  });

  it('the position is kept', async () => {
    await filled(numbered(0, 1000, 50));
    const opened = await open({}, throughProxy);
    const seen = [];
    for await (const record of opened) {
      seen.push(Number(text(record).slice(1, 8)));
      if (seen.length % 6 === 0) proxy.cut();
    }
    assert.deepEqual(seen, numbered(0, 1000, 50));
  });

  it('locks are kept', async () => {
    await filled([600]);
    const opened = await open({}, throughProxy);
    await opened.lockRecord(key(600));
    proxy.cut();
    const other = await open({lockMode: LockMode.REJECT});
    await refused(73, other.read(key(600)));
    await opened.update(`${key(600)}mine`, {unlock: true});
    assert.equal(text(await other.read(key(600))), `${key(600)}mine`);
  });

  it('sync depth 0 says unknown', async () => {
    await filled([600]);
    await (await open()).lockRecord(key(600));
    const opened = await open({syncDepth: 0}, throughProxy);
    const waiting = opened.submit([op.lockRecord(key(600)), op.write(key(601))]);
    await untilSomebodyWaits();
    proxy.cut();
    const results = await waiting;
    assert.deepEqual(results.map(({error}) => error.number), [201, 201]);
    assert.equal(results[1].error.retry, 'OUTCOME_UNKNOWN');
    await opened.write(key(602));
  });
});
