/**
 * Promise: a peer that is slow on purpose, or silent, is disconnected within 20 seconds, and does not slow down others.
 *
 * Proof: crowds of every kind of slow peer (`sockets/slow-peer.ts`) beside normal posts.
 *
 * Short form: `bun run prove:slow-peers` (half a minute, since slow peers have 20 s). Long form:
 * `--peers 1000 --rounds 3`.
 */
import { join } from 'node:path';
import {
  connectedTo,
  createUser,
  HubServer,
  openFiles,
  PacedLoad,
  type Proof,
  problemOfError,
  proofOptions,
  quantile,
  runProof,
} from '@hub/testkit';
import { type SlowPeer, slowKinds, slowPeer } from './sockets/slow-peer.ts';

const { peers, rounds } = proofOptions({ peers: 168, rounds: 1 }, { peers: 15 });

const [PEERS_PER_KEY, RATE, TRAFFIC_KEYS] = [40, 60, 90];
const BIG_NOTES = 40;
const QUIET_MS = 5_000;
const CLOSED_MS = 20_000;
const LOOK_MS = 250;
/** The peers of a crowd connect within three seconds, or 9 ms apart. */
const [COMING_MS, COMING_MS_EACH] = [3_000, 9];
const MIB_AT_REST = 150;
/** Allows for part of an unread response, or part of a request body after a mebibyte of it has arrived. */
const MIB_PER_PEER = 0.4;
/** The permitted slowdown of posts while a crowd is connected, and how much of it may be noise. */
const [MAX_RATIO, CHANCE_MS] = [3, 50];

interface Setup {
  readonly server: HubServer;
  readonly hubId: string;
  /** A personal access token of a member. */
  readonly token: string;
  readonly keys: (count: number) => Promise<string[]>;
}

/** Waits for a slow body without end. */
const counterProof = {
  change: {
    file: 'apps/api/src/http/body-watch.ts',
    find: 'if (hasStalled || now - since > allowedMs) giveUp',
    replace: 'if (hasStalled && now - since > 10 * allowedMs) giveUp',
  },
  fails: 'slow peers are closed within',
};

await runProof({ limitSeconds: 90 + rounds * 40, counterProof }, async (proof) => {
  const server = await new HubServer(join(proof.folder, 'data')).start();
  await besideCrowds(proof, await setUp(server));
  proof.none('the log has no errors', server.errors);
  proof.check('the server finally exits with 0', (await server.stop()) === 0);
});

async function setUp(server: HubServer): Promise<Setup> {
  const { admin } = server;
  const [hubId = ''] = await admin.createHubs(1);
  const { token } = await createUser(server, { name: 'Ada', hubIds: [hubId] });
  const keys = async (count: number) => (await admin.issueKeys([hubId], count)).map(({ key }) => key);
  return { server, hubId, token, keys };
}

interface Crowd {
  /** For each peer, how long it was slow before the server closed its connection. */
  readonly closedMs: ReadonlyMap<SlowPeer, number>;
  readonly peakMiB: number;
}

/** Sends normal posts throughout, alternately with a crowd of slow peers and without one. */
async function besideCrowds(proof: Proof, setup: Setup): Promise<void> {
  const { server, token, hubId } = setup;
  // Notes for long lists and a long export.
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  for (let n = 0; n < BIG_NOTES; n += 1) {
    const body = JSON.stringify({ content: `${n} ${'é'.repeat(199_000)}` });
    const { status } = await fetch(`${server.url}/api/v1/hubs/${hubId}/notes`, { method: 'POST', headers, body });
    if (status !== 201) throw new Error(`A note returned ${status}`);
  }
  const filesBefore = openFiles(server.pid);
  const load = await PacedLoad.start({ port: server.port, keys: await setup.keys(TRAFFIC_KEYS), name: 'normal' });
  await load.begin(RATE);
  await Bun.sleep(1_000);
  const mibBefore = server.residentMiB;

  /** The latencies of posts: without slow peers, while they connect (and read their lists), and beside them. */
  const latencies = { alone: [] as number[], coming: [] as number[], beside: [] as number[] };
  const crowds: Crowd[] = [];
  for (let n = 0; n < rounds; n += 1) {
    latencies.alone.push(...(await load.during(() => Bun.sleep(QUIET_MS))));
    const gathered = Promise.withResolvers<() => Promise<Crowd>>();
    latencies.coming.push(...(await load.during(async () => gathered.resolve(await gatherCrowd(setup)))));
    const untilGone = await gathered.promise;
    latencies.beside.push(...(await load.during(async () => crowds.push(await untilGone()))));
  }
  latencies.alone.push(...(await load.during(() => Bun.sleep(QUIET_MS))));
  await load.stop();

  checkCrowds(proof, crowds);
  const most = Math.max(...crowds.map(({ peakMiB }) => peakMiB));
  const after = server.residentMiB;
  proof.report(
    `memory ${mibBefore.toFixed(0)} MiB before, at most ${most.toFixed(0)} beside them, ${after.toFixed(0)} after`,
  );
  const allowed = MIB_AT_REST + peers * MIB_PER_PEER;
  proof.check(`memory grows by less than ${allowed} MiB`, most < mibBefore + allowed);
  const files = openFiles(server.pid);
  proof.check('no connection is left open', files <= filesBefore + 5, `${filesBefore} files before, ${files} after`);

  const show = (values: number[]): string => [0.5, 0.99].map((share) => quantile(values, share).toFixed(1)).join(' / ');
  const [without, withThem] = [quantile(latencies.alone, 0.99), quantile(latencies.beside, 0.99)];
  const sent = load.acknowledged.length + load.unexpected.length;
  proof.report(
    `${sent} normal posts, p50 / p99 in ms: ${show(latencies.alone)} alone, ${show(latencies.coming)} while they come`,
  );
  proof.report(`${show(latencies.beside)} while they are there: ratio of p99 ${(withThem / without).toFixed(2)}`);
  proof.check('normal posts are not slower', withThem < MAX_RATIO * without + CHANCE_MS);
  proof.none('every normal post returns 201', load.unexpected);
}

/** Connects slow peers of all kinds. The returned function waits until all have been disconnected or should have been. */
async function gatherCrowd({ server, hubId, token, keys }: Setup): Promise<() => Promise<Crowd>> {
  const { port } = server;
  const own = await keys(Math.ceil(peers / PEERS_PER_KEY));
  const kinds = slowKinds();
  const closedMs = new Map<SlowPeer, number>();
  let peakMiB = 0;
  const look = (): boolean => {
    peakMiB = Math.max(peakMiB, server.residentMiB);
    const connected = connectedTo(port);
    const now = performance.now();
    for (const [peer, ms] of closedMs) {
      const isGone = ms === Number.POSITIVE_INFINITY && !connected.has(peer.port);
      if (isGone) closedMs.set(peer, now - peer.since);
    }
    return [...closedMs].some(([peer, ms]) => ms > now - peer.since && now - peer.since < CLOSED_MS + LOOK_MS);
  };
  const looking = setInterval(look, LOOK_MS);
  for (let index = 0; index < peers; index += 1) {
    const credentials = { key: own[index % own.length] ?? '', token, hubId };
    closedMs.set(await slowPeer(port, kinds[index % kinds.length] ?? '', credentials), Number.POSITIVE_INFINITY);
    await Bun.sleep(Math.max(COMING_MS / peers, COMING_MS_EACH));
  }
  return async () => {
    while (look()) await Bun.sleep(LOOK_MS);
    clearInterval(looking);
    for (const peer of closedMs.keys()) peer.hangUp();
    return { closedMs, peakMiB };
  };
}

function checkCrowds(proof: Proof, crowds: readonly Crowd[]): void {
  const slow = crowds.flatMap(({ closedMs }) => [...closedMs]);
  for (const [kind, each] of Map.groupBy(slow, ([peer]) => peer.kind)) {
    const [most, response] = [Math.max(...each.map(([, ms]) => ms)), each[0]?.[0].mustGet];
    proof.report(
      `${kind}: closed after ${(most / 1000).toFixed(1)} s at most${response ? `, with a ${response}` : ''}`,
    );
  }
  const left = slow.filter(([, ms]) => ms > CLOSED_MS).map(([{ kind }]) => kind);
  proof.none(`all of ${slow.length} slow peers are closed within ${CLOSED_MS / 1000} s`, left);
  const problems = slow.flatMap(([peer]) => {
    const problem = problemOfPeer(peer);
    return problem === null ? [] : [`${peer.kind} ${problem}`];
  });
  proof.none('they get the reason, in the four fields', problems);
}

/** Describes the problem with the last response to a slow peer; null if there is none. */
function problemOfPeer({ mustGet, received }: SlowPeer): string | null {
  const text = received();
  const start = text.lastIndexOf('HTTP/1.1 ');
  const status = start < 0 ? 0 : Number(text.slice(start + 9, start + 12));
  if (status !== mustGet) return `got ${status}, not ${mustGet}`;
  return status < 400 ? null : problemOfError(status, text.slice(text.indexOf('{', start)));
}
