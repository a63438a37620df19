import { connect, type Socket } from 'node:net';
import type { ErrorBody } from '@hub/contract';
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

/** Describes the problem with a response to any request; null if there is none. */
export function responseProblem(request: FuzzedRequest, { status, headers, body }: WireResponse): string | null {
  if (status === 0) return 'no response';
  if (status >= 500) return `${status} ${body.toString('utf8', 0, 300)}`;
  // Bun itself rejects invalid HTTP and heads that are too long, before the server sees a request.
  if (body.length === 0 && !headers.has('x-request-id') && (status === 400 || status === 431)) {
    return isOddHttp(request) ? null : `a bare ${status}`;
  }
  if (!/^req_[0-9A-Z]{26}$/.test(headers.get('x-request-id') ?? '')) return `${status} without X-Request-Id`;
  if (status < 400 || request.method === 'HEAD') return null;
  if (headers.get('content-type')?.startsWith('text/html'))
    return request.path.startsWith('/api/') ? `${status} as HTML` : null;
  return errorProblem(request, status, body);
}

function errorProblem({ path }: FuzzedRequest, status: number, body: Buffer): string | null {
  let error: Partial<ErrorBody>;
  try {
    error = JSON.parse(body.toString()) as Partial<ErrorBody>;
  } catch {
    return `${status} with ${body.toString('utf8', 0, 200)}`;
  }
  if (Object.keys(error).sort().join() !== 'message,path,statusCode,timestamp')
    return `${status} with the fields ${Object.keys(error)}`;
  if (error.statusCode !== status) return `${status} says ${error.statusCode}`;
  if (typeof error.message !== 'string' || error.message.length < 10 || error.message.length > 1_000)
    return `${status} says "${error.message}"`;
  if (Number.isNaN(Date.parse(String(error.timestamp)))) return `${status} at ${error.timestamp}`;
  const sent = pathOf(path);
  return error.path === sent ? null : `${status} says the path ${error.path}, not ${sent}`;
}

/** Normalizes a path as the URL standard does: removes the query and dot segments. */
function pathOf(target: string): string {
  return new URL(`http://hub${Buffer.from(target, 'latin1').toString('utf8')}`).pathname;
}

function isOddHttp({ path, headers }: FuzzedRequest): boolean {
  const size = path.length + headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return size > 10_000 || /[^\x21-\x7e]/.test(path) || headers.some(([, value]) => /[^\x20-\x7e\t]/.test(value));
}

const MAX_SHOWN = 8;

/** The combined results of all mutations. */
export class Outcomes {
  readonly byStatus = new Map<number, number>();
  readonly problems: string[] = [];
  #problemCount = 0;

  count(status: number): void {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
  }

  problem(index: number, what: string, sent: FuzzedRequest | string): void {
    this.#problemCount += 1;
    if (this.problems.length >= MAX_SHOWN) return;
    const shown = typeof sent === 'string' ? sent : JSON.stringify(bytesOf(sent).toString('latin1').slice(0, 700));
    this.problems.push(`#${index}: ${what}\n       ${shown}`);
  }

  get problemCount(): number {
    return this.#problemCount;
  }

  get summary(): string {
    return [...this.byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ');
  }
}
