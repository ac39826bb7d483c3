// The Node.js client under test, which generate.sh put into $QUIRE_NODE_CLIENT, and a TCP proxy
// whose connections can be cut.
import {createRequire} from 'node:module';
import net from 'node:net';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

const FOLDER = process.env.QUIRE_NODE_CLIENT;
const packages = createRequire(join(FOLDER, 'package.json'));

export const client = await import(pathToFileURL(join(FOLDER, 'index.js')));
export const grpc = packages('@grpc/grpc-js');
export const protoLoader = packages('@grpc/proto-loader');
export const PROTOS = join(FOLDER, 'proto');

/** Listens on a loopback port of its own; `address` is HOST:PORT. */
export async function startProxy(target) {
  const [host, port] = target.split(':');
  const sockets = new Set();
  const listener = net.createServer((incoming) => {
    const outgoing = net.connect(Number(port), host);
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        incoming.destroy();
        outgoing.destroy();
      });
    }
    incoming.pipe(outgoing).pipe(incoming);
  });
  await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const cut = () => sockets.forEach((socket) => socket.destroy());
  return {
    address: `127.0.0.1:${listener.address().port}`,
    cut,
    close() {
      listener.close();
      cut();
    },
  };
}
