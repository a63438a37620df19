/**
 * Promise: every change reaches every follower of its Hub, once and in order, across cut connections, stops and kills of
 * the server; one that does not read is disconnected, and resumes. A peer that is slow or silent is disconnected within 20
 * seconds, and normal posts do not wait for it; a server without free files serves the connections that it has.
 *
 * Proof: a crowd of followers beside a team that posts and works; some stall, connections are cut at random, even within a
 * frame, and the server is killed and stopped. At the end, the state that each follower has built from events must equal
 * a fresh load. Then normal posts beside crowds of slow peers (`live/slow-peers.ts`).
 *
 * Long form: 1,000 followers for four minutes with 12 restarts, and three crowds of 1,000 slow peers; or `--sockets`,
 * `--seconds`, `--restarts`, `--rate` (actions per second), `--peers`, `--crowds`. `--seed` reproduces the random choices of
 * an earlier run, but not the behavior of the network and the scheduler.
 */
import { join } from 'node:path';
import {
  createTeam,
  HubServer,
  LiveReader,
  type Proof,
  pick,
  proofOptions,
  type Resumption,
  runProof,
  seeded,
  type TestUser,
  until,
} from '@hub/testkit';
import { HubStates, loadHub } from './live/hub-states.ts';
import { proveOpenFiles, proveSlowPeers } from './live/slow-peers.ts';
import { TeamWork } from './live/team-work.ts';

const options = proofOptions(
  {
    ...{ sockets: 80, seconds: 6, restarts: 2, rate: 24, seed: Math.floor(Math.random() * 2 ** 31) },
    ...{ peers: 168, crowds: 1 },
  },
  {
    long: { sockets: 1_000, seconds: 240, restarts: 12, peers: 1_000, crowds: 3 },
    inCounterProof: { sockets: 40, seconds: 4, restarts: 0, peers: 15 },
  },
);
const { sockets, seconds, restarts, rate } = options;

/** A key can post 60 times per minute, and half of all actions are posts. */
const KEYS_PER_HUB = Math.ceil(((rate / 2) * (60 / 40)) / 4);
/** Together 8 MB: well above the 2 MiB that may wait for one reader plus the kernel's buffers of about 3 MiB. */
const [LONG_NOTES, LONG_CHARACTERS] = [80, 100_000];
const STALLED = 6;
/** The ways to resume, of the readers in turn. */
const RESUMPTIONS: readonly Resumption[] = ['exact', 'exact', 'stale', 'exact', 'exact', 'stale', 'exact', 'foreign'];
const CUTS_PER_SECOND = 0.15;
/** A cut happens within this many bytes (about four events). */
const CUT_WITHIN_BYTES = 3_000;
const SETTLE_MS = 30_000;
/** The time to wait for surplus frames after the last expected one. */
const STRAY_MS = 300;

const counterProofs = [
  // Loses one event of ten.
  {
    change: {
      file: 'apps/api/src/live/hub-feed.ts',
      find: 'this.#publish(event);',
      replace: 'if (event.seq % 10 !== 5) this.#publish(event);',
    },
    fails: 'every event arrives once and in order',
    part: 'storm',
  },
  // Waits for a slow body without end.
  {
    change: {
      file: 'apps/api/src/http/body-watch.ts',
      find: 'if (hasStalled || now - since > allowedMs) giveUp',
      replace: 'if (hasStalled && now - since > 10 * allowedMs) giveUp',
    },
    fails: 'slow peers are closed within',
    part: 'slow peers',
  },
  // Lets the other connections speak every few seconds, so that none is closed.
  { fails: 'a new connection is accepted', part: 'open files' },
] as const;

const limitSeconds = 240 + seconds * 2 + restarts * 4 + sockets / 10 + options.crowds * 40;
await runProof({ limitSeconds, counterProofs }, async (proof) => {
  await proof.part('storm', () => proveStorm(proof));
  await Promise.all([
    proof.part('slow peers', () => proveSlowPeers(proof, options)),
    proof.part('open files', () => proveOpenFiles(proof)),
  ]);
});

interface Follower {
  readonly reader: LiveReader;
  readonly states: HubStates;
  readonly resumption: Resumption;
}

async function proveStorm(proof: Proof): Promise<void> {
  const random = seeded(options.seed);
  proof.report(
    `${sockets} sockets, ${seconds} s, ${restarts} restarts, ${rate} actions a second, --seed ${options.seed}`,
  );
  const server = await new HubServer(join(proof.folder, 'storm')).start();
  const team = await createTeam(server, KEYS_PER_HUB, LONG_NOTES);
  const token = team.users[0]?.token ?? '';
  const followers = Array.from({ length: sockets }, (_, n): Follower => {
    const hubIds = [n, n + 1 + Math.floor(n / 4)].map((at) => team.hubIds[at % team.hubIds.length] as string);
    const resumption = RESUMPTIONS[n % RESUMPTIONS.length] as Resumption;
    const states = new HubStates((hubId) => loadHub(server.url, token, hubId));
    const reader = new LiveReader({
      name: `${resumption} ${n}`,
      token: (team.users[n % team.users.length] as TestUser).token,
      hubIds: [...new Set(n < STALLED ? [team.heavyHubId, ...hubIds] : hubIds)],
      ports: () => [server.port],
      resumption,
      // Each reader has its own random numbers, so that its actions depend only on the seed and not on timing.
      random: seeded(Math.floor(random() * 2 ** 32)),
      onEvent: states.take,
      onReset: states.reset,
    });
    return { reader, states, resumption };
  });
  const readers = followers.map(({ reader }) => reader);
  const areFollowing = () => readers.every(({ isFollowing }) => isFollowing);
  proof.check('every socket follows its Hubs', await until(SETTLE_MS, areFollowing));

  const work = new TeamWork(server, { team, random: seeded(options.seed + 1), rate });
  await stallSome(proof, readers.slice(0, STALLED), work);
  const codes = await storm(server, readers, random);
  await work.stop();
  const newest = await server.admin.seqs([...team.hubIds, team.heavyHubId]);
  const isCaughtUp = (reader: LiveReader) =>
    reader.isFollowing && reader.hubIds.every((hubId) => reader.hasAll(hubId, newest.get(hubId) ?? 0));
  await until(SETTLE_MS, () => readers.every(isCaughtUp));
  await Bun.sleep(STRAY_MS);

  const lagging = followers.filter(({ reader }) => !isCaughtUp(reader)).map(({ resumption }) => resumption);
  proof.none('all readers reconnect and receive the newest event', lagging);
  const problems = readers.flatMap((reader) => reader.problems);
  proof.none('every event arrives once and in order', problems);
  const fresh = new Map(
    await Promise.all([...newest.keys()].map(async (id) => [id, await loadHub(server.url, token, id)] as const)),
  );
  const unequal = followers.flatMap(({ reader, states }) =>
    reader.hubIds.flatMap((hubId) => states.differences(hubId, fresh.get(hubId) ?? { items: new Map(), seq: 0 })),
  );
  proof.none("each reader's state, built from events, equals a fresh load", unequal);
  const missing = followers.flatMap(({ reader, resumption }) =>
    resumption === 'foreign'
      ? []
      : [...work.acknowledged].flatMap(([id, hubId]) =>
          reader.hubIds.includes(hubId) && !reader.createdIds.has(id) ? [id] : [],
        ),
  );
  proof.none('every acknowledged item arrived at each reader', missing, `${work.acknowledged.size} items`);
  proof.none('no request was rejected or lost without a reason', work.rejected);
  proof.none(
    'a server that gets SIGTERM exits with 0',
    codes.filter((code) => code !== 0).map((code) => `it exited with ${code}`),
  );
  const sum = (name: keyof LiveReader['counts']): number =>
    readers.reduce((total, { counts }) => total + counts[name], 0);
  proof.report(
    `${sum('events')} events over ${sum('connections')} connections, ${sum('cutsInFrame')} cut within a frame, ${sum('resets')} resets, ${sum('staleStarts')} stale starts; ${work.counts.done} requests done, ${work.counts.interrupted} interrupted, ${work.counts.outrun} outrun`,
  );
  const isStorm = sum('cutsInFrame') > 0 && sum('resets') > 0 && sum('staleStarts') > 0;
  const isInterrupted = restarts === 0 || work.counts.interrupted > 0;
  proof.check('the storm had cuts, resets, outdated numbers and requests cut by restarts', isStorm && isInterrupted);
  for (const reader of readers) reader.stop();
  proof.check('the server finally exits with 0', (await server.stop()) === 0);
}

/** Lets some readers stop reading while long notes are posted to their Hub, and read again after a while. */
async function stallSome(proof: Proof, readers: readonly LiveReader[], work: TeamWork): Promise<void> {
  for (const reader of readers) reader.stall();
  await until(SETTLE_MS, () => readers.every(({ isStalled }) => isStalled));
  const before = readers.map(({ counts }) => counts.closedByServer);
  await work.longNotes(LONG_CHARACTERS);
  // A reader that does not read learns of the end of its connection only now.
  for (const reader of readers) reader.comeBack();
  const isClosed = () => readers.every(({ counts }, n) => counts.closedByServer > (before[n] ?? 0));
  proof.check('readers that do not read are disconnected', await until(SETTLE_MS, isClosed));
}

/** Cuts connections at random, and alternates between killing and stopping the server. Returns the codes of the stops. */
async function storm(server: HubServer, readers: readonly LiveReader[], random: () => number) {
  const cutting = setInterval(
    () => pick(random, readers).cut(CUT_WITHIN_BYTES),
    1_000 / (readers.length * CUTS_PER_SECOND),
  );
  const codes: (number | null)[] = [];
  for (let done = 0; done < restarts; done += 1) {
    await Bun.sleep((seconds * 1_000 * (0.5 + random())) / (restarts + 1));
    const signal = done % 2 === 0 ? 'SIGKILL' : 'SIGTERM';
    const code = await server.restart(signal);
    if (signal === 'SIGTERM') codes.push(code);
  }
  await Bun.sleep((seconds * 1_000) / (restarts + 1));
  clearInterval(cutting);
  return codes;
}
