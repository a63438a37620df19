import { connect } from 'node:net';

export interface HubResponse {
  readonly status: number;
  /** The status line and the header fields, as they came. */
  readonly head: string;
  readonly body: string;
}

/** A response header field; `null` if it is missing. */
export function headerOf({ head }: HubResponse, name: string): string | null {
  return new RegExp(`\\r\\n${name}: ([^\\r]*)`, 'i').exec(head)?.[1] ?? null;
}

export interface Connection {
  /** Sends one request and resolves with its response; rejects if the connection ends before it is complete. */
  send(request: string): Promise<HubResponse>;
  close(): void;
}

const POSTS = {
  messages: (text: string) => ({ text }),
  notes: (text: string) => ({ content: text, title: 'A note' }),
  todos: (text: string) => ({ title: text, priority: 'HIGH' }),
};

export type PostKind = keyof typeof POSTS;
export const POST_KINDS = Object.keys(POSTS) as PostKind[];

/** A post as it stands on the wire. */
export function postRequest(kind: PostKind, key: string, text: string): string {
  const body = JSON.stringify(POSTS[kind](text));
  const head = [
    `POST /api/public/v1/${kind} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** The id in the body of a 201. */
export function idOf(response: HubResponse): string {
  const { data } = JSON.parse(response.body) as { data: { id: string } };
  return data.id;
}

/**
 * A TCP connection to loopback that is kept alive, with one request on its way at a time. Every address of 127.0.0.0/8 is this
 * machine's on Linux, so that `from` can be many clients.
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
  // A reset shows as a close. Everything received before it has been read by then.
  socket.on('error', () => {});
  socket.on('close', () => waiting?.reject(new Error('The connection ended')));

  return {
    send: (request) => {
      waiting = Promise.withResolvers();
      if (socket.destroyed) waiting.reject(new Error('The connection has ended'));
      else socket.write(request);
      return waiting.promise;
    },
    close: () => socket.destroy(),
  };
}

/** Undefined while a part of the response is missing. */
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
