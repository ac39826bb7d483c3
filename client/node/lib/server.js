// A router or a single volume: files, single calls, scans, opens.
import {randomBytes} from 'node:crypto';
import {basename} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';

import {credentials, loadPackageDefinition} from '@grpc/grpc-js';
import {loadSync} from '@grpc/proto-loader';

import {QuireError} from './errors.js';
import {Access, checked, Exclusion, LockMode, Mode} from './modes.js';
import {OpenFile} from './open_file.js';
import {readMode, toBytes} from './operations.js';
import {Session} from './session.js';

// generate.sh puts the proto files here; the stubs are made of them when the program starts.
const PROTOS = fileURLToPath(new URL('../proto', import.meta.url));
const {quire: {v1: services}} = loadPackageDefinition(loadSync(
  ['common', 'file', 'measure', 'record'].map((name) => `quire/v1/${name}.proto`),
  {includeDirs: [PROTOS], longs: String, enums: String, defaults: true, oneofs: true}));

// As client/transport/channel.h: idle connections are pinged, a server that is back is found soon.
const CHANNEL_OPTIONS = {
  'grpc.keepalive_time_ms': 10000,
  'grpc.keepalive_timeout_ms': 10000,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.initial_reconnect_backoff_ms': 50,
  'grpc.max_reconnect_backoff_ms': 1000,
  'grpc.enable_http_proxy': 0,
};

/**
 * A Server at HOST:PORT; without one at $QUIRE_ROUTER, else 127.0.0.1:7000. Connects at the first
 * call. `clientName` is shown by LISTOPENS; default: the program's name.
 */
export function connect(address = process.env.QUIRE_ROUTER ?? '127.0.0.1:7000',
                        {clientName = basename(process.argv[1] ?? 'node')} = {}) {
  return new Server(address, clientName);
}

/** The FileName of "$VOLUME.SUBVOL.FILE". 13 when it is none. */
function fileName(name) {
  const [volume, subvolume, file, ...rest] = name.split('.');
  if (file === undefined || rest.length > 0) {
    throw new QuireError(13, 'illegal-name', `"${name}" is not of the form $VOLUME.SUBVOL.FILE`);
  }
  return {volume, subvolume, file};
}

/**
 * Names are "$VOLUME.SUBVOL.FILE". Keys and records are Buffers, or strings, which are taken as
 * UTF-8; records read are Buffers. `files` and `records` are the stubs, for what has no method
 * here.
 */
export class Server {
  #clientName;
  #clientId = (randomBytes(8).readBigUInt64BE() | 1n).toString();

  constructor(address, clientName) {
    this.#clientName = clientName.slice(0, 64);
    this.files = new services.FileService(address, credentials.createInsecure(), CHANNEL_OPTIONS);
    this.records = new services.RecordService(address, credentials.createInsecure(),
                                              {...CHANNEL_OPTIONS,
                                               channelOverride: this.files.getChannel()});
  }

  /** Ends the connection. Opens not closed before live on for their lease. */
  close() {
    this.files.close();
  }

  /** Names of the volumes that the server reaches. */
  async volumes() {
    return (await call(this.files, 'Volumes', {})).volumes;
  }

  /**
   * Makes a key-sequenced file; its FileInfo. 10 when it exists.
   *   keyLength   bytes
   *   partitions  [volume, partial key] of each secondary partition, partial keys rising
   *   extents     pages of the primary and secondary extents of every partition
   *   attributes  other fields of FileAttributes, e.g. recordBytes, keyOffset, buffered
   */
  async create(name, {partitions = [], extents: [primaryPages, secondaryPages] = [1, 1],
                      ...attributes}) {
    const extents = {primaryPages, secondaryPages};
    const {info} = await call(this.files, 'Create', {
      name: fileName(name),
      attributes: {
        type: 'K', extents, ...attributes,
        partitions: partitions.map(([volume, key]) =>
          ({volume, partialKey: toBytes(key), extents})),
      },
    });
    return info;
  }

  /** What FUP INFO shows (InfoResponse). 11 when there is no such file. */
  async info(name) {
    return call(this.files, 'Info', {file: this.#reference(name)});
  }

  /** Removes the file. 12 while somebody has it open. */
  async purge(name) {
    await call(this.files, 'Purge', {file: this.#reference(name)});
  }

  /** Who has the file open (OpenDescription), by open id. */
  listOpens(name) {
    return this.#pages('ListOpens', 'opens', name);
  }

  /** Who holds and who awaits its locks (LockDescription). */
  listLocks(name) {
    return this.#pages('ListLocks', 'locks', name);
  }

  /** Inserts in a single call. When its outcome stays unknown it gets 201. */
  async write(name, record) {
    await call(this.records, 'Write', {file: this.#reference(name), record: toBytes(record)});
  }

  async update(name, record) {
    await call(this.records, 'Update', {file: this.#reference(name), record: toBytes(record)});
  }

  async deleteKey(name, key) {
    await call(this.records, 'Delete', {file: this.#reference(name), key: toBytes(key)});
  }

  /** One record in a single call. 11 when there is none with this key; in other modes 1. */
  async read(name, key, {mode = Mode.EXACT, ...options} = {}) {
    const {record} = await call(this.records, 'Read', {
      file: this.#reference(name), key: toBytes(key), mode: readMode(mode), ...options});
    return record;
  }

  /**
   * The records with start <= key < limit, in key order over all partitions; for "for await". Much
   * faster than reading one by one. Not a snapshot. Options: reverse, startExclusive, chunkBytes,
   * maxRecords, lockMode (default: locks are ignored), lockTimeoutMs.
   */
  async *scan(name, {start = '', limit = '', lockMode, ...options} = {}) {
    const stream = this.records.Scan({
      file: this.#reference(name), range: {start: toBytes(start), limit: toBytes(limit)},
      ...(lockMode && {lockMode: checked(LockMode, lockMode)}), ...options});
    stream.on('error', () => {});  // the iteration reports it; after it, a cancel is no news
    try {
      for await (const {chunk} of stream) {
        let at = 0;
        for (const length of chunk?.lengths ?? []) {
          yield chunk.data.subarray(at, at + length);
          at += length;
        }
      }
    } catch (error) {
      throw QuireError.ofCall(error);
    } finally {
      stream.cancel();  // of what is not read
    }
  }

  /**
   * An OpenFile. 11 when there is no such file; 12 when another's exclusion forbids it.
   *   syncDepth     0: a change that was under way when the connection broke gets 201;
   *                 1 … 15: it is sent again and done once
   *   retrySeconds  how long a broken connection is tried to be mended
   */
  async open(name, {access = Access.READ_WRITE, exclusion = Exclusion.SHARED, syncDepth = 1,
                    lockMode = LockMode.NORMAL, retrySeconds = 30} = {}) {
    const message = {file: this.#reference(name), access: checked(Access, access),
                     exclusion: checked(Exclusion, exclusion), syncDepth,
                     lockMode: checked(LockMode, lockMode)};
    return new OpenFile(await Session.open(this.records, message, 1000 * retrySeconds));
  }

  #reference(name) {
    return {name: fileName(name), clientName: this.#clientName, clientId: this.#clientId};
  }

  async *#pages(method, field, name) {
    let pageToken = '';
    do {
      const page = await call(this.files, method, {file: this.#reference(name), pageToken});
      yield* page[field];
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
  }
}

async function call(stub, method, request) {
  try {
    return await promisify(stub[method]).call(stub, request);
  } catch (error) {
    throw QuireError.ofCall(error);
  }
}
