import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { median, ms, table } from './statistics.ts';
import { SUBJECTS, type Subject, start } from './subject.ts';

const root = join(import.meta.dir, '../../..');
const RUNS = 10;

/** Times whole processes: the server until it accepts requests, `hubctl --version` until it exits. */
export async function measureStartUp(seeded: string, { rounds }: { rounds: number }): Promise<void> {
  const source = [process.execPath, join(root, 'apps/cli/src/main.ts')];
  const measures: [what: string, file: string, runs: number, once: () => Promise<number>][] = [
    ['server, 10,000 keys, from source', source[1] ?? '', rounds * 2, () => serverStart(SUBJECTS.product, seeded)],
    ['server, 10,000 keys, executable', 'dist/hub', rounds * 2, () => serverStart(SUBJECTS.executable, seeded)],
    ['hubctl --version, from source', source[1] ?? '', RUNS, () => hubctl(source)],
    ['hubctl --version, executable', 'dist/hubctl', RUNS, () => hubctl([join(root, 'dist/hubctl')])],
  ];
  const rows: string[][] = [];
  for (const [what, file, runs, once] of measures) {
    if (!existsSync(resolve(root, file))) continue;
    const times: number[] = [];
    for (let run = 0; run < runs; run += 1) times.push(await once());
    rows.push([what, ms(median(times))]);
  }
  console.log(`## Start-up in ms\n\n${table(['', 'median'], rows)}\n`);
}

async function serverStart(subject: Subject, seeded: string): Promise<number> {
  const running = await start(subject, seeded);
  await running.stop();
  return running.startMs;
}

async function hubctl(argv: string[]): Promise<number> {
  const begun = performance.now();
  await Bun.spawn([...argv, '--version'], { stdout: 'ignore' }).exited;
  return performance.now() - begun;
}
