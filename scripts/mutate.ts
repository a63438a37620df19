/**
 * `bun scripts/mutate.ts`: changes the server one expression or statement at a time, and runs the tests of the API.
 * A change that no test notices survives, and shows what no test demands. The score of a folder is the share of its
 * changes that a test noticed.
 *
 * Works on a copy of a commit in a temporary folder. The same seed selects the same changes of the same source.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { seeded, shuffle } from '@hub/testkit/random';

const SOURCE = 'apps/api/src';
const TESTS = './apps/api';
/** A change can make a test run forever, which counts as noticed. */
const LIMIT_MS = 400_000;
const OPTIONS = ['--timeout', '30000', '--bail', '--pass-with-no-tests'];

interface Mutation {
  /** From 0, in UTF-16 units. */
  start: number;
  end: number;
  replacement: string;
}

/** The token of a condition or value, surrounded as Biome formats it, and what it becomes. */
const REPLACEMENTS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ <= /g, ' < '],
  [/ >= /g, ' > '],
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/(?<=\bif \()(?=.*\) )/g, 'true || '],
  [/(?<=\bif \()(?=.*\) )/g, 'false && '],
];

/** A call, an assignment or a `throw` that is a whole line and a whole statement. */
const STATEMENT =
  /^ +(?!return\b|const\b|let\b|import\b|export\b|super\b|\.)(?:[\w#.?!()[\]]+(?:\(.*\)| [-+]?= .*)|await .*|throw .*|delete .*);$/;

/** Returns all changes that leave a valid program. Comments and lines with types are skipped. */
export function mutationsOf(source: string): Mutation[] {
  const found: Mutation[] = [];
  let start = 0;
  let isComment = false;
  for (const line of source.split('\n')) {
    const code = line.trimStart();
    if (code.startsWith('/*')) isComment = true;
    if (!isComment && !/^(?:\/\/|import |export type |type |interface |declare |readonly )/.test(code)) {
      for (const [pattern, replacement] of REPLACEMENTS) {
        for (const { index, 0: text } of line.matchAll(pattern)) {
          found.push({ start: start + index, end: start + index + text.length, replacement });
        }
      }
      if (STATEMENT.test(line)) found.push({ start, end: start + line.length, replacement: '' });
    }
    if (code.endsWith('*/')) isComment = false;
    start += line.length + 1;
  }
  const before = compiled(source);
  return found.filter((mutation) => {
    const after = compiled(mutated(source, mutation));
    return after !== null && after !== before;
  });
}

export function mutated(source: string, { start, end, replacement }: Mutation): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

const transpiler = new Bun.Transpiler({ loader: 'ts' });

function compiled(source: string): string | null {
  try {
    return transpiler.transformSync(source);
  } catch {
    return null;
  }
}

if (import.meta.main) await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      folders: { type: 'string', default: 'keys,items,live,storage,http,public-api,posts' },
      sample: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      commit: { type: 'string', default: 'HEAD' },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'hub-mutate-'));
  const root = resolve(import.meta.dir, '..');
  const copy = join(folder, 'copy');
  process.on('exit', () => {
    Bun.spawnSync(['git', 'worktree', 'remove', '--force', copy], { cwd: root });
    rmSync(folder, { recursive: true, force: true });
  });
  process.on('SIGINT', () => process.exit(130));
  await required(root, 'git', 'worktree', 'add', '--detach', copy, values.commit);
  await required(copy, process.execPath, 'install', '--frozen-lockfile', '--silent');
  await required(copy, process.execPath, 'apps/web/build.ts');

  if (await fails(copy, TESTS)) throw new Error(`The tests in ${TESTS} fail without a change`);

  let survivors = 0;
  for (const name of values.folders.split(',')) {
    const sample = sampleOf(join(copy, SOURCE, name), { size: Number(values.sample), seed: Number(values.seed) });
    let killed = 0;
    for (const { path, mutation } of sample) {
      const source = readFileSync(path, 'utf8');
      writeFileSync(path, mutated(source, mutation));
      const isNoticed = (await fails(copy, `./${SOURCE}/${name}`)) || (await fails(copy, TESTS));
      writeFileSync(path, source);
      if (isNoticed) killed += 1;
      else console.log(`survived  ${described(path.slice(copy.length + 1), source, mutation)}`);
    }
    survivors += sample.length - killed;
    console.log(`${name}: ${killed} of ${sample.length} noticed`);
  }
  process.exit(survivors === 0 ? 0 : 1);
}

/**
 * Selects from all changes in a folder, so that a long file has as many as its length deserves. Leaves out what only
 * `bun run test:postgres` runs.
 */
function sampleOf(folder: string, { size, seed }: { size: number; seed: number }) {
  const files = [...new Bun.Glob('**/*.ts').scanSync({ cwd: folder, absolute: true })]
    .filter((path) => !/\.test\.ts$|contract-suite|\/(?:postgres|move)\//.test(path))
    .sort();
  const all = files.flatMap((path) => mutationsOf(readFileSync(path, 'utf8')).map((mutation) => ({ path, mutation })));
  const order = shuffle(
    all.map((_, index) => index),
    seeded(seed),
  );
  return order.slice(0, size).flatMap((index) => all[index] ?? []);
}

/** Whether a test fails, or takes too long. */
async function fails(cwd: string, ...tests: string[]): Promise<boolean> {
  const child = Bun.spawn([process.execPath, 'test', ...OPTIONS, ...tests], {
    cwd,
    env: { ...process.env, MIMALLOC_PURGE_DELAY: '-1' },
    stdout: 'ignore',
    stderr: 'ignore',
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  return (await child.exited) !== 0;
}

async function required(cwd: string, ...command: string[]): Promise<void> {
  const child = Bun.spawn(command, { cwd, stdout: 'ignore', stderr: 'pipe' });
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${await child.stderr.text()}`);
}

function described(path: string, source: string, mutation: Mutation): string {
  const lineStart = source.lastIndexOf('\n', mutation.start - 1) + 1;
  const lineNumber = source.slice(0, lineStart).split('\n').length;
  const lineOf = (text: string) => text.slice(lineStart).split('\n', 1)[0]?.trim() ?? '';
  return `${path}:${lineNumber}  ${lineOf(source)}  →  ${lineOf(mutated(source, mutation)) || '(deleted)'}`;
}
