import { createServer, type Socket } from 'node:net';

/** Starts a TCP server that calls `onRequest` once a complete request has arrived on a connection. */
export async function startRawServer(onRequest: (socket: Socket) => void) {
  const requests: string[] = [];
  const server = createServer((socket) => {
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      text += chunk;
      const [head, body] = text.split('\r\n\r\n');
      const length = Number(head?.match(/content-length: (\d+)/i)?.[1]);
      if (body === undefined || body.length < length) return;
      requests.push(text);
      text = '';
      onRequest(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    [Symbol.dispose]: () => {
      server.close();
    },
  };
}

/** Returns a URL with a port on which nothing listens. */
export async function closedPortUrl(): Promise<{ url: string; port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return { url: `http://127.0.0.1:${address.port}`, port: address.port };
}
