import { join } from 'node:path';
import { seed } from './seed.ts';
import { median, table, thousands } from './statistics.ts';
import { SUBJECTS, type Subject, start } from './subject.ts';

/** Measures whether posting slows down as the workspace grows: runs the server with a little data and with a lot. */
export async function measureGrowth(
  workDir: string,
  scale: { rounds: number; seconds: number; rows: number },
): Promise<void> {
  const pairs = [
    {
      label: 'rows in one Hub',
      subject: SUBJECTS.product,
      small: { size: 1_000, dir: await seeded(workDir, 10_000, 1_000) },
      large: { size: scale.rows, dir: await seeded(workDir, 10_000, scale.rows) },
    },
    {
      label: 'keys',
      subject: SUBJECTS.unlimited,
      small: { size: 10, dir: await seeded(workDir, 10, 0) },
      large: { size: scale.rows / 10, dir: await seeded(workDir, scale.rows / 10, 0) },
    },
  ];

  const rows: string[][] = [];
  for (const { label, subject, small, large } of pairs) {
    const [few, many]: [number[], number[]] = [[], []];
    for (let round = 0; round < scale.rounds; round += 1) {
      few.push(await throughput(subject, small.dir, scale.seconds));
      many.push(await throughput(subject, large.dir, scale.seconds));
    }
    const [a, b] = [median(few), median(many)];
    rows.push([
      label,
      `${thousands(a)} at ${thousands(small.size)}`,
      `${thousands(b)} at ${thousands(large.size)}`,
      (b / a).toFixed(2),
    ]);
  }
  console.log('## Posts per second at 64 connections as the workspace grows (goal: ratio ≥ 0.90)\n');
  console.log(`${table(['', 'small', 'large', 'ratio'], rows)}\n`);
}

async function seeded(workDir: string, keys: number, rows: number): Promise<string> {
  const dir = join(workDir, `${keys}-keys-${rows}-rows`);
  await seed(dir, keys, rows);
  return dir;
}

async function throughput(subject: Subject, dir: string, seconds: number): Promise<number> {
  const server = await start(subject, dir);
  await server.load({ connections: 64, seconds: 1 });
  const { perSecond } = await server.load({ connections: 64, seconds });
  await server.stop();
  return perSecond;
}
