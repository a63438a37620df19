import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { median, ms, table } from './statistics.ts';
import { SUBJECTS, type Subject, start } from './subject.ts';

const root = join(import.meta.dir, '../../..');
const RUNS = 10;

/** Times whole processes: the server until it accepts requests, `hubctl --version` until it exits. */
export async function measureStartUp(seeded: string, { rounds }: { rounds: number }): Promise<void> {
  const rows = [['server, 10,000 keys, from source', ms(await serverStart(SUBJECTS.product, seeded, rounds))]];
  if (existsSync(join(root, 'dist/hub')))
    rows.push(['server, 10,000 keys, executable', ms(await serverStart(SUBJECTS.executable, seeded, rounds))]);
  rows.push([
    'hubctl --version, from source',
    ms(await hubctl([process.execPath, join(root, 'apps/cli/src/main.ts')])),
  ]);
  const executable = join(root, 'dist/hubctl');
  if (existsSync(executable)) rows.push(['hubctl --version, executable', ms(await hubctl([executable]))]);
  console.log('## Start-up in ms\n');
  console.log(`${table(['', 'median'], rows)}\n`);
}

async function serverStart(subject: Subject, seeded: string, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < rounds * 2; run += 1) {
    const running = await start(subject, seeded);
    times.push(running.startMs);
    await running.stop();
  }
  return median(times);
}

async function hubctl(argv: string[]): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const begun = performance.now();
    await Bun.spawn([...argv, '--version'], { stdout: 'ignore' }).exited;
    times.push(performance.now() - begun);
  }
  return median(times);
}
