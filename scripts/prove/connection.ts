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
  close(): void;
}

const POSTS = {
  messages: (text: string) => ({ text }),
  notes: (text: string) => ({ content: text, title: 'A note' }),
  todos: (text: string) => ({ title: text, priority: 'HIGH' }),
};

export type PostKind = keyof typeof POSTS;
export const POST_KINDS = Object.keys(POSTS) as PostKind[];

/** Returns a post as raw HTTP. */
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
    close: () => socket.destroy(),
  };
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
