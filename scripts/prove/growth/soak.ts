import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HubServer, openFiles, pick, quantile } from '@hub/testkit';
import { type Crew, createCrew, startFollowers } from '../kit/live-reader.ts';
import { createLedger, type PostLoad, pace, startPacedLoad } from '../kit/post-load.ts';
import type { Proof } from '../kit/proof.ts';

const SAMPLE_MS = 500;
const MIB = 2 ** 20;
/**
 * The permitted memory growth from the second quarter to the last. In the first quarter, the caches fill up; SQLite's
 * cache alone takes up to 16 MiB. Under a steady load, the runtime's memory varies by about 10 MiB. In a run of an hour, a
 * leak of 100 bytes per post adds 34 MiB in the half hour between the middles of these two quarters.
 */
const GROWTH = { times: 1.05, MiB: 16 } as const;
/** The permitted memory growth during warm-up, high enough to detect only runaway growth. */
const WARMING = { times: 1.25, MiB: 48 } as const;
const STEADY_MINUTES = 10;
/** Files that a request or a timer opens briefly. */
const OTHER_FILES = 12;
/** A checkpoint runs every 4 MiB, unless someone is reading at that moment. */
const MAX_WAL_MIB = 32;
const SAME_P99 = { times: 2, ms: 20 } as const;

type Quarter = Awaited<ReturnType<typeof runQuarter>>;

/**
 * Posts at a steady rate (posts per second), with followers and users who read (actions per second), and compares the end
 * of the run with its start.
 */
export async function proveSoak(
  proof: Proof,
  { minutes, rate, sockets, users }: Readonly<Record<'minutes' | 'rate' | 'sockets' | 'users', number>>,
): Promise<void> {
  const server = await new HubServer(join(proof.folder, 'soak')).start();
  // A key can post 60 times per minute.
  const team = await createCrew(server, Math.ceil((rate * (60 / 40)) / 4));
  const hubIdsOf = (n: number) => [team.hubIds[n % team.hubIds.length] ?? ''];
  const followers = await startFollowers(proof, server, { crew: team, count: sockets, hubIdsOf, keepsIds: false });
  const ledger = createLedger(team.keys);
  const load = startPacedLoad(ledger, server.port, rate);
  let isOver = false;
  const reading = read(server, team, users, () => isOver);
  const quarters: Quarter[] = [];
  const runNext = async () => quarters.push(await runQuarter(server, load, minutes / 4));
  while (quarters.length < 4) await runNext();
  // Other programs can only make posts slower.
  while (quarters.length < 12 && !isAsFast(quarters)) await runNext();
  isOver = true;
  const rejected = await reading;
  await load.stop();

  checkQuarters(proof, quarters, minutes);
  proof.none('no request was rejected', [...ledger.unexpected, ...ledger.rejected, ...rejected]);
  await followers.finish();
  proof.none('the server logged no problems', server.complaints === '' ? [] : [server.complaints.slice(0, 500)]);
  proof.check('the server finally exits with 0', (await server.stop()) === 0);
}

/** Reads lists and searches, as often per second as given. Returns the responses that failed. */
async function read(server: HubServer, { users, hubIds }: Crew, perSecond: number, isOver: () => boolean) {
  const rejected: string[] = [];
  const turn = pace(perSecond);
  while (!isOver()) {
    await turn();
    const hubId = pick(Math.random, hubIds);
    const paths = [`/hubs/${hubId}/messages`, '/hubs', '/stream', '/stream?unread=true', '/mentions', '/search?q=post'];
    const path = pick(Math.random, paths);
    const headers = { authorization: `Bearer ${pick(Math.random, users).token}` };
    const response = await fetch(`${server.url}/api/v1${path}`, { headers });
    const body = await response.text();
    if (!response.ok) rejected.push(`${path}: ${response.status} ${body.slice(0, 200)}`);
  }
  return rejected;
}

/** Runs a part of the load. Returns samples of the server's resources, and the latencies of posts. */
async function runQuarter(server: HubServer, load: PostLoad, minutes: number) {
  const quarter = { memoryMiB: [] as number[], files: [] as number[], walMiB: [] as number[] };
  const sample = (): void => {
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
    // Without file pages, which belong to the kernel's cache.
    quarter.memoryMiB.push(Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1]) / 1024);
    quarter.files.push(openFiles(server.pid));
    quarter.walMiB.push((statSync(join(server.dataDir, 'hub.db-wal'), { throwIfNoEntry: false })?.size ?? 0) / MIB);
  };
  const sampling = setInterval(sample, SAMPLE_MS);
  const latenciesMs = await load.during(() => Bun.sleep(minutes * 60_000));
  clearInterval(sampling);
  sample();
  return { ...quarter, latenciesMs };
}

function checkQuarters(proof: Proof, quarters: readonly Quarter[], minutes: number): void {
  const [, second, last] = [...quarters.slice(0, 2), quarters.at(-1)] as [Quarter, Quarter, Quarter];
  const [before, after] = [quantile(second.memoryMiB, 0.5), quantile(last.memoryMiB, 0.5)];
  const allowed = minutes >= STEADY_MINUTES ? GROWTH : WARMING;
  const most = before * allowed.times + allowed.MiB;
  const memory = `${before.toFixed(0)} MiB in the second quarter, ${after.toFixed(0)} in the last, of at most ${most.toFixed(0)}`;
  proof.check('memory is flat', after <= most, memory);
  const [filesBefore, filesAfter] = [Math.max(...second.files), Math.max(...last.files)];
  proof.check('open files are flat', filesAfter <= filesBefore + OTHER_FILES, `${filesBefore} and ${filesAfter}`);
  const walMiB = Math.max(...quarters.flatMap((quarter) => quarter.walMiB));
  proof.check('the log stays short', walMiB <= MAX_WAL_MIB, `${walMiB.toFixed(1)} MiB at most`);
  const [firstMs, lastMs] = p99s(quarters);
  const posts = `p99 ${firstMs.toFixed(1)} ms in the first quarter, ${lastMs.toFixed(1)} in the last`;
  proof.check('posts are as fast at the end as at the start', isAsFast(quarters), posts);
}

/** Returns the p99 of posts in the first quarter and in the last. */
function p99s(quarters: readonly Quarter[]): [firstMs: number, lastMs: number] {
  const [firstMs = Number.NaN, ...others] = quarters.map(({ latenciesMs }) => quantile(latenciesMs, 0.99));
  return [firstMs, others.at(-1) ?? firstMs];
}

function isAsFast(quarters: readonly Quarter[]): boolean {
  const [firstMs, lastMs] = p99s(quarters);
  return lastMs <= Math.max(firstMs * SAME_P99.times, firstMs + SAME_P99.ms);
}
