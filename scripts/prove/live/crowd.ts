import type { HubServer, Team, TestUser } from '@hub/testkit';
import { pick, type Random, seeded } from '@hub/testkit';
import { startCuttingProxy } from './cutting-proxy.ts';
import type { Latencies } from './latencies.ts';
import { LibraryReader } from './library-reader.ts';
import { Lists } from './lists.ts';
import { type Habit, PlainReader } from './plain-reader.ts';
import type { Reader, ReaderOptions } from './reader.ts';
import type { Records } from './records.ts';

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

export async function until(limitMs: number, holds: () => boolean): Promise<boolean> {
  for (const end = performance.now() + limitMs; performance.now() < end; await Bun.sleep(20)) if (holds()) return true;
  return holds();
}

function someOf(random: Random, hubIds: readonly string[]): string[] {
  const some = new Set<string>();
  while (some.size < HUBS_EACH) some.add(pick(random, hubIds));
  return [...some];
}
