import { type HubServer, type Proof, pick, type Random, seeded, type Team, type TestUser, until } from '@hub/testkit';
import type { Records } from './hub-view.ts';
import type { Latencies } from './latencies.ts';
import { Lists } from './ledger.ts';
import { LibraryReader, startCuttingProxy } from './library-reader.ts';
import { type Habit, PlainReader, type Reader, type ReaderOptions } from './plain-reader.ts';

export const STALLED = 10;
/** The number of other followers of the Hub with long notes, which keep reading while ten stall. */
const HEAVY = 5;
const LIBRARY_SHARE = 0.1;
const HUBS_EACH = 2;
/** The ways in which plain readers resume, assigned to the readers in turn. */
const HABITS: readonly Habit[] = [
  'exact',
  'exact',
  'exact',
  'exact',
  'exact',
  'exact',
  'stale',
  'stale',
  'stale',
  'foreign',
];
const SETTLE_MS = 30_000;

interface CrowdDeps {
  sockets: number;
  run: HubServer;
  team: Team;
  random: Random;
  records: Records;
  latencies: Latencies;
}

/** All followers. */
export class Crowd {
  readonly readers: readonly Reader[];
  /** The readers that stall for a while. */
  readonly stalling: readonly PlainReader[];
  readonly library: readonly LibraryReader[];
  readonly #random: Random;

  private constructor(stalling: PlainReader[], plain: PlainReader[], library: LibraryReader[], random: Random) {
    this.readers = [...stalling, ...plain, ...library];
    this.stalling = stalling;
    this.library = library;
    this.#random = random;
  }

  static async gather({ sockets, run, team, random, records, latencies }: CrowdDeps): Promise<Crowd> {
    const proxy = await startCuttingProxy(() => run.port, random, records);
    const lists = new Lists(() => run.url, team.users[0]?.token ?? '');
    const options = (name: string, n: number, isHeavy: boolean): ReaderOptions => ({
      name: `${name} ${n}`,
      token: (team.users[n % team.users.length] as TestUser).token,
      hubIds: [...someOf(random, team.hubIds), ...(isHeavy ? [team.heavyHubId] : [])],
      port: () => run.port,
      // Each reader has its own random numbers, so that its actions depend only on the seed and not on timing.
      random: seeded(Math.floor(random() * 2 ** 32)),
      records,
      latencies,
      load: (hubId) => lists.loadHub(hubId),
    });
    const stalling = Array.from(
      { length: STALLED },
      (_, n) => new PlainReader({ ...options('stalling', n, true), habit: 'exact' }),
    );
    const libraryCount = Math.ceil(sockets * LIBRARY_SHARE);
    const plain = Array.from({ length: sockets - libraryCount - STALLED }, (_, n) => {
      const habit = HABITS[n % HABITS.length] ?? 'exact';
      return new PlainReader({ ...options(habit, n, n < HEAVY), habit });
    });
    const library = Array.from({ length: libraryCount }, (_, n) => {
      const own = { port: () => proxy.port, cutOne: proxy.cut, beginsForeign: n % 5 === 4 };
      return new LibraryReader({ ...options('library', n, false), ...own });
    });
    return new Crowd(stalling, plain, library, random);
  }

  /** Cuts the connection of a random reader. */
  cutOne(): void {
    pick(this.#random, this.readers).cut();
  }

  /** Returns the newest event of each Hub that any reader has received. */
  newest(): (hubId: string) => number {
    const newest = new Map<string, number>();
    for (const { views } of this.readers) {
      for (const { hubId, position } of views) newest.set(hubId, Math.max(position, newest.get(hubId) ?? 0));
    }
    return (hubId) => newest.get(hubId) ?? 0;
  }

  /**
   * Waits until all readers are connected and have received the newest events. Returns those that did not make it in
   * time.
   */
  async lagging(newest: (hubId: string) => number): Promise<string[]> {
    for (const reader of this.library) reader.wake();
    await until(SETTLE_MS, () => this.readers.every((reader) => isCaughtUp(reader, newest)));
    return this.readers
      .filter((reader) => !isCaughtUp(reader, newest))
      .map(({ name, isFollowing }) => `${name} ${isFollowing ? 'misses something' : 'is not connected'}`);
  }

  stop(): void {
    for (const reader of this.readers) reader.stop();
  }
}

export function isCaughtUp({ isFollowing, views }: Reader, newest: (hubId: string) => number): boolean {
  return isFollowing && views.every((view) => view.hasAll(newest(view.hubId)));
}

function someOf(random: Random, hubIds: readonly string[]): string[] {
  const some = new Set<string>();
  while (some.size < HUBS_EACH) some.add(pick(random, hubIds));
  return [...some];
}

/** The average number of cuts per reader per second. */
const CUTS_PER_SECOND = 0.15;
const TICK_MS = 20;
/** The probability that a library reader's program restarts in a tick. */
const RESTART_SHARE = 0.02;

interface StormDeps {
  crowd: Crowd;
  run: HubServer;
  random: Random;
  proof: Proof;
}

/**
 * Cuts connections at random, and alternates between stopping and killing the server. Returns the exit codes of the
 * stopped servers.
 */
export async function storm(
  { crowd, run, random, proof }: StormDeps,
  { seconds, restarts }: { seconds: number; restarts: number },
): Promise<(number | null)[]> {
  let isOver = false;
  const cutting = (async () => {
    for (let due = 0; !isOver; await Bun.sleep(TICK_MS)) {
      for (due += (crowd.readers.length * CUTS_PER_SECOND * TICK_MS) / 1000; due >= 1; due -= 1) crowd.cutOne();
      if (random() < RESTART_SHARE) pick(random, crowd.library).restart();
    }
  })();
  const codes: (number | null)[] = [];
  for (let done = 0; done < restarts; done += 1) {
    await Bun.sleep((seconds * 1000 * (0.5 + random())) / (restarts + 1));
    const signal = done % 2 === 0 ? 'SIGKILL' : 'SIGTERM';
    const code = await run.restart(signal);
    if (signal === 'SIGTERM') codes.push(code);
    proof.report(`restart ${done + 1}: ${signal}, ready again in ${run.startsMs.at(-1)?.toFixed(0)} ms`);
  }
  await Bun.sleep((seconds * 1000) / (restarts + 1));
  isOver = true;
  await cutting;
  return codes;
}
