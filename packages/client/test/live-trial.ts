import type { ClientFrame, ServerFrame } from '@hub/contract';
import { Recorder } from '@hub/testkit/concurrency';
import { RUNTIME_ENVIRONMENT } from '../src/live/environment.ts';
import {
  connectLive,
  type EventFrame,
  type FollowOptions,
  type LiveOptions,
  type LiveState,
} from '../src/live/index.ts';
import { ManualClock } from './timed-client.ts';

export const HUB = 'hub_1';
export const EPOCH = 'first';

/** Returns an event whose item is a message with its number as text. */
export function event(seq: number, hubId = HUB): EventFrame {
  const item = { kind: 'message', id: `msg_${seq}`, hubId, text: `Number ${seq}` };
  return { type: 'event', hubId, seq, event: 'message.created', data: item } as unknown as EventFrame;
}

export const events = (from: number, to: number): EventFrame[] =>
  Array.from({ length: to - from + 1 }, (_, index) => event(from + index));

export const subscribed = (seq: number, epoch = EPOCH, hubId = HUB) => ({ type: 'subscribed', hubId, seq, epoch });
export const reset = (seq: number, epoch = EPOCH, hubId = HUB) => ({ type: 'reset', hubId, seq, epoch });

/** Starts the library with a manual clock and a server that does only what the test says. */
export function startLiveTrial(options: LiveOptions = {}) {
  const server = startScriptedLiveServer();
  const clock = new ManualClock();
  const states = new Recorder<LiveState>();
  const problems = new Recorder<unknown>();
  let wake = () => {};
  let isListening = true;
  const environment = {
    clock,
    random: () => 0.5,
    onWake: (call: () => void) => {
      wake = call;
      return () => {
        isListening = false;
      };
    },
  };
  const live = connectLive({
    baseUrl: server.url,
    onState: states.add,
    onError: problems.add,
    ...options,
    [RUNTIME_ENVIRONMENT]: environment,
  } as LiveOptions);

  /** Follows a Hub and records all callbacks in order. */
  const follow = (given: Partial<FollowOptions> = {}, hubId = HUB) => {
    const seen = new Recorder<number | string>();
    const handle = live.follow(hubId, {
      onEvent: ({ seq }) => seen.add(seq),
      onReset: ({ seq, epoch }) => seen.add(`reset ${seq} ${epoch}`),
      onCaughtUp: ({ seq }) => seen.add(`caught up ${seq}`),
      onEnd: ({ code }) => seen.add(`end ${code}`),
      ...given,
    });
    return { handle, seen };
  };

  return {
    server,
    clock,
    states,
    problems,
    live,
    follow,
    wake: () => wake(),
    isListening: () => isListening,
    /** Returns the first connection, once it is open on both sides. */
    open: async (): Promise<LivePeer> => {
      await states.first(({ status }) => status === 'live');
      return server.peers.nth(1);
    },
    /** Waits until the library is disconnected, and lets it reconnect. */
    reconnect: async (): Promise<void> => {
      await states.first((state) => state === live.state && state.status === 'waiting');
      if (live.state.status === 'waiting') clock.advance(live.state.delayMs);
    },
    [Symbol.asyncDispose]: async () => {
      live.close();
      await server.stop();
    },
  };
}

/** Starts it, and follows a Hub over the first connection, by default from the first event. */
export async function followedTrial(given: Partial<FollowOptions> = { after: 0 }) {
  const trial = startLiveTrial();
  const followed = trial.follow(given);
  return { ...trial, ...followed, peer: await trial.open() };
}

/** A client connection, as seen by the test server. */
interface LivePeer {
  headers: Headers;
  /** The frames that it has sent. */
  frames: Recorder<ClientFrame | { type: string; hubId?: string }>;
  closed: Recorder<number>;
  send: (...frames: (ServerFrame | object)[]) => void;
  close: (code: number, reason: string) => void;
  /** Ends the connection without a close frame, like an unplugged cable. */
  cut: () => void;
}

/** Starts a real WebSocket server that does only what the test says. */
function startScriptedLiveServer() {
  const peers = new Recorder<LivePeer>();
  const requests: { url: string; headers: Headers }[] = [];
  let errorResponse: (() => Response) | undefined;
  const server = Bun.serve<{ peer?: LivePeer; headers: Headers }>({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request, self) {
      requests.push({ url: request.url, headers: request.headers });
      if (errorResponse) return errorResponse();
      const { headers } = request;
      return self.upgrade(request, { data: { headers } }) ? undefined : new Response('', { status: 426 });
    },
    websocket: {
      open(wire) {
        const peer: LivePeer = {
          headers: wire.data.headers,
          frames: new Recorder(),
          closed: new Recorder(),
          send: (...frames) => {
            for (const frame of frames) wire.send(JSON.stringify(frame));
          },
          close: (code, reason) => wire.close(code, reason),
          cut: () => wire.terminate(),
        };
        wire.data.peer = peer;
        peers.add(peer);
      },
      message: (wire, text) => wire.data.peer?.frames.add(JSON.parse(String(text))),
      close: (wire, code) => wire.data.peer?.closed.add(code),
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    peers,
    /** All requests, including rejected ones. */
    requests,
    /** Sets the response to all handshakes and plain requests. With `undefined`, they succeed again. */
    rejectWith: (response: (() => Response) | undefined) => {
      errorResponse = response;
    },
    stop: () => server.stop(true),
  };
}
