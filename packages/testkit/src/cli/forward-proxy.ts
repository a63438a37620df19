import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { pemOf } from '../in-process/listening.ts';

/** Starts a proxy that records what it is asked for, and refuses it if `status` is set. */
export async function startForwardProxy(status?: number) {
  const requestLines: string[] = [];
  const sockets = new Set<Socket>();
  const record = (line: string, authorization: string | undefined) =>
    requestLines.push(`${line}${authorization === undefined ? '' : ` ${atob(authorization.replace('Basic ', ''))}`}`);
  const server = createServer((received, response) => {
    const { method, url = '', headers } = received;
    record(`${method} ${url}`, headers['proxy-authorization']);
    if (status !== undefined) return void response.writeHead(status).end();
    const { 'proxy-authorization': _, ...kept } = headers;
    const onward = request(url, { method, headers: kept }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    received.pipe(onward);
  });
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', ({ url = '', headers }, socket: Socket, head: Buffer) => {
    record(`CONNECT ${url}`, headers['proxy-authorization']);
    if (status !== undefined) return void socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\n\r\n`);
    const { hostname, port } = new URL(`http://${url}`);
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    sockets.add(onward);
    for (const each of [onward, socket]) each.on('error', () => each.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked: requestLines,
    [Symbol.dispose]: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Serves HTTPS for `localhost` in front of an HTTP port. Clients trust it with `ca`. */
export async function startTlsFront(port: number) {
  const read = (part: 'cert' | 'key') => Bun.file(pemOf('first', part)).text();
  const sockets = new Set<Socket>();
  const server = createSecureServer({ cert: await read('cert'), key: await read('key') }, (socket) => {
    const onward = connect(port, '127.0.0.1');
    for (const each of [socket, onward]) sockets.add(each.on('error', () => each.destroy()));
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    ca: pemOf('first', 'cert'),
    [Symbol.dispose]: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
