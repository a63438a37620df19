import type { ErrorBody } from '@hub/contract';
import { connectedTo, residentMiB } from '@hub/testkit';
import { issueKeys, type Setup } from './setup.ts';
import { type SlowPeer, slowKinds, slowPeer } from './slow-peers.ts';

export const CLOSED_MS = 20_000;
const LOOK_MS = 250;
const COMING_MS = 3_000;
/** The minimum pause between connecting two peers. */
const COMING_MS_EACH = 9;
const PEERS_PER_KEY = 40;

export interface Crowd {
  /** For each peer, how long it was slow before the server closed its connection. */
  readonly closedMs: ReadonlyMap<SlowPeer, number>;
  readonly peakMiB: number;
}

/**
 * Connects slow peers of all kinds, and waits until all have been disconnected or should have been. Calls `onGathered`
 * when all are connected.
 */
export async function gatherCrowd(setup: Setup, size: number, onGathered: () => Promise<void>): Promise<Crowd> {
  const { port, hub, token, server } = setup;
  const keys = (await issueKeys(setup, Math.ceil(size / PEERS_PER_KEY))).map(({ key }) => key);
  const kinds = slowKinds();
  const closedMs = new Map<SlowPeer, number>();
  let peakMiB = 0;
  const look = (): boolean => {
    peakMiB = Math.max(peakMiB, residentMiB(server.pid));
    const connected = connectedTo(port);
    const now = performance.now();
    for (const [peer, ms] of closedMs) {
      const isGone = ms === Number.POSITIVE_INFINITY && !connected.has(peer.port);
      if (isGone) closedMs.set(peer, now - peer.since);
    }
    return [...closedMs].some(([peer, ms]) => ms > now - peer.since && now - peer.since < CLOSED_MS + LOOK_MS);
  };
  const looking = setInterval(look, LOOK_MS);
  for (let index = 0; index < size; index += 1) {
    const credentials = { key: keys[index % keys.length] ?? '', token, hubId: hub.id };
    const peer = await slowPeer(port, kinds[index % kinds.length] ?? '', credentials);
    closedMs.set(peer, Number.POSITIVE_INFINITY);
    await Bun.sleep(Math.max(COMING_MS / size, COMING_MS_EACH));
  }
  await onGathered();
  while (look()) await Bun.sleep(LOOK_MS);
  clearInterval(looking);
  for (const peer of closedMs.keys()) peer.hangUp();
  return { closedMs, peakMiB };
}

/** Describes the problem with a response, or null. */
export function responseProblem({ mustGet, received }: SlowPeer): string | null {
  const text = received();
  const start = text.lastIndexOf('HTTP/1.1 ');
  const status = start < 0 ? 0 : Number(text.slice(start + 9, start + 12));
  if (status !== mustGet) return `got ${status}, not ${mustGet}`;
  if (status < 400) return null;
  const body = JSON.parse(text.slice(text.indexOf('{', start)) || '{}') as Partial<ErrorBody>;
  const isWhole = Object.keys(body).sort().join() === 'message,path,statusCode,timestamp' && body.statusCode === status;
  return isWhole ? null : `got ${status} with ${JSON.stringify(body)}`;
}
