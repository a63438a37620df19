import type { ClientFrame, EventFrame, ServerFrame } from '@hub/contract';
import { Changes } from '../concurrency.ts';
import type { TestHub } from './test-hub.ts';

type FrameOf<T> = Extract<ServerFrame, { type: T }>;

/** Opens a live connection and records all frames, so that tests can wait for frames instead of a fixed time. */
export async function liveClient(hub: Pick<TestHub, 'url' | 'socketPath'>, headers?: Record<string, string>) {
  const url = headers ? `${hub.url.replace('http', 'ws')}/api/v1/live` : `ws+unix://${hub.socketPath}:/api/v1/live`;
  // Bun's client accepts headers, which the standard types do not include.
  const socket = new WebSocket(url, { headers: headers ?? {} } as unknown as string[]);
  const frames: ServerFrame[] = [];
  const closed = Promise.withResolvers<{ code: number; reason: string }>();
  const changes = new Changes();
  socket.onmessage = ({ data }) => {
    frames.push(JSON.parse(String(data)) as ServerFrame);
    changes.happened();
  };
  socket.onclose = ({ code, reason }) => {
    closed.resolve({ code, reason });
    changes.happened();
  };
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve();
    socket.onerror = () => reject(new Error('The live connection was refused'));
  });

  /** Resolves with the first frame of this type that fits, past or future. */
  const until = async <T extends ServerFrame['type']>(type: T, fits = (_frame: FrameOf<T>): boolean => true) => {
    const find = () => frames.find((each): each is FrameOf<T> => each.type === type && fits(each as FrameOf<T>));
    await changes.until(() => find() !== undefined || socket.readyState === WebSocket.CLOSED);
    const frame = find();
    if (!frame) throw new Error(`Closed before the frame arrived: ${JSON.stringify(frames)}`);
    return frame;
  };
  const send = (frame: ClientFrame | string | Uint8Array<ArrayBuffer>): void => {
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
      await until('event', (frame) => frame.hubId === hubId && frame.seq >= seq);
      return events(hubId);
    },
    subscribe: async (hubId: string, options: { after?: number; epoch?: string } = {}) => {
      const earlier = new Set(frames);
      send({ type: 'subscribe', hubId, ...options });
      return until('subscribed', (frame) => !earlier.has(frame) && frame.hubId === hubId);
    },
    /** Resolves when the server has handled everything sent before. */
    settled: async (): Promise<void> => {
      const mark = `hub_${String(frames.length).padStart(26, '0')}`;
      send({ type: 'subscribe', hubId: mark });
      await until('error', (frame) => frame.hubId === mark);
    },
    [Symbol.dispose]: () => socket.close(),
  };
}

export type LiveClient = Awaited<ReturnType<typeof liveClient>>;
