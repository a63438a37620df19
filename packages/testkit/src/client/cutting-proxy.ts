import { connect, createServer, type Socket } from 'node:net';

/** Starts a proxy that forwards bytes to a server until `cut` ends all connections, at any point in a message. */
export async function startCuttingProxy(targetPort: number) {
  let target = targetPort;
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    /** Forwards new connections to another server. */
    aimAt: (port: number) => {
      target = port;
    },
    /** Ends all connections and returns whether there were any. */
    cut: (): boolean => {
      for (const socket of open) socket.destroy();
      return open.size > 0;
    },
    stop: async (): Promise<void> => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
