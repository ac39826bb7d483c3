// Quire from Node.js: files, records, positions and locks as Enscribe programs know them.
//
//   import {connect} from 'quire';
//   const server = connect('127.0.0.1:7000');
//   const parts = await server.open('$DATA01.STOCK.PARTS');
//   await parts.write('P2000001washer');
//
// A server is a router or a single volume; both speak the same services. Errors are QuireError,
// with the Enscribe number.
export {QuireError} from './lib/errors.js';
export {Access, Exclusion, LockMode, Mode} from './lib/modes.js';
export {OpenFile} from './lib/open_file.js';
export * as operations from './lib/operations.js';
export {Server, connect} from './lib/server.js';
