import { createHash } from 'node:crypto';
import type { Socket } from 'bun';

/** From RFC 6455, section 1.3. */
const HANDSHAKE_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const [TEXT, CLOSE, PING, PONG] = [1, 8, 9, 10] as const;
const ABNORMAL = 1006;
/**
 * If a thousand clients connect at the same time, the kernel may lose a connection before the server accepts it, and
 * not report the loss for minutes.
 */
const OPEN_MS = 5_000;

interface WireEvents {
  onOpen: () => void;
  onText: (text: string) => void;
  /**
   * Called once, even if the connection could not be opened, with a close code (RFC 6455, section 7.4) and the problem,
   * if any.
   */
  onClose: (code: number, problem?: string) => void;
}

/**
 * A handwritten WebSocket client (RFC 6455) with the features that docs/live.md requires. Unlike the runtime's own
 * client, it can stop reading, and its connection can be cut at any byte.
 */
export class WebSocketByHand {
  readonly #events: WireEvents;
  readonly #nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64');
  #socket: Socket | undefined;
  #rest: Buffer = Buffer.alloc(0);
  readonly #opening: Timer;
  #isOpen = false;
  #isOver = false;
  /** The number of bytes to read before the connection is cut. */
  #bytesLeft = Number.POSITIVE_INFINITY;

  /** `token` is for a port, `unix` the path of an admin socket. */
  constructor(server: { port: number; token: string } | { unix: string }, events: WireEvents) {
    this.#events = events;
    const request = [
      'GET /api/v1/live HTTP/1.1',
      `Host: ${'port' in server ? `127.0.0.1:${server.port}` : 'hub'}`,
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Key: ${this.#nonce}`,
      'Sec-WebSocket-Version: 13',
      ...('port' in server ? [`Authorization: Bearer ${server.token}`] : []),
    ];
    const socket: Bun.SocketHandler<undefined> = {
      open: (socket) => {
        this.#socket = socket;
        socket.setNoDelay(true);
        if (this.#isOver) socket.terminate();
        else socket.write(`${request.join('\r\n')}\r\n\r\n`);
      },
      data: (_, chunk) => this.#take(chunk),
      close: () => this.#end(ABNORMAL),
      error: () => this.#end(ABNORMAL),
    };
    const connecting =
      'port' in server
        ? Bun.connect({ hostname: '127.0.0.1', port: server.port, socket })
        : Bun.connect({ ...server, socket });
    connecting.catch(() => this.#end(ABNORMAL));
    this.#opening = setTimeout(() => this.#end(ABNORMAL), OPEN_MS);
  }

  send(text: string): void {
    if (this.#isOpen && !this.#isOver) this.#write(TEXT, Buffer.from(text));
  }

  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    this.#socket?.resume();
  }

  /** Cuts the connection after this many more bytes. */
  cutAfter(bytes: number): void {
    this.#bytesLeft = Math.max(1, bytes);
  }

  /** Whether this client cut the connection. */
  get isCut(): boolean {
    return this.#bytesLeft === 0;
  }

  /** Closes the connection without a close frame, as when a program exits. */
  cut(): void {
    this.#end(ABNORMAL);
  }

  /** Whether only a part of the next frame has arrived. */
  get isInFrame(): boolean {
    return this.#rest.length > 0;
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return;
    const read = chunk.subarray(0, this.#bytesLeft);
    this.#bytesLeft -= read.length;
    this.#rest = this.#rest.length === 0 ? read : Buffer.concat([this.#rest, read]);
    if (!this.#isOpen) this.#readHandshake();
    while (this.#isOpen && !this.#isOver && this.#readFrame());
    // The runtime reuses the memory of a chunk, so data to keep is copied.
    if (this.#rest.length > 0 && this.#rest.buffer === chunk.buffer) this.#rest = Buffer.from(this.#rest);
    if (this.#bytesLeft === 0) this.#end(ABNORMAL);
  }

  #readHandshake(): void {
    const end = this.#rest.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#rest.toString('latin1', 0, end);
    this.#rest = this.#rest.subarray(end + 4);
    const status = Number(head.split(' ')[1]);
    const accepted = createHash('sha1').update(`${this.#nonce}${HANDSHAKE_GUID}`).digest('base64');
    if (status === 101 && head.includes(accepted) && !/\r\nsec-websocket-extensions:/i.test(head)) {
      this.#isOpen = true;
      clearTimeout(this.#opening);
      this.#events.onOpen();
    } else {
      this.#end(ABNORMAL, status === 503 ? undefined : `the response to the handshake was ${head.slice(0, 200)}`);
    }
  }

  /** Returns false if the next frame is incomplete. */
  #readFrame(): boolean {
    const frame = firstFrame(this.#rest);
    if (!frame) return false;
    const { first, isMasked, payload, end } = frame;
    this.#rest = this.#rest.subarray(end);
    const opcode = first & 0x0f;
    // FIN is set, no extension is used, and frames from a server are not masked.
    if ((first & 0xf0) !== 0x80 || isMasked) this.#end(ABNORMAL, `a frame begins with ${first}`);
    else if (opcode === TEXT) this.#events.onText(payload.toString());
    else if (opcode === PING) this.#write(PONG, payload);
    else if (opcode === CLOSE) this.#end(payload.length < 2 ? 1005 : payload.readUInt16BE(0));
    else if (opcode !== PONG) this.#end(ABNORMAL, `a frame has the opcode ${opcode}`);
    return true;
  }

  /** Masks a frame, as section 5.3 requires; over loopback, any mask will do. */
  #write(opcode: number, payload: Uint8Array): void {
    const mask = crypto.getRandomValues(new Uint8Array(4));
    const length = payload.length < 126 ? [payload.length] : [126, payload.length >> 8, payload.length & 0xff];
    const frame = new Uint8Array(1 + length.length + 4 + payload.length);
    frame.set([0x80 | opcode, (length[0] ?? 0) | 0x80, ...length.slice(1), ...mask]);
    const start = frame.length - payload.length;
    payload.forEach((byte, index) => {
      frame[start + index] = byte ^ (mask[index % 4] ?? 0);
    });
    if (this.#socket?.write(frame) !== frame.length) this.#end(ABNORMAL);
  }

  #end(code: number, problem?: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#opening);
    this.#socket?.terminate();
    this.#events.onClose(code, problem);
  }
}

interface Frame {
  /** FIN, the reserved bits and the opcode. */
  readonly first: number;
  readonly isMasked: boolean;
  readonly payload: Buffer;
  /** The index after the frame. */
  readonly end: number;
}

/** Returns the first frame once it is complete (RFC 6455, section 5.2). */
function firstFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  const short = second & 0x7f;
  const start = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (bytes.length < start) return undefined;
  const length = short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short;
  const end = start + length;
  return bytes.length < end ? undefined : { first, isMasked: second > 127, payload: bytes.subarray(start, end), end };
}
