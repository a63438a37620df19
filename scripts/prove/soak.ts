/**
 * Promise: the server does not degrade over time. With posts at a steady rate, live followers and users who read and
 * write, its memory, open files and log do not grow, posts are as fast at the end as at the start, and every follower
 * receives everything once and in order.
 *
 * Short form: `bun run prove:soak`, 12 seconds of load, which shows only runaway growth. Long form: `--minutes 60`.
 * `--rate` is posts per second, `--sockets` the number of followers, `--users` user actions per second.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  createTeam,
  HubServer,
  openFiles,
  PacedLoad,
  type Proof,
  proofOptions,
  quantile,
  runProof,
  type Team,
  until,
} from '@hub/testkit';
import { Follower, type FollowerRecords } from './soak/follower.ts';
import { Users } from './soak/users.ts';

const { minutes, rate, sockets, users } = proofOptions({ minutes: 0.2, rate: 200, sockets: 200, users: 10 });

/** A key can post 60 times per minute. */
const KEYS_PER_HUB = Math.ceil((rate * (60 / 40)) / 4);
const PARTS = 30;
const SETTLE_MS = 20_000;
/** The time to wait for surplus frames after the last expected one. */
const STRAY_MS = 300;
const SAMPLE_MS = 500;
const MIB = 2 ** 20;

/**
 * The permitted memory growth from the second quarter to the last. In the first quarter, the caches fill up; SQLite's
 * cache alone takes up to 16 MiB. Under a steady load, the runtime's memory varies by about 10 MiB. In a run of an
 * hour, a leak of 100 bytes per post adds 34 MiB in the half hour between the middles of these two quarters.
 */
const GROWTH = { times: 1.05, MiB: 16 } as const;
/** The permitted memory growth during warm-up, high enough to detect only runaway growth. */
const WARMING = { times: 1.25, MiB: 48 } as const;
const STEADY_SECONDS = 600;
/** Files that a request or a timer opens briefly. */
const OTHER_FILES = 12;
/** A checkpoint runs every 4 MiB, unless someone is reading at that moment. */
const MAX_WAL_MIB = 32;
const SAME_P99 = { times: 2, ms: 20 } as const;

/** The resources of the server at one moment. */
interface Sample {
  /** The resident memory without file pages, which belong to the kernel's cache. */
  readonly ownMiB: number;
  readonly residentMiB: number;
  readonly files: number;
  readonly walMiB: number;
  readonly databaseMiB: number;
}

/** A part of the run: the resources of the server, and the latencies of posts. */
interface Quarter {
  readonly samples: readonly Sample[];
  readonly latenciesMs: readonly number[];
}

/** Keeps something of every post. */
const counterProof = {
  change: {
    file: 'apps/api/src/programs/create-post.ts',
    find: 'const hub = await store.posts.write(',
    replace: `(Object.assign(globalThis, { kept: Reflect.get(globalThis, 'kept') ?? [] }).kept as unknown[]).push(Buffer.alloc(200_000, 1));
  const hub = await store.posts.write(`,
  },
  fails: 'memory is flat',
};

await runProof({ limitSeconds: 60 + minutes * 66, counterProof }, async (proof) => {
  proof.report(`${minutes} min, ${rate} posts/s, ${sockets} sockets, ${users} user actions a second`);
  const server = await new HubServer(join(proof.folder, 'data')).start();
  const team = await createTeam(server, KEYS_PER_HUB);
  const records: FollowerRecords = { frames: 0, lostConnections: 0, problems: [] };
  const followers = Array.from({ length: sockets }, (_, n) => {
    const [hubId, user] = [team.hubIds[n % team.hubIds.length] ?? '', team.users[n % team.users.length]];
    const keepsItems = n < team.hubIds.length;
    const { port } = server;
    return new Follower({ name: `socket ${n}`, port, token: user?.token ?? '', hubId, records, keepsItems });
  });
  const areFollowing = await until(SETTLE_MS, () => followers.every(({ isFollowing }) => isFollowing));
  proof.check('every socket follows its Hub', areFollowing);

  const load = await PacedLoad.start({ port: server.port, keys: team.keys.map(({ key }) => key), name: 'Soak' });
  const busy = new Users({ url: server.url, team, random: Math.random });
  await load.begin(rate);
  busy.start(users);
  const quarters = await runQuarters(server, load);
  await busy.stop();
  await load.stop();

  checkQuarters(proof, quarters);
  proof.none('no post was rejected', load.unexpected);
  proof.none('no user request was rejected', busy.rejected, `${busy.done} done`);
  await checkFollowers(proof, {
    server,
    team,
    followers,
    records,
    created: [...load.acknowledged, ...busy.createdIds],
  });
  proof.check('the server logged no problems', server.complaints === '', server.complaints.slice(0, 500));
  proof.check('the server finally exits with 0', (await server.stop()) === 0);
});

async function runQuarters(server: HubServer, load: PacedLoad): Promise<Quarter[]> {
  let samples: Sample[] = [];
  const sampling = setInterval(() => samples.push(sample(server)), SAMPLE_MS);
  const quarters: Quarter[] = [];
  for (let number = 0; number < 4; number += 1) {
    const latenciesMs = await load.during(async () => {
      for (let part = 0; part < PARTS; part += 1) {
        await Bun.sleep((minutes * 60_000) / 4 / PARTS);
        // Acknowledged posts are transferred in parts: an hour's worth would be a single message of tens of megabytes.
        await load.count();
      }
    });
    quarters.push({ samples: [...samples, sample(server)], latenciesMs });
    samples = [];
  }
  clearInterval(sampling);
  return quarters;
}

function sample({ pid, dataDir }: HubServer): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kib = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN);
  const mib = (file: string): number => (statSync(join(dataDir, file), { throwIfNoEntry: false })?.size ?? 0) / MIB;
  return {
    ownMiB: kib('RssAnon') / 1024,
    residentMiB: kib('VmRSS') / 1024,
    files: openFiles(pid),
    walMiB: mib('hub.db-wal'),
    databaseMiB: mib('hub.db'),
  };
}

function checkQuarters(proof: Proof, quarters: readonly Quarter[]): void {
  for (const [number, quarter] of quarters.entries()) proof.report(textOf(number, quarter));
  const [first, second, , last] = quarters as [Quarter, Quarter, Quarter, Quarter];
  const [before, after] = [typical(second, 'ownMiB'), typical(last, 'ownMiB')];
  const allowed = minutes * 60 >= STEADY_SECONDS ? GROWTH : WARMING;
  const most = before * allowed.times + allowed.MiB;
  const memory = `median ${before.toFixed(0)} MiB in the second quarter, ${after.toFixed(0)} in the last, of at most ${most.toFixed(0)}`;
  proof.check('memory is flat', after <= most, memory);
  const [filesBefore, filesAfter] = [greatest(second, 'files'), greatest(last, 'files')];
  proof.check('open files are flat', filesAfter <= filesBefore + OTHER_FILES, `${filesBefore} and ${filesAfter}`);
  const walMiB = Math.max(...quarters.map((quarter) => greatest(quarter, 'walMiB')));
  proof.check('the log stays short', walMiB <= MAX_WAL_MIB, `${walMiB.toFixed(1)} MiB at most`);
  const [firstMs, lastMs] = [quantile(first.latenciesMs, 0.99), quantile(last.latenciesMs, 0.99)];
  const maxMs = Math.max(firstMs * SAME_P99.times, firstMs + SAME_P99.ms);
  const posts = `p99 ${firstMs.toFixed(1)} ms in the first quarter, ${lastMs.toFixed(1)} in the last, of at most ${maxMs.toFixed(1)}`;
  proof.check('posts are as fast at the end as at the start', lastMs <= maxMs, posts);
}

function textOf(number: number, quarter: Quarter): string {
  const of = (name: keyof Sample): string => typical(quarter, name).toFixed(0);
  const ms = (share: number): string => quantile(quarter.latenciesMs, share).toFixed(1);
  return (
    `quarter ${number + 1}: memory ${of('ownMiB')} MiB (${of('residentMiB')} with files, ${greatest(quarter, 'residentMiB').toFixed(0)} at most), ` +
    `${of('files')} files, log ${greatest(quarter, 'walMiB').toFixed(1)} MiB, database ${of('databaseMiB')} MiB; ` +
    `${quarter.latenciesMs.length} posts, p50 ${ms(0.5)} ms, p99 ${ms(0.99)}, slowest ${ms(1)}`
  );
}

function typical({ samples }: Quarter, name: keyof Sample): number {
  const values = samples.map((each) => each[name]);
  return quantile(values, 0.5);
}

function greatest({ samples }: Quarter, name: keyof Sample): number {
  return samples.reduce((most, each) => Math.max(most, each[name]), 0);
}

interface Checked {
  server: HubServer;
  team: Team;
  followers: readonly Follower[];
  records: FollowerRecords;
  created: readonly string[];
}

async function checkFollowers(proof: Proof, { server, team, followers, records, created }: Checked): Promise<void> {
  const newest = await server.admin.seqs(team.hubIds);
  await until(SETTLE_MS, () => followers.every(({ seq, hubId }) => seq >= (newest.get(hubId) ?? 0)));
  await Bun.sleep(STRAY_MS);
  const behind = followers.filter(({ seq, hubId }) => seq !== newest.get(hubId)).length;
  const notified = new Set(followers.flatMap(({ createdIds }) => [...createdIds]));
  const missing = created.filter((id) => !notified.has(id));
  for (const follower of followers) follower.stop();
  proof.report(`${records.frames} events arrived at ${followers.length} sockets`);
  proof.none('each socket received every event once and in order', records.problems);
  proof.check('and of all events up to the newest', behind === 0, `${behind} were not`);
  proof.none('every post that returned 201 arrived', missing, `${created.length} items, ${missing.length} missing`);
  proof.check('the server closed no connection', records.lostConnections === 0, `${records.lostConnections}`);
}
