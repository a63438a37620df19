/**
 * One user who takes what they can get, in a process of its own: it gets a plan as a message, and goes on until it is
 * killed. It reports how often it got each status.
 */
import { connect } from 'node:net';
import { rawRequest, WebSocketByHand } from '@hub/testkit';

export interface AttackPlan {
  readonly kind: keyof typeof ATTACKS;
  readonly port: number;
  readonly hubId: string;
  readonly token: string;
  /** A key for the same Hub. */
  readonly key: string;
  readonly cookie: string;
  readonly email: string;
  readonly password: string;
}

const REPORT_MS = 200;
const statuses: Record<string, number> = {};

function count(status: number | string): void {
  statuses[status] = (statuses[status] ?? 0) + 1;
}

/** Sends the same request over many connections, each again as soon as it has its response. */
async function flood({ port }: AttackPlan, connections: number, path: string, init: RequestInit): Promise<void> {
  const one = async (): Promise<void> => {
    for (;;) {
      try {
        const response = await fetch(`http://127.0.0.1:${port}/api${path}`, init);
        await response.bytes();
        count(response.status);
        // As fast as the server lets a program be that waits a little when a response asks for it.
        if (!response.ok) await Bun.sleep(1_000);
      } catch {
        count('cut');
        await Bun.sleep(1_000);
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
}

const bearer = ({ token }: AttackPlan): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });

const ATTACKS = {
  /** The longest phrase that is accepted, of a word that is in every long note thousands of times. */
  search: (plan: AttackPlan) => {
    const q = encodeURIComponent(`"${'ab '.repeat(16).trim()}" qx`);
    return flood(plan, 300, `/v1/search?q=${q}`, bearer(plan));
  },
  /** With a token and a session, since their requests are counted separately. */
  lists: async (plan: AttackPlan) => {
    const init = [bearer(plan), { headers: { cookie: plan.cookie } }];
    await Promise.all(init.map((each) => flood(plan, 600, `/v1/hubs/${plan.hubId}/notes?limit=100`, each)));
  },
  /** Reads the head of each response, and no more. */
  exports: async ({ port, hubId, token }: AttackPlan) => {
    const request = rawRequest({ method: 'GET', path: `/api/v1/hubs/${hubId}/export`, bearer: token });
    for (let n = 0; n < 1_000; n += 1) {
      const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(request));
      socket.once('data', (chunk) => {
        socket.pause();
        count(chunk.toString('latin1', 9, 12));
      });
      socket.on('error', () => {});
      if (n % 50 === 0) await Bun.sleep(20);
    }
  },
  /** Subscribes to the same Hub again and again, on as many connections as a user can have. */
  frames: async ({ port, hubId, token }: AttackPlan) => {
    const text = JSON.stringify({ type: 'subscribe', hubId });
    const open = (): void => {
      let timer: Timer | undefined;
      const socket = new WebSocketByHand(
        { port, token },
        {
          onOpen: () => {
            timer = setInterval(() => {
              for (let n = 0; n < 50; n += 1) socket.send(text);
              statuses.sent = (statuses.sent ?? 0) + 50;
            }, 75);
          },
          onText: () => {},
          onClose: (code) => {
            clearInterval(timer);
            count(code);
            setTimeout(open, 100);
          },
        },
      );
    };
    for (let n = 0; n < 20; n += 1) open();
  },
  /** Follows a Hub on as many connections as a user can have, without reading, and posts long notes to it. */
  stalled: async (plan: AttackPlan) => {
    const { port, hubId, token, key } = plan;
    const open = (): void => {
      const socket = new WebSocketByHand(
        { port, token },
        {
          onOpen: () => {
            socket.send(JSON.stringify({ type: 'subscribe', hubId }));
            setTimeout(() => socket.pause(), 100);
          },
          onText: () => {},
          onClose: (code) => {
            count(code);
            setTimeout(open, 100);
          },
        },
      );
    };
    for (let n = 0; n < 20; n += 1) open();
    await Bun.sleep(200);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ content: 'x'.repeat(200_000) });
    await flood(plan, 2, '/public/v1/notes', { method: 'POST', headers, body });
  },
  /** Control frames of six bytes, as many as fit through the connections. */
  pings: async ({ port, token }: AttackPlan) => {
    const pings = Buffer.concat(Array(500_000).fill(Buffer.from([0x89, 0x80, 0, 0, 0, 0])));
    const head = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ];
    const open = (): void => {
      const request = rawRequest({ method: 'GET', path: '/api/v1/live', bearer: token, headers: head });
      const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(request));
      socket.once('data', (chunk) => {
        count(chunk.toString('latin1', 9, 12));
        socket.resume().write(pings);
      });
      socket.on('error', () => {});
      socket.on('close', () => setTimeout(open, 100));
    };
    for (let n = 0; n < 20; n += 1) open();
  },
  /** A payload of 1 MB for the relay, each part of which needs a conversion. */
  relay: (plan: AttackPlan) => {
    const body = JSON.stringify({ text: ' *a* '.repeat(100_000), attachments: Array(100_000).fill({}) });
    const headers = { authorization: `Bearer ${plan.key}`, 'content-type': 'application/json' };
    return flood(plan, 8, '/public/v1/relay/slack', { method: 'POST', headers, body });
  },
  signIns: (plan: AttackPlan) => {
    const body = JSON.stringify({ email: plan.email, password: plan.password });
    return flood(plan, 96, '/v1/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  },
} as const satisfies Record<string, (plan: AttackPlan) => Promise<void>>;

process.on('message', (plan: AttackPlan) => void ATTACKS[plan.kind](plan));
setInterval(() => process.send?.(statuses), REPORT_MS);
