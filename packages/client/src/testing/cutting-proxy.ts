import { connect, createServer, type Socket } from 'node:net';

/** Passes bytes on to a server, until it is told to pull the cable: of all connections, in the middle of whatever they say. */
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
    /** From now on new connections go to another server. */
    aimAt: (port: number) => {
      target = port;
    },
    /** Returns whether there was anything to cut. */
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
