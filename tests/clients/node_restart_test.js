// Writes while servers are killed and restarted. The test that starts it does so when it sees the
// numbers printed, and makes the file RESTARTED when it has done with that.
// Usage: node_restart_test.js router|volume RESTARTED; the server is at $QUIRE_TEST_SERVER.
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';

import {client} from './node_support.js';

const {connect, LockMode, Mode, operations: op, QuireError} = client;
const NAME = '$DATA01.NODE.RESTART';
const RECORDS = 600;
const OUTCOME_UNKNOWN = 201;
const [restarted, path] = process.argv.slice(2);

const key = (number) => `K${String(number).padStart(7, '0')}`;

/** The numbers whose outcome is unknown. Five batches of ten are under way. */
async function writeAll(opened) {
  const unknown = [];
  const underWay = [];
  for (let at = 0; at < RECORDS; at += 10) {
    const writes = Array.from({length: 10}, (_, i) => op.write(key(at + i)));
    underWay.push({first: at, results: opened.submit(writes)});
    while (underWay.length > (at + 10 < RECORDS ? 5 : 0)) {
      const {first, results} = underWay.shift();
      for (const [i, {error}] of (await results).entries()) {
        if (error && error.number !== OUTCOME_UNKNOWN) throw error;
        if (error) unknown.push(first + i);
      }
      console.log(first + 10);
    }
  }
  return unknown;
}

const server = connect(process.env.QUIRE_TEST_SERVER, {clientName: 'restart-test'});
const partitions = (await server.volumes()).slice(1, 2).map((volume) => [volume, key(300)]);
await server.create(NAME, {keyLength: 8, partitions});
await server.write(NAME, 'Lock one');
const holder = await server.open(NAME);
await holder.setPosition('L');
await holder.readNext({lock: true});

const opened = await server.open(NAME);
const unknown = new Set(await writeAll(opened));
for (const deadline = Date.now() + 60000; !existsSync(path); await sleep(10)) {
  assert.ok(Date.now() < deadline, 'no restart');
}
const found = [];
await opened.setPosition('K', {mode: Mode.GENERIC});
for await (const record of opened) found.push(Number(record.toString().slice(1)));
await opened.close();
assert.deepEqual(found, [...found].sort((a, b) => a - b), 'out of order');
for (let n = 0; n < RECORDS; ++n) {
  assert.ok(found.includes(n) || unknown.has(n), `the acknowledged record ${n} is missing`);
}

try {
  assert.equal((await holder.readUpdate()).toString(), 'Lock one');
  await (await server.open(NAME, {lockMode: LockMode.REJECT})).read('Lock one');
  assert.fail('the lock is gone');
} catch (error) {
  assert.ok(error instanceof QuireError, error);
  assert.equal(error.number, restarted === 'router' ? 73 : 60);
}
await holder.close();
// Only a volume forgets what it has answered.
if (restarted === 'router') assert.equal(unknown.size, 0);
console.log('done');
process.exit();
