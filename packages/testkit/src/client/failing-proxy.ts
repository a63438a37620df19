import { connect, createServer, type Socket } from 'node:net';

/** The points of an exchange at which the proxy ends the connection. */
export const FAILURES = [
  'none',
  'before reading',
  'within the body',
  'before responding',
  'within the response',
] as const;
export type Failure = (typeof FAILURES)[number];

/**
 * Starts a proxy that fails at the points of `FAILURES`, in turn. It understands keep-alive. `arrivals` has the number of
 * complete requests that arrived with each body.
 */
export async function startFailingProxy(targetPort: number) {
  const arrivals = new Map<string, number>();
  const failed: Record<Failure, number> = {
    none: 0,
    'before reading': 0,
    'within the body': 0,
    'before responding': 0,
    'within the response': 0,
  };
  let turns = 0;
  const nextFailure = (): Failure => {
    const failure = FAILURES[turns % FAILURES.length] ?? 'none';
    turns += 1;
    failed[failure] += 1;
    return failure;
  };

  const pass = async (near: Socket, request: Buffer, failure: Failure): Promise<void> => {
    const bodyAt = request.indexOf('\r\n\r\n') + 4;
    const body = request.subarray(bodyAt).toString();
    arrivals.set(body, (arrivals.get(body) ?? 0) + 1);
    const far = connect(targetPort, '127.0.0.1');
    far.on('error', () => {});
    if (failure === 'within the body') {
      far.end(request.subarray(0, bodyAt + Math.floor((request.length - bodyAt) / 2)), () => far.destroy());
      near.resetAndDestroy();
      return;
    }
    far.write(request);
    const response = await messageOf(far);
    far.destroy();
    if (failure === 'none') near.write(response);
    else if (failure === 'before responding') near.destroy();
    else near.write(response.subarray(0, Math.floor(response.length / 2)), () => near.destroy());
  };

  const server = createServer(async (near) => {
    near.on('error', () => {});
    for (;;) {
      const failure = nextFailure();
      if (failure === 'before reading') return near.resetAndDestroy();
      const request = await messageOf(near).catch(() => null);
      if (request === null) return;
      await pass(near, request, failure);
      if (near.destroyed || near.writableEnded) return;
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    arrivals,
    failed,
    [Symbol.dispose]: () => {
      server.close();
    },
  };
}

/** Reads one HTTP message with a Content-Length. Rejects if the connection ends before. */
function messageOf(socket: Socket): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const finish = (settle: () => void): void => {
      socket.off('data', onData).off('close', onClose);
      settle();
    };
    const onClose = (): void => finish(() => reject(new Error('The connection ended within a message.')));
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      const headEnd = bytes.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(bytes.subarray(0, headEnd).toString())?.[1] ?? 0);
      if (bytes.length >= headEnd + 4 + length) finish(() => resolve(bytes));
    };
    socket.on('data', onData).on('close', onClose);
  });
}
