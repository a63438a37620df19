import { connect, createServer, type Socket } from 'node:net';
import type { Random } from './random.ts';
import type { Records } from './records.ts';

/** A cut comes within so many bytes of the server: of some four events. */
const CUT_WITHIN_BYTES = 3_000;

/** Passes bytes on to the server, until a connection is to be cut: then so many more, and not one beyond. */
export async function startCuttingProxy(target: () => number, random: Random, records: Records) {
  const bytesLeft = new Map<Socket, number>();
  const server = createServer((near) => {
    const far = connect(target(), '127.0.0.1');
    bytesLeft.set(near, Number.POSITIVE_INFINITY);
    near.pipe(far);
    far.on('data', (chunk: Buffer) => {
      const left = bytesLeft.get(near) ?? 0;
      bytesLeft.set(near, left - chunk.length);
      if (left > chunk.length) {
        if (!near.write(chunk)) far.pause();
        return;
      }
      records.sums.cuts += 1;
      // Whether this is in the middle of a frame is not looked at here: with random places nearly all are.
      far.destroy();
      near.write(chunk.subarray(0, left), () => near.destroy());
    });
    near.on('drain', () => far.resume());
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        bytesLeft.delete(near);
        other.destroySoon();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    /** Cuts any one of its connections. */
    cut: (): void => {
      const open = [...bytesLeft.keys()];
      const near = open[Math.floor(random() * open.length)];
      if (near) bytesLeft.set(near, Math.floor(random() * CUT_WITHIN_BYTES));
    },
    stop: async (): Promise<void> => {
      for (const near of bytesLeft.keys()) near.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
