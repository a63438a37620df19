/**
 * Promise: every change reaches every follower of its Hub, once and in order, across cut connections, stops and kills of
 * the server. A follower that does not read can neither slow others down nor fill up the memory.
 *
 * Proof: a crowd of followers, written by hand and with the client library, beside a team that posts and works. First
 * calm windows (`live/calm.ts`), in some of which ten followers stall; then a storm that cuts connections at random, even
 * within a frame, and kills and stops the server under load. At the end, the state that each follower has built from
 * events must equal a fresh load (`live/check.ts`).
 *
 * Short form: `bun run prove:live`. Long form: `--sockets 1000 --seconds 240 --restarts 12`. `--rate` is the number
 * of actions per second, and `--seed` reproduces the random choices of an earlier run, but not the behavior of the network
 * and the scheduler.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTeam, HubServer, type Proof, proofOptions, runProof, seeded, type Team } from '@hub/testkit';
import { calm, checkCalm, Memory } from './live/calm.ts';
import { checkStorm, checkViews, FreshHub, sayCounts } from './live/check.ts';
import { Crowd, storm } from './live/crowd.ts';
import { Records } from './live/hub-view.ts';
import { Latencies } from './live/latencies.ts';
import { Ledger, Lists } from './live/ledger.ts';
import { Load } from './live/load.ts';

const { sockets, seconds, restarts, rate, seed } = proofOptions(
  { sockets: 100, seconds: 16, restarts: 2, rate: 24, seed: Math.floor(Math.random() * 2 ** 31) },
  { sockets: 60, seconds: 8, restarts: 1 },
);

/** The open files, listeners and requests of both processes, in addition to the connections. */
const OTHER_FILES = 200;
/** A key can post 60 times per minute, and half of all actions are posts. */
const KEYS_PER_HUB = Math.ceil(((rate / 2) * (60 / 40)) / 4);
const HEAVY_KEYS = 40;
/** The time to wait for surplus frames after the last expected one. */
const STRAY_MS = 500;

/** Loses one event of a hundred. */
const counterProof = {
  change: {
    file: 'apps/api/src/live/hub-feed.ts',
    find: 'this.#publish(event);',
    replace: 'if (event.seq % 100 !== 50) this.#publish(event);',
  },
  fails: 'missed: 0',
};

await runProof({ limitSeconds: 90 + seconds * 1.5 + restarts * 4 + sockets / 20, counterProof }, async (proof) => {
  proof.report(`${sockets} sockets, ${seconds} s, ${restarts} restarts, ${rate} actions a second, --seed ${seed}`);
  if (!mayOpen(proof, sockets * 1.2 + OTHER_FILES)) return;
  const random = seeded(seed);
  const [records, latencies] = [new Records(), new Latencies()];
  const run = new HubServer(join(proof.folder, 'data'));
  await run.start();
  const team = await createTeam(run, KEYS_PER_HUB, HEAVY_KEYS);
  const memory = new Memory(run);
  const startMiB = memory.now();

  const crowd = await Crowd.gather({ sockets, run, team, random, records, latencies });
  const absent = await crowd.lagging(() => 0);
  proof.none('every socket follows its Hubs', absent);
  const followedMiB = memory.now();
  const ledger = new Ledger(run);
  const load = new Load({ run, team, ledger, latencies, random: seeded(seed + 1) });
  load.start(rate);

  const windows = await calm({ crowd, load, latencies, memory }, seconds / 2);
  checkCalm(proof, { windows, givenUp: records.sums.givenUp, startMiB, followedMiB, endMiB: memory.now(), sockets });

  load.administer();
  const before = { ...records.sums, acknowledged: ledger.acknowledged.size };
  const codes = await storm({ crowd, run, random, proof }, { seconds: seconds / 2, restarts });
  await load.stop();
  const newest = await run.admin.seqs([...team.hubIds, team.heavyHubId]);
  const lagging = await crowd.lagging((hubId) => newest.get(hubId) ?? 0);
  await Bun.sleep(STRAY_MS);
  const checked = checkViews(crowd.readers, await loadFresh(proof, run, team), {
    acknowledged: ledger.acknowledged,
    records,
  });
  sayCounts(proof, { crowd, records, ledger, checked, newest });
  checkStorm(proof, { lagging, codes, records, ledger, checked, before, restarts });
  crowd.stop();
  memory.stop();
  proof.check('the server finally exits with 0', (await run.stop()) === 0);
});

/** Returns whether the machine allows enough open files for all connections. */
function mayOpen(proof: Proof, needed: number): boolean {
  const allowed = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
  if (allowed >= needed) return true;
  const advice = `${needed} are needed, and ${allowed} allowed: raise the limit with \`ulimit -n ${needed}\`, or give fewer --sockets`;
  proof.check('the machine allows enough open files', false, advice);
  return false;
}

/** Returns the state after a fresh load, and checks that both ways of loading it agree. */
async function loadFresh(
  proof: Proof,
  run: HubServer,
  { hubIds, heavyHubId, users }: Team,
): Promise<Map<string, FreshHub>> {
  const lists = new Lists(() => run.url, users[0]?.token ?? '');
  const hubs = new Map<string, FreshHub>();
  const differences: string[] = [];
  for (const hubId of [...hubIds, heavyHubId]) {
    const rooms = new FreshHub(await lists.rooms(hubId));
    const stream = new FreshHub(await lists.stream(hubId));
    differences.push(...rooms.differences(stream.items));
    hubs.set(hubId, rooms);
  }
  proof.none('the lists and the stream show the same', differences);
  return hubs;
}
