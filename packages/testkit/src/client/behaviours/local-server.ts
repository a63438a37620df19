import { createServer, type RequestListener, type Server } from 'node:http';

export const responseCreated: RequestListener = (_, response) => {
  const data = { id: 'id_1', conversationId: 'cnv_1', createdAt: '2026-03-01T09:30:00.000Z' };
  response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ success: true, data }));
};

export const cutShort: RequestListener = (_, response) => {
  response.writeHead(201, { 'content-length': '100' });
  response.write('{"succ', () => response.socket?.destroy());
};

/** Starts a server on a free port (or on `wanted`) at all localhost addresses, and then calls `then`. */
export async function listening(onRequest: RequestListener, then?: (server: Server) => Promise<void>, port = 0) {
  const server = createServer(onRequest);
  await new Promise<void>((resolve) => server.listen(port, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  await then?.(server);
  return { server, port: address.port };
}

export function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
