import { connect } from 'node:net';

export interface RawResponse {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Sends bytes unchanged over one TCP connection and returns the first response. Use it for requests that no regular
 * client would send. With `readsLast`, it reads nothing until everything is written, as simple programs do.
 */
export async function rawRequest(
  url: string,
  request: string | Uint8Array,
  options: { readsLast?: boolean } = {},
): Promise<RawResponse> {
  using socket = await openRaw(url);
  if (options.readsLast) socket.pause();
  await socket.write(request);
  socket.resume();
  return await socket.response({ hasBody: !(typeof request === 'string' && request.startsWith('HEAD ')) });
}

/** Returns the head of a request: the request line and header lines, ended by an empty line. */
export function rawHead(...lines: string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Opens a TCP connection for arbitrary bytes. */
export async function openRaw(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let received: Buffer = Buffer.alloc(0);
  let isClosed = false;
  let wake = (): void => {};
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  // A reset is treated as a close; everything received before it still counts.
  socket.on('error', () => {});
  socket.on('close', () => {
    isClosed = true;
    wake();
  });

  return {
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    /** Resolves once the operating system has accepted all of the bytes. */
    write: (bytes: string | Uint8Array): Promise<void> =>
      new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve()))),
    /** Writes the same bytes repeatedly until the server closes the connection; returns how many bytes it accepted. */
    writeUntilClosed: (bytes: Uint8Array): Promise<number> =>
      new Promise((resolve) => {
        let sent = 0;
        const writeOn = (error?: Error | null): void => {
          if (isClosed || error) return;
          sent += bytes.length;
          socket.write(bytes, writeOn);
        };
        socket.on('close', () => resolve(sent));
        writeOn();
      }),
    /** Returns the next response on this connection. */
    async response({ hasBody = true } = {}): Promise<RawResponse> {
      for (;;) {
        const parsed = parseResponse(received, hasBody);
        if (parsed) {
          received = received.subarray(parsed.length);
          return parsed.response;
        }
        if (isClosed)
          throw new Error(`The connection ended without a response; received: ${received.toString('latin1')}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    [Symbol.dispose]: () => {
      socket.destroy();
    },
  };
}

/** Returns `null` until the head and a body of the announced length have arrived. */
function parseResponse(bytes: Buffer, hasBody: boolean): { response: RawResponse; length: number } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  const bodyStart = end + 4;
  const length = bodyStart + (hasBody ? Number(headers.get('content-length') ?? 0) : 0);
  if (bytes.length < length) return null;
  const text = bytes.toString('utf8', bodyStart, length);
  return { response: { status: Number(statusLine.split(' ')[1]), headers, text }, length };
}
