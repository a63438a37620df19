/**
 * Runs proofs: `bun run prove [NAME…] [--long] [--counter-proof]`, all of them if none is named. Other options go to each
 * proof, as in `bun run prove fuzz --seed 7`. Prints the output of each proof, how long each took, and a total.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withConcurrency } from '@hub/testkit';

const FOLDER = import.meta.dir;
/** These measure times, so nothing runs beside them. */
const ALONE = ['growth', 'live'];
/** They spend most of their time waiting: for processes that start, and for disks. */
const AT_ONCE = 3;

/** The proofs and their promises, from the first comment of each file. */
const promises = new Map(
  readdirSync(FOLDER).flatMap((file) => {
    const text = file.endsWith('.ts') ? readFileSync(join(FOLDER, file), 'utf8') : '';
    const [, promise] = /^\/\*\*\n \* Promise: ([\s\S]*?)\n \*\n/.exec(text) ?? [];
    return promise === undefined ? [] : [[file.slice(0, -3), promise.replaceAll('\n * ', ' ')]];
  }),
);

const options = process.argv.slice(2);
const firstOption = options.findIndex((option) => option.startsWith('-'));
const named = options.splice(0, firstOption < 0 ? options.length : firstOption);
const wrong = named.filter((name) => !promises.has(name));
if (wrong.length > 0 || options.includes('--help')) {
  if (wrong.length > 0) console.error(`There is no proof called ${wrong.join(' or ')}. The proofs are:\n`);
  for (const [name, promise] of promises) console.error(`${name.padEnd(8)} ${promise}\n`);
  console.error('Usage: bun run prove [NAME…] [--long] [--counter-proof]');
  process.exit(wrong.length > 0 ? 2 : 0);
}

const names = named.length > 0 ? named : [...promises.keys()].sort();
const command = (name: string): string[] => [process.execPath, join(FOLDER, `${name}.ts`), ...options];
if (names.length === 1) {
  const child = Bun.spawn(command(names[0] as string), { stdio: ['ignore', 'inherit', 'inherit'] });
  process.on('SIGTERM', () => child.kill());
  process.exit(await child.exited);
}

let [passed, failed] = [0, 0];
const times: string[] = [];

/** Runs a proof, and prints its output at the end, so that the lines of two proofs do not mix. */
async function run(name: string): Promise<void> {
  const start = performance.now();
  const child = Bun.spawn(command(name), { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const stop = (): void => child.kill();
  process.on('SIGTERM', stop);
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  process.off('SIGTERM', stop);
  const counts = [...out.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1) ?? [];
  const failures = Number(counts[2] ?? 0) || Number(code !== 0);
  passed += Number(counts[1] ?? 0);
  failed += failures;
  const seconds = Math.round((performance.now() - start) / 1000);
  times.push(`${String(seconds).padStart(4)} s  ${name}${failures > 0 ? ': failed' : ''}`);
  console.log(`\n-- ${name}\n${out}${err}`.trimEnd());
}

// Load from another one cannot make a counter-proof succeed.
const alone = options.includes('--counter-proof') ? [] : names.filter((name) => ALONE.includes(name));
const beside = names.filter((name) => !alone.includes(name));
await withConcurrency(beside, run, AT_ONCE);
await withConcurrency(alone, run, 1);
console.log(`\n${times.join('\n')}\n\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
