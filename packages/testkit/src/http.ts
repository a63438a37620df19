import { connect } from 'node:net';

export class RawResponse {
  /** `head`: the status line and the headers, as received. */
  constructor(
    readonly status: number,
    readonly head: string,
    readonly body: string,
  ) {}

  /** Returns a header; `null` if it is missing. */
  header(name: string): string | null {
    return new RegExp(`\\r\\n${name}: ([^\\r]*)`, 'i').exec(this.head)?.[1] ?? null;
  }
}

export type Connection = Awaited<ReturnType<typeof openConnection>>;

/** The body of a post with this text, by kind. */
export const POSTS = {
  messages: (text: string) => ({ text }),
  notes: (text: string) => ({ content: text, title: 'A note' }),
  todos: (text: string) => ({ title: text, priority: 'HIGH' }),
};

export type PostKind = keyof typeof POSTS;
export const POST_KINDS = Object.keys(POSTS) as PostKind[];

interface RawParts {
  readonly method?: string;
  readonly path: string;
  readonly host?: string;
  /** A key or a personal access token. */
  readonly bearer?: string;
  /** More header lines. */
  readonly headers?: readonly string[];
  readonly contentType?: string;
  readonly body?: string;
}

/** Returns the head of a request: the request line and header lines, ended by an empty line. */
export function rawHead(...lines: string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Returns a request as raw HTTP. */
export function rawRequest({
  method = 'POST',
  path,
  host = 'localhost',
  bearer,
  headers = [],
  contentType,
  body = '',
}: RawParts): string {
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    ...(bearer === undefined ? [] : [`Authorization: Bearer ${bearer}`]),
    ...headers,
    ...(body
      ? [`Content-Type: ${contentType ?? 'application/json'}`, `Content-Length: ${Buffer.byteLength(body)}`]
      : []),
  ];
  return rawHead(...head) + body;
}

/** Returns a post as raw HTTP. */
export function postRequest(kind: PostKind, key: string, text: string): string {
  return rawRequest({ path: `/api/public/v1/${kind}`, bearer: key, body: JSON.stringify(POSTS[kind](text)) });
}

/** Returns the ID from the body of a 201 response. */
export function idOf(response: RawResponse): string {
  const { data } = JSON.parse(response.body) as { data: { id: string } };
  return data.id;
}

/** A port on loopback, the host and port of a URL, or the path of a Unix socket. */
type Address = number | string | { readonly path: string };

/**
 * A keep-alive connection for arbitrary bytes. It reads one response at a time. On Linux, every address in 127.0.0.0/8
 * belongs to this machine, so `from` can simulate many clients.
 */
export async function openConnection(address: Address, from?: string) {
  const socket = connect(typeof address === 'object' ? address : { ...endpoint(address), localAddress: from });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let received = Buffer.alloc(0);
  let wake = (): void => {};
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  // A reset appears as a close. By then, everything received before it has been read.
  socket.on('error', () => {});
  socket.on('close', () => wake());

  const connection = {
    /** Writes a request and resolves with its response; rejects if the connection ends before it is complete. */
    send(request: string | Uint8Array): Promise<RawResponse> {
      if (!socket.destroyed) socket.write(request);
      return connection.response({ hasBody: Buffer.from(request.slice(0, 5)).toString() !== 'HEAD ' });
    },
    /** Resolves once the operating system has accepted all of the bytes. */
    write: (bytes: string | Uint8Array): Promise<void> =>
      new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve()))),
    /** Writes the same bytes repeatedly until the server closes the connection; returns how many bytes it accepted. */
    writeUntilClosed: (bytes: Uint8Array): Promise<number> =>
      new Promise((resolve) => {
        let sent = 0;
        const writeOn = (error?: Error | null): void => {
          if (socket.destroyed || error) return;
          sent += bytes.length;
          socket.write(bytes, writeOn);
        };
        socket.on('close', () => resolve(sent));
        writeOn();
      }),
    /** Reads nothing until `resume`, as simple programs do while they write. */
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    /** Returns the next response. */
    async response({ hasBody = true } = {}): Promise<RawResponse> {
      for (;;) {
        const parsed = parseResponse(received, hasBody);
        if (parsed) {
          received = received.subarray(parsed.length);
          return parsed.response;
        }
        if (socket.destroyed)
          throw new Error(`The connection ended without a response; received: ${received.toString('latin1')}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    /** Whether the server, or `close`, has ended the connection. */
    get isOver(): boolean {
      return socket.destroyed;
    },
    close: () => {
      socket.destroy();
    },
    [Symbol.dispose]: () => {
      socket.destroy();
    },
  };
  return connection;
}

function endpoint(address: number | string) {
  const { hostname, port } = new URL(typeof address === 'string' ? address : `http://127.0.0.1:${address}`);
  return { host: hostname, port: Number(port), noDelay: true };
}

/** Sends one request on a connection of its own. With `readsLast`, it reads nothing until everything is written. */
export async function sendOnce(
  address: Address,
  request: string | Uint8Array,
  { from, readsLast = false }: { from?: string; readsLast?: boolean } = {},
): Promise<RawResponse> {
  using connection = await openConnection(address, from);
  if (!readsLast) return await connection.send(request);
  connection.pause();
  await connection.write(request);
  connection.resume();
  return await connection.response();
}

/** Returns undefined until the head and the whole body have arrived. */
function parseResponse(bytes: Buffer, hasBody = true): { response: RawResponse; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const status = Number(head.split(' ')[1]);
  const start = end + 4;
  if (status === 100) {
    const next = parseResponse(bytes.subarray(start), hasBody);
    return next && { response: next.response, length: start + next.length };
  }
  if (hasBody && /\r\ntransfer-encoding: chunked/i.test(head)) {
    const body = parseChunks(bytes, start);
    return body && { response: new RawResponse(status, head, body.text), length: body.end };
  }
  const isEmpty = !hasBody || [101, 204, 304].includes(status);
  const length = start + (isEmpty ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0));
  if (bytes.length < length) return undefined;
  return { response: new RawResponse(status, head, bytes.toString('utf8', start, length)), length };
}

function parseChunks(bytes: Buffer, start: number): { text: string; end: number } | undefined {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (size === 0) return { text: Buffer.concat(parts).toString(), end: next };
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}
