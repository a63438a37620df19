import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * Starts a proxy. Tests can drop its connections, and point the proxy at another server while its URL stays the same.
 */
export async function startProxy() {
  const open = new Set<Socket>();
  let target: number | null = null;
  const server = createServer((near) => {
    if (target === null) {
      near.destroy();
      return;
    }
    const far = connect(target, '127.0.0.1');
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(end);
      end.on('error', () => other.destroy());
      end.on('close', () => {
        open.delete(end);
        other.destroy();
      });
      end.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Forwards new connections to this server. */
    forwardTo: (to: { url: string }) => {
      target = Number(new URL(to.url).port);
    },
    /** Closes all connections and rejects new ones. */
    cut: () => {
      target = null;
      for (const socket of open) socket.destroy();
    },
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
