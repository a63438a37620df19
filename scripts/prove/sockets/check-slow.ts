import type { Proof } from '@hub/testkit';
import { openFiles, residentMiB } from '@hub/testkit';
import { CLOSED_MS, type Crowd, gatherCrowd, responseProblem } from './crowd.ts';
import { issueKeys, type Setup } from './setup.ts';
import { percentile, Traffic } from './traffic.ts';

const RATE = 60;
/** Enough keys that each is used less than 60 times per minute. */
const KEYS = 90;
const QUIET_MS = 5_000;
const MIB_AT_REST = 150;
/** Allows for part of an unread response, or part of a request body after a mebibyte of it has arrived. */
const MIB_PER_PEER = 0.4;
const BIG_NOTES = 40;
/** The permitted slowdown of posts while a crowd is connected, and how much of it may be noise. */
const [MAX_RATIO, CHANCE_MS] = [3, 50];

/**
 * The latencies of posts: without slow peers, while slow peers connect (and their lists are created), and while they
 * are connected.
 */
interface Latencies {
  readonly alone: number[];
  readonly coming: number[];
  readonly beside: number[];
}

/** Sends normal posts throughout, alternately with a crowd of slow peers and without one. */
export async function checkSlow(proof: Proof, setup: Setup, { peers, rounds }: { peers: number; rounds: number }) {
  const { server, port } = setup;
  await fill(setup);
  const keys = (await issueKeys(setup, KEYS)).map(({ key }) => key);
  const traffic = new Traffic({ port, keys, rate: RATE });
  await Bun.sleep(1_000);
  await traffic.takeWindow();
  const [mibBefore, filesBefore] = [residentMiB(server.pid), openFiles(server.pid)];

  const latencies: Latencies = { alone: [], coming: [], beside: [] };
  const crowds: Crowd[] = [];
  for (let n = 0; n < rounds; n += 1) {
    await Bun.sleep(QUIET_MS);
    latencies.alone.push(...(await traffic.takeWindow()));
    crowds.push(
      await gatherCrowd(setup, peers, async () => {
        latencies.coming.push(...(await traffic.takeWindow()));
      }),
    );
    latencies.beside.push(...(await traffic.takeWindow()));
  }
  await Bun.sleep(QUIET_MS);
  latencies.alone.push(...(await traffic.stop()));

  checkCrowds(proof, crowds);
  checkRoom(proof, setup, { crowds, peers, mibBefore, filesBefore });
  checkTraffic(proof, traffic, latencies);
}

function checkCrowds(proof: Proof, crowds: readonly Crowd[]): void {
  const slow = crowds.flatMap(({ closedMs }) => [...closedMs]);
  const kinds = Map.groupBy(slow, ([{ kind }]) => kind);
  for (const [kind, each] of kinds) {
    const [most, response] = [Math.max(...each.map(([, ms]) => ms)), each[0]?.[0].mustGet];
    proof.report(
      `${kind}: closed after ${(most / 1000).toFixed(1)} s at most${response ? `, with a ${response}` : ''}`,
    );
  }
  const left = slow.filter(([, ms]) => ms > CLOSED_MS).map(([{ kind }]) => kind);
  proof.check(
    `all of ${slow.length} slow peers are closed within ${CLOSED_MS / 1000} s`,
    left.length === 0,
    left.join('; '),
  );
  const problems = slow.flatMap(([peer]) => {
    const problem = responseProblem(peer);
    return problem ? [`${peer.kind} ${problem}`] : [];
  });
  proof.check('they get the reason, in the four fields', problems.length === 0, problems.slice(0, 5).join('; '));
}

interface Room {
  crowds: readonly Crowd[];
  peers: number;
  mibBefore: number;
  filesBefore: number;
}

function checkRoom(proof: Proof, { server: { pid } }: Setup, { crowds, peers, mibBefore, filesBefore }: Room): void {
  const most = Math.max(...crowds.map(({ peakMiB }) => peakMiB));
  const after = residentMiB(pid);
  proof.report(
    `memory ${mibBefore.toFixed(0)} MiB before, at most ${most.toFixed(0)} beside them, ${after.toFixed(0)} after`,
  );
  const allowed = MIB_AT_REST + peers * MIB_PER_PEER;
  proof.check(`memory grows by less than ${allowed} MiB`, most < mibBefore + allowed);
  const files = openFiles(pid);
  proof.check('no connection is left open', files <= filesBefore + 5, `${filesBefore} files before, ${files} after`);
}

function checkTraffic(proof: Proof, { sent, rejected }: Traffic, { alone, coming, beside }: Latencies): void {
  const show = (values: number[]): string =>
    [0.5, 0.99].map((share) => percentile(values, share).toFixed(1)).join(' / ');
  const [without, withThem] = [percentile(alone, 0.99), percentile(beside, 0.99)];
  const ratio = (withThem / without).toFixed(2);
  proof.report(`${sent} normal posts, p50 / p99 in ms: ${show(alone)} alone, ${show(coming)} while they come`);
  proof.report(`${show(beside)} while they are there: ratio of p99 ${ratio}`);
  proof.check('normal posts are not slower', withThem < MAX_RATIO * without + CHANCE_MS);
  proof.check('every normal post returns 201', rejected.length === 0, rejected.slice(0, 3).join('; '));
}

/** Creates notes for long lists and a long export. */
async function fill({ hub, token, url }: Setup): Promise<void> {
  for (let n = 0; n < BIG_NOTES; n += 1) {
    const response = await fetch(`${url}/api/v1/hubs/${hub.id}/notes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: `${n} ${'é'.repeat(199_000)}` }),
    });
    if (response.status !== 201) throw new Error(`A note: ${response.status} ${await response.text()}`);
  }
}
