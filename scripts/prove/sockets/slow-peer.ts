import { connect, type Socket } from 'node:net';
import { LIMITS } from '@hub/contract';
import { rawHead } from '@hub/testkit';

const DROP_MS = 1_000;
const POST = '/api/public/v1/messages';

export interface SlowPeer {
  readonly kind: string;
  /** The expected status; 0 if none is expected. */
  readonly mustGet: number;
  readonly port: number;
  /** The time at which the peer became slow. */
  readonly since: number;
  /** Everything received, unless the peer does not read. */
  received(): string;
  hangUp(): void;
}

interface Credentials {
  readonly key: string;
  readonly token: string;
  readonly hubId: string;
}

interface Behaviour {
  /** Written immediately. */
  readonly first: string;
  /** Written after the first response. */
  readonly second?: string;
  /** Written afterwards, repeatedly. */
  readonly drops?: string;
  /** The expected status; 0 if there is none, or if it is not read. */
  readonly responded: number;
  readonly isReading: boolean;
}

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

/** All kinds of slow peers. */
function behaviours({ key, token, hubId }: Credentials): Record<string, Behaviour> {
  const post = (length: string, credential = key, path = POST): string =>
    rawHead(
      `POST ${path} HTTP/1.1`,
      'Host: hub',
      `Authorization: Bearer ${credential}`,
      'Content-Type: application/json',
      length,
    );
  const get = (path: string): string => rawHead(`GET ${path} HTTP/1.1`, 'Host: hub', `Authorization: Bearer ${token}`);
  const halfHead = `GET / HTTP/1.1\r\nHost: hub\r\nX: `;
  const write = `/api/v1/hubs/${hubId}/messages`;
  return {
    'sends nothing': { first: '', responded: 0, isReading: true },
    'sends its head in drops': { first: halfHead, drops: 'x', responded: 0, isReading: true },
    'sends its second head in drops': {
      first: get('/healthz'),
      second: halfHead,
      drops: 'x',
      responded: 200,
      isReading: true,
    },
    'sends its body in drops': { first: post('Content-Length: 1000'), drops: 'x', responded: 408, isReading: true },
    'sends a large body in drops': {
      first: post('Content-Length: 1000000'),
      drops: 'x',
      responded: 408,
      isReading: true,
    },
    'sends chunks in drops': {
      first: post('Transfer-Encoding: chunked'),
      drops: chunk('x'),
      responded: 408,
      isReading: true,
    },
    'sends a body of nobody in drops': {
      first: post('Content-Length: 1000', 'none'),
      drops: 'x',
      responded: 401,
      isReading: true,
    },
    'sends a body of another type in drops': {
      first: post('Content-Type: text/plain\r\nTransfer-Encoding: chunked'),
      drops: chunk('x'),
      responded: 408,
      isReading: true,
    },
    'sends a body that is too large, and goes on in drops': {
      first: post('Transfer-Encoding: chunked') + chunk('x'.repeat(LIMITS.bodyBytes + 1)),
      drops: chunk('x'),
      responded: 413,
      isReading: true,
    },
    'sends nearly all of a sign-in, then nothing': {
      first:
        post(`Content-Length: ${LIMITS.openBodyBytes}`, 'none', '/api/v1/session') +
        ' '.repeat(LIMITS.openBodyBytes - 1),
      responded: 408,
      isReading: true,
    },
    'sends a body to the workspace in drops': {
      first: post('Content-Length: 1000', token, write),
      drops: 'x',
      responded: 408,
      isReading: true,
    },
    'reads no list': { first: get(`/api/v1/hubs/${hubId}/notes?limit=100`), responded: 0, isReading: false },
    'reads no stream': { first: get('/api/v1/stream?limit=100'), responded: 0, isReading: false },
    'reads no export': { first: get(`/api/v1/hubs/${hubId}/export`), responded: 0, isReading: false },
    'reads no page': { first: get('/api/docs'), responded: 0, isReading: false },
  };
}

export function slowKinds(): string[] {
  return Object.keys(behaviours({ key: '', token: '', hubId: '' }));
}

/** Resolves once the peer is connected and slow. */
export function slowPeer(port: number, kind: string, credentials: Credentials): Promise<SlowPeer> {
  const behaviour = behaviours(credentials)[kind];
  if (!behaviour) throw new Error(`Nobody is slow in this way: ${kind}`);
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  // A reset also ends the connection.
  socket.on('error', () => {});
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('connect', () => {
      if (!behaviour.isReading) socket.pause();
      if (behaviour.first !== '') socket.write(behaviour.first);
      const { second } = behaviour;
      if (second !== undefined) socket.once('data', () => socket.write(second));
      const dropping = behaviour.drops === undefined ? undefined : drop(socket, behaviour.drops);
      resolve({
        kind,
        mustGet: behaviour.responded,
        port: socket.localPort ?? 0,
        since: performance.now(),
        received: () => received,
        hangUp: () => {
          clearInterval(dropping);
          socket.destroy();
        },
      });
    });
  });
}

function drop(socket: Socket, text: string): Timer {
  return setInterval(() => {
    if (socket.writable) socket.write(text);
  }, DROP_MS);
}
