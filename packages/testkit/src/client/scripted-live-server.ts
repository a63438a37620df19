import type { ClientFrame, ServerFrame } from '@hub/contract';
import { Recorder } from './recorder.ts';

/** A client connection, as seen by the test server. */
export interface LivePeer {
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
export function startScriptedLiveServer() {
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
