import { connect } from 'node:net';
import type { ClientFrame, EventFrame, ServerFrame } from '@hub/contract';
import { firstFrame } from '../web-socket.ts';
import type { TestHub } from './test-hub.ts';

type Subscribed = Extract<ServerFrame, { type: 'subscribed' }>;

/** Opens a live connection and records all frames, so that tests can wait for frames instead of a fixed time. */
export async function liveClient(hub: Pick<TestHub, 'url' | 'socketPath'>, headers?: Record<string, string>) {
  const url = headers ? `${hub.url.replace('http', 'ws')}/api/v1/live` : `ws+unix://${hub.socketPath}:/api/v1/live`;
  // Bun's client accepts headers, which the standard types do not include.
  const socket = new WebSocket(url, { headers: headers ?? {} } as unknown as string[]);
  const frames: ServerFrame[] = [];
  const closed = Promise.withResolvers<{ code: number; reason: string }>();
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const resolve of woken) resolve();
  };
  socket.onmessage = ({ data }) => {
    frames.push(JSON.parse(String(data)) as ServerFrame);
    wake();
  };
  socket.onclose = ({ code, reason }) => {
    closed.resolve({ code, reason });
    wake();
  };
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve();
    socket.onerror = () => reject(new Error('The live connection was refused'));
  });

  /** Resolves with the first matching frame, past or future. */
  const until = async <T extends ServerFrame>(fits: (frame: ServerFrame) => frame is T): Promise<T> => {
    for (;;) {
      const frame = frames.find(fits);
      if (frame) return frame;
      if (socket.readyState === WebSocket.CLOSED)
        throw new Error(`Closed before the frame arrived: ${JSON.stringify(frames)}`);
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  const send = (frame: ClientFrame | string | Uint8Array): void => {
    socket.send(typeof frame === 'string' || frame instanceof Uint8Array ? frame : JSON.stringify(frame));
  };
  const events = (hubId?: string): EventFrame[] =>
    frames.filter((frame) => frame.type === 'event').filter((event) => hubId === undefined || event.hubId === hubId);

  return {
    socket,
    frames,
    send,
    events,
    closed: closed.promise,
    until,
    /** Resolves with all events of the Hub up to this number. */
    upTo: async (hubId: string, seq: number): Promise<EventFrame[]> => {
      await until((frame): frame is EventFrame => frame.type === 'event' && frame.hubId === hubId && frame.seq >= seq);
      return events(hubId);
    },
    subscribe: async (hubId: string, options: { after?: number; epoch?: string } = {}): Promise<Subscribed> => {
      const earlier = new Set(frames);
      send({ type: 'subscribe', hubId, ...options });
      return until(
        (frame): frame is Subscribed => !earlier.has(frame) && frame.type === 'subscribed' && frame.hubId === hubId,
      );
    },
    /** Resolves when the server has handled everything sent before. */
    settled: async (): Promise<void> => {
      const mark = `hub_${String(frames.length).padStart(26, '0')}`;
      send({ type: 'subscribe', hubId: mark });
      await until((frame): frame is ServerFrame => frame.type === 'error' && frame.hubId === mark);
    },
    [Symbol.dispose]: () => socket.close(),
  };
}

export type LiveClient = Awaited<ReturnType<typeof liveClient>>;

/** The example of RFC 6455, section 1.3. */
export const HANDSHAKE_KEY = 'dGhlIHNhbXBsZSBub25jZQ==';

const TEXT = 0x81;

/**
 * Opens a live connection as the local admin over a plain socket, which can stop reading. The WebSocket of the runtime
 * cannot.
 */
export async function rawLiveClient({ socketPath }: Pick<TestHub, 'socketPath'>) {
  const socket = connect(socketPath);
  socket.write(
    'GET /api/v1/live HTTP/1.1\r\nHost: hub\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      `Sec-WebSocket-Key: ${HANDSHAKE_KEY}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  );
  const head = String(await new Promise<Buffer>((resolve) => socket.once('data', resolve)));

  const frames: ServerFrame[] = [];
  let rest = Buffer.alloc(0);
  let waiting: (() => void)[] = [];
  socket.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data]);
    for (let next = firstFrame(rest); next; next = firstFrame(rest)) {
      if (next.first === TEXT) frames.push(JSON.parse(next.payload.toString()));
      rest = rest.subarray(next.end);
    }
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  });
  const frame = async (fits: (frame: ServerFrame) => boolean): Promise<ServerFrame> => {
    for (;;) {
      const match = frames.find(fits);
      if (match) return match;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };

  return {
    socket,
    /** The response to the handshake. */
    head,
    /** Sends a short text frame, masked with zeros (RFC 6455, section 5.2). */
    send: (sent: ClientFrame): void => {
      const text = Buffer.from(JSON.stringify(sent));
      socket.write(Buffer.concat([Buffer.from([TEXT, 0x80 | text.length, 0, 0, 0, 0]), text]));
    },
    pause: () => socket.pause(),
    read: () => socket.resume(),
    /** Resolves with the first matching frame, past or future. */
    frame,
    upTo: (hubId: string, seq: number) =>
      frame((each) => each.type === 'event' && each.hubId === hubId && each.seq === seq),
    /** Returns the numbers of all events of the Hub, in the order in which they arrived. */
    seqs: (hubId: string): number[] =>
      frames.flatMap((each) => (each.type === 'event' && each.hubId === hubId ? [each.seq] : [])),
  };
}
