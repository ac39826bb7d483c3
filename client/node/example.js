// A file of parts: written, read on, changed under a lock, scanned. Usage: example.js HOST:PORT
import {connect, LockMode, Mode, operations as op, QuireError} from 'quire';

const PARTS = '$DATA01.STOCK.PARTS';

async function attempt(what, promise) {
  try {
    await promise;
    console.log(`${what}: done`);
  } catch (error) {
    if (!(error instanceof QuireError)) throw error;
    console.log(`${what}: error ${error.number} (${error.name}), retry ${error.retry}`);
  }
}

const server = connect(process.argv[2]);
// Keys from P5 on go to the second volume, when the server reaches one.
const seconds = (await server.volumes()).slice(1, 2).map((volume) => [volume, 'P5']);
await server.create(PARTS, {keyLength: 8, recordBytes: 80, partitions: seconds});

const parts = await server.open(PARTS);
for (const record of ['P2000001washer', 'P2000002spring', 'P7000001wheel']) {
  await parts.write(record);
}
await attempt('write P2000001 again', parts.write('P2000001again'));

await parts.setPosition('P2', {mode: Mode.GENERIC});
for await (const record of parts) {  // READ until error 1
  console.log('read', record.toString());
}

await parts.setPosition('P7000001', {mode: Mode.EXACT});
const wheel = await parts.readNext({lock: true});
const other = await server.open(PARTS, {lockMode: LockMode.REJECT});
await attempt('read P7000001 elsewhere', other.read('P7000001'));
await parts.writeUpdate(wheel + ', 26 inch', {unlock: true});
await attempt('read P7000001 elsewhere', other.read('P7000001'));
await other.close();

// Many operations under way; each has its own result.
const keys = ['P2000001', 'P2000009', 'P7000001'];
const results = await parts.submit(keys.map((key) => op.read(key)));
results.forEach(({record, error}, i) => {
  console.log(keys[i], '->', record ? record.toString() : `error ${error.number}`);
});
await parts.close();

for await (const record of server.scan(PARTS, {start: 'P2000002'})) {
  console.log('scan', record.toString());
}
await attempt('read P9999999', server.read(PARTS, 'P9999999'));
await server.purge(PARTS);
server.close();
