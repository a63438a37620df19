import { connect } from 'node:net';

export interface HubResponse {
  readonly status: number;
  /** The status line and the headers, as received. */
  readonly head: string;
  readonly body: string;
}

/** Returns a response header; `null` if it is missing. */
export function headerOf({ head }: HubResponse, name: string): string | null {
  return new RegExp(`\\r\\n${name}: ([^\\r]*)`, 'i').exec(head)?.[1] ?? null;
}

export interface Connection {
  /**
   * Sends one request and resolves with its response; rejects if the connection ends before the response is complete.
   */
  send(request: string): Promise<HubResponse>;
  /** Whether the server, or `close`, has ended the connection. */
  readonly isOver: boolean;
  close(): void;
}

const POSTS = {
  messages: (text: string) => ({ text }),
  notes: (text: string) => ({ content: text, title: 'A note' }),
  todos: (text: string) => ({ title: text, priority: 'HIGH' }),
};

export type PostKind = keyof typeof POSTS;
export const POST_KINDS = Object.keys(POSTS) as PostKind[];

export interface RawParts {
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
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Returns a post as raw HTTP. */
export function postRequest(kind: PostKind, key: string, text: string): string {
  return rawRequest({ path: `/api/public/v1/${kind}`, bearer: key, body: JSON.stringify(POSTS[kind](text)) });
}

/** Describes how a response differs from an error with this status and exactly the four fields; null if it does not. */
export function problemOfError(status: number, body: string, wanted = status): string | null {
  const shown = `${status} ${body.slice(0, 300)}`;
  if (status !== wanted) return shown;
  try {
    const { statusCode, message, timestamp, path, ...rest } = JSON.parse(body) as Record<string, unknown>;
    const isWhole = typeof message === 'string' && typeof timestamp === 'string' && typeof path === 'string';
    return isWhole && statusCode === wanted && Object.keys(rest).length === 0 ? null : shown;
  } catch {
    return shown;
  }
}

/** Returns the ID from the body of a 201 response. */
export function idOf(response: HubResponse): string {
  const { data } = JSON.parse(response.body) as { data: { id: string } };
  return data.id;
}

/**
 * A keep-alive TCP connection to loopback with one request at a time. On Linux, every address in 127.0.0.0/8 belongs to
 * this machine, so `from` can simulate many clients.
 */
export async function openConnection(port: number, from = '127.0.0.1'): Promise<Connection> {
  const socket = connect({ host: '127.0.0.1', port, localAddress: from, noDelay: true });
  let received = Buffer.alloc(0);
  let waiting: PromiseWithResolvers<HubResponse> | undefined;
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));

  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    const parsed = parseResponse(received);
    if (!parsed) return;
    received = received.subarray(parsed.length);
    waiting?.resolve(parsed.response);
  });
  // A reset appears as a close. By then, everything received before it has been read.
  socket.on('error', () => {});
  socket.on('close', () => waiting?.reject(new Error('The connection ended')));

  return {
    send: (request) => {
      waiting = Promise.withResolvers();
      if (socket.destroyed) waiting.reject(new Error('The connection has ended'));
      else socket.write(request);
      return waiting.promise;
    },
    get isOver() {
      return socket.destroyed;
    },
    close: () => socket.destroy(),
  };
}

/** Sends one request on a connection of its own, from this loopback address. */
export async function sendOnce(port: number, request: string, from?: string): Promise<HubResponse> {
  const connection = await openConnection(port, from);
  const response = await connection.send(request);
  connection.close();
  return response;
}

/** Returns the nth loopback address other than 127.0.0.1: a client of its own, to the server. */
export function loopbackAddress(n: number): string {
  const number = n + 1;
  return `127.${1 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
}

/** Returns undefined while the response is incomplete. */
function parseResponse(bytes: Buffer): { response: HubResponse; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const start = end + 4;
  const length = start + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  if (bytes.length < length) return undefined;
  const status = Number(head.split(' ')[1]);
  return { response: { status, head, body: bytes.toString('utf8', start, length) }, length };
}

export interface Exchange {
  readonly statuses: readonly number[];
  readonly received: string;
  readonly isClosed: boolean;
}

const RESPONSE_MS = 3_000;

/**
 * Sends bytes on a new connection, and returns everything received. By default it waits for the first response; with
 * `closeMs`, that long for the server to hang up; with `isLeaving`, it hangs up as soon as everything is written.
 */
export function exchange(
  port: number,
  bytes: Uint8Array,
  { isLeaving = false, closeMs }: { readonly isLeaving?: boolean; readonly closeMs?: number } = {},
): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    let received = Buffer.alloc(0);
    const end = (isClosed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      const text = received.toString();
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
      resolve({ statuses, received: text, isClosed });
    };
    const timer = setTimeout(() => end(false), closeMs ?? RESPONSE_MS);
    socket.on('connect', () => {
      socket.write(bytes, () => isLeaving && socket.destroy());
    });
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (closeMs === undefined && parseResponse(received)) end(false);
    });
    socket.on('error', () => {});
    socket.on('close', () => end(true));
  });
}
