import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { median, ms, table } from './statistics.ts';
import { SUBJECTS, start } from './subject.ts';

const root = join(import.meta.dir, '../../..');
const RUNS = 10;

/** Times whole processes: the server until it accepts requests, `hubctl --version` until it exits. */
export async function measureStartUp(seeded: string, { rounds }: { rounds: number }): Promise<void> {
  const server: number[] = [];
  for (let run = 0; run < rounds * 2; run += 1) {
    const running = await start(SUBJECTS.product, seeded);
    server.push(running.startMs);
    await running.stop();
  }
  const rows = [['server, 10,000 keys', ms(median(server))]];
  rows.push([
    'hubctl --version, from source',
    ms(await hubctl([process.execPath, join(root, 'apps/cli/src/main.ts')])),
  ]);
  const compiled = join(root, 'dist/hubctl');
  if (existsSync(compiled)) rows.push(['hubctl --version, compiled', ms(await hubctl([compiled]))]);
  console.log('## Start-up in ms\n');
  console.log(`${table(['', 'median'], rows)}\n`);
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
