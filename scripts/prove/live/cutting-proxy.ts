import { connect, createServer, type Socket } from 'node:net';
import type { Random } from '@hub/testkit';
import type { Records } from './records.ts';

/** A cut happens within this many bytes from the server (about four events). */
const CUT_WITHIN_BYTES = 3_000;

/**
 * Starts a proxy for `target`. To cut a connection, the proxy forwards a few more bytes from the server and then closes
 * it.
 */
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
      // The cut need not be in the middle of a frame, but almost every random position is.
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
    /** Cuts a random connection. */
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
