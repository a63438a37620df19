import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { residentMiB } from '@hub/testkit/server';
import type { LoadPlan, LoadResult } from './load.ts';

const here = import.meta.dir;

/** A server to measure. Each run is a process of its own on a fresh copy of the same data. */
export interface Subject {
  readonly name: string;
  /** Returns the command line for this data folder, and additional environment variables. */
  command(dataDir: string): { argv: string[]; env?: Record<string, string> };
  /** Returns the number of posts and flushes since the start, for servers that count them. */
  counts?(running: { port: number; dataDir: string }): Promise<Counts>;
}

export interface Counts {
  posts: number;
  flushes: number;
}

const script = (name: string, ...args: string[]) => ({
  argv: [process.execPath, join(here, 'subjects', name), ...args],
});

const ownCounts = async ({ port }: { port: number }): Promise<Counts> =>
  (await (await fetch(`http://127.0.0.1:${port}/stats`)).json()) as Counts;

/** Reads the product's own metrics over its admin socket. */
const metricCounts = async ({ dataDir }: { dataDir: string }): Promise<Counts> => {
  const text = await (await fetch('http://localhost/metrics', { unix: join(dataDir, 'admin.sock') })).text();
  const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  return { posts: value('hub_commit_batch_writes_sum'), flushes: value('hub_commit_batch_writes_count') };
};

export const SUBJECTS = {
  bare: { name: 'bare Bun, nothing stored', command: () => script('http-only.ts', 'bare') },
  elysia: { name: 'Elysia, nothing stored', command: () => script('http-only.ts', 'elysia') },
  each: {
    name: 'by hand, one commit per post',
    command: (dir) => script('by-hand.ts', 'each', dir),
    counts: ownCounts,
  },
  group: { name: 'by hand, group commit', command: (dir) => script('by-hand.ts', 'group', dir), counts: ownCounts },
  product: {
    name: 'Hub',
    command: (dir) => ({ argv: [process.execPath, join(here, '../src/main.ts')], env: hubEnv(dir) }),
    counts: metricCounts,
  },
  /** The file that `bun run build` makes. */
  executable: {
    name: 'Hub, executable',
    command: (dir) => ({ argv: [join(here, '../../../dist/hub')], env: hubEnv(dir) }),
  },
} as const satisfies Record<string, Subject>;

function hubEnv(dataDir: string): Record<string, string> {
  return {
    HUB_DATA_DIR: dataDir,
    HUB_PORT: '0',
    // A single account opens all of the live connections being measured, in a few seconds.
    HUB_MAX_LIVE_CONNECTIONS: '1000000',
    HUB_MAX_REQUESTS_PER_MINUTE: '1000000',
  };
}

export type Load = Omit<LoadPlan, 'port' | 'keysFile'>;
export type Measured = LoadResult & { flushesPerPost?: number };

/** Runs the load generator in a process of its own. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const generator = Bun.spawn([process.execPath, join(here, 'load.ts'), JSON.stringify(plan)], { stderr: 'inherit' });
  return JSON.parse(await generator.stdout.text()) as LoadResult;
}

export async function start(subject: Subject, seeded: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  cpSync(seeded, dataDir, { recursive: true });
  const { argv, env } = subject.command(dataDir);
  const begun = performance.now();
  const child = Bun.spawn(argv, { env: { ...process.env, ...env }, stdout: 'pipe', stderr: 'ignore' });
  const port = await readPort(child.stdout);
  const startMs = performance.now() - begun;

  return {
    /** Milliseconds from the start of the process until it prints its port. */
    startMs,
    load: async (plan: Load): Promise<Measured> => {
      const before = await subject.counts?.({ port, dataDir });
      const result = await runLoad({ ...plan, port, keysFile: join(seeded, 'keys.txt') });
      if (result.failed > 0) throw new Error(`${subject.name}: ${result.failed} of ${result.posts} posts failed`);
      const after = await subject.counts?.({ port, dataDir });
      if (!before || !after) return result;
      return { ...result, flushesPerPost: (after.flushes - before.flushes) / (after.posts - before.posts) };
    },
    residentBytes: () => residentMiB(child.pid) * 2 ** 20,
    /** Processor time used since the start, by the main thread and by the whole process. */
    cpuSeconds: () => ({
      main: cpuSeconds(`/proc/${child.pid}/task/${child.pid}/stat`),
      all: cpuSeconds(`/proc/${child.pid}/stat`),
    }),
    stop: async () => {
      child.kill();
      await child.exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Reads user and system time from a stat file (proc(5)), which counts in hundredths of a second. */
function cpuSeconds(statFile: string): number {
  const fields = readFileSync(statFile, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Reads the port from a subject's first line, or from the product's log, and discards the rest. */
async function readPort(stdout: ReadableStream<Uint8Array>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  void (async () => {
    let text = '';
    let found = false;
    for await (const chunk of stdout as unknown as AsyncIterable<Uint8Array>) {
      if (found) continue;
      text += new TextDecoder().decode(chunk);
      const port = /"port":(\d+)|"localUrl":"http:\/\/[^"]*:(\d+)"/.exec(text);
      found = port !== null;
      if (port) resolve(Number(port[1] ?? port[2]));
    }
    if (!found) reject(new Error('A subject exited without printing its port'));
  })();
  return promise;
}
