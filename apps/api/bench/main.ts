/**
 * The benchmark: `bun run bench`, or `bun run bench --quick` for a quick look. Every server runs in a process of its
 * own on a fresh copy of the same data. The servers take turns in each round, so that a machine that slows down slows
 * all of them. The figures are medians across the rounds, and the ratios are ratios of those medians. The load comes
 * from another process on the same machine: bodies of 1 KB, 10,000 keys so that no limit is reached, every post flushed
 * before its response.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureNodes } from './nodes.ts';
import { measureLatency, measureThroughput } from './posts.ts';
import { seed } from './seed.ts';
import { measureStartUp } from './start-up.ts';

const quick = Bun.argv.includes('--quick');
const only = Bun.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length);
const scale = { rounds: quick ? 1 : 3, seconds: quick ? 1 : 3 };
const workDir = mkdtempSync(join(tmpdir(), 'hub-bench-seed-'));

console.log(
  `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Bun ${Bun.version}, ${process.platform}`,
);
console.log(`${scale.rounds} interleaved rounds of ${scale.seconds} s each; medians.\n`);
try {
  const seeded = join(workDir, 'ten-thousand-keys');
  await seed(seeded, 10_000, 1_000);
  const parts = {
    throughput: () => measureThroughput(seeded, scale),
    latency: () => measureLatency(seeded, scale),
    startup: () => measureStartUp(seeded, scale),
  };
  for (const [name, measure] of Object.entries(parts)) {
    if (only === undefined || only === name) await measure();
  }
  // Needs PostgreSQL, so it runs only on request.
  if (only === 'nodes') await measureNodes(workDir, scale);
} finally {
  rmSync(workDir, { recursive: true, force: true });
}
