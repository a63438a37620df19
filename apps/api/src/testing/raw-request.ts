import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Sends bytes as they are over one TCP connection and reads the answer until the server closes or the answer is complete:
 * for requests that no decent client would write.
 */
export async function rawRequest(url: string, request: string | Uint8Array): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const hasBody = !(typeof request === 'string' && request.startsWith('HEAD '));
  let received: Buffer = Buffer.alloc(0);
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const settle = (): void => {
    const answer = parseAnswer(received, hasBody);
    if (answer) resolve(answer);
    else reject(new Error(`The connection ended without an answer; received: ${received.toString('latin1')}`));
    socket.destroy();
  };
  socket.on('connect', () => socket.write(request));
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (parseAnswer(received, hasBody)) settle();
  });
  socket.on('close', settle);
  socket.on('error', reject);
  return promise;
}

/** The head of a request for `rawRequest`: the request line and header lines, ended by an empty line. */
export function rawHead(...lines: string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** `null` as long as the head or the announced length is not there yet. */
function parseAnswer(bytes: Buffer, hasBody: boolean): RawAnswer | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  const body = bytes.subarray(end + 4);
  if (hasBody && body.length < Number(headers.get('content-length') ?? 0)) return null;
  return { status: Number(statusLine.split(' ')[1]), headers, text: body.toString('utf8') };
}
