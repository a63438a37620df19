import { connect, type Socket } from 'node:net';
import type { FuzzedRequest } from './mutate-request.ts';

export interface WireResponse {
  /** 0 if the connection ended without a response. */
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Sends raw requests one after another, on a connection that is reopened whenever the server closes it. */
export class Wire {
  readonly #target: { readonly port: number } | { readonly path: string };
  #socket: Socket | undefined;
  #received: Buffer = Buffer.alloc(0);
  #isHead = false;
  #waiting: PromiseWithResolvers<WireResponse> | undefined;

  constructor(target: { readonly port: number } | { readonly path: string }) {
    this.#target = target;
  }

  async send(request: FuzzedRequest): Promise<WireResponse> {
    const bytes = bytesOf(request);
    this.#isHead = request.method === 'HEAD';
    const wasOpen = this.#socket !== undefined && !this.#socket.destroyed;
    const response = await this.#try(bytes);
    // The server may have closed the idle connection just now.
    return response.status === 0 && wasOpen ? this.#try(bytes) : response;
  }

  close(): void {
    this.#socket?.destroy();
  }

  async #try(bytes: Buffer): Promise<WireResponse> {
    const waiting = Promise.withResolvers<WireResponse>();
    this.#waiting = waiting;
    const socket = this.#socket && !this.#socket.destroyed ? this.#socket : await this.#open();
    socket.write(bytes);
    const response = await waiting.promise;
    if (
      response.status === 0 ||
      response.headers.get('connection')?.toLowerCase() === 'close' ||
      response.status === 101
    )
      socket.destroy();
    return response;
  }

  async #open(): Promise<Socket> {
    const socket =
      'port' in this.#target
        ? connect({ host: '127.0.0.1', port: this.#target.port, noDelay: true })
        : connect(this.#target.path);
    this.#socket = socket;
    this.#received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#read();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#socket === socket) this.#waiting?.resolve({ status: 0, headers: new Map(), body: Buffer.alloc(0) });
    });
    await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
    return socket;
  }

  #read(): void {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const [line = '', ...lines] = this.#received.toString('latin1', 0, end).split('\r\n');
    const status = Number(line.split(' ')[1]);
    const headers = new Map(
      lines.map((each) => [each.slice(0, each.indexOf(':')).toLowerCase(), each.slice(each.indexOf(':') + 1).trim()]),
    );
    const rest = this.#received.subarray(end + 4);
    if (status === 100) {
      this.#received = rest;
      this.#read();
      return;
    }
    const found =
      this.#isHead || status === 101 || status === 204 || status === 304
        ? { body: Buffer.alloc(0), length: 0 }
        : bodyOf(headers, rest);
    if (!found) return;
    this.#received = rest.subarray(found.length);
    this.#waiting?.resolve({ status, headers, body: found.body });
  }
}

/** Returns undefined while the response is incomplete. */
function bodyOf(headers: ReadonlyMap<string, string>, rest: Buffer): { body: Buffer; length: number } | undefined {
  if (headers.get('transfer-encoding') !== 'chunked') {
    const length = Number(headers.get('content-length') ?? 0);
    return rest.length < length ? undefined : { body: Buffer.from(rest.subarray(0, length)), length };
  }
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = rest.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = Number.parseInt(rest.toString('latin1', at, end), 16);
    const next = end + 2 + size + 2;
    if (rest.length < next) return undefined;
    if (size === 0) return { body: Buffer.concat(parts), length: next };
    parts.push(rest.subarray(end + 2, end + 2 + size));
    at = next;
  }
}

export function bytesOf({ method, path, headers, body }: FuzzedRequest): Buffer {
  const length = body === null ? [] : [`content-length: ${body.length}`];
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: hub',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...length,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)]);
}
