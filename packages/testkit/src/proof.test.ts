import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pace, until, withConcurrency } from './concurrency.ts';
import { pick, seeded, shuffle } from './random.ts';
import { median, quantile, table } from './statistics.ts';

/** Runs a proof with this body as a program. */
async function prove(body: string, ...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const proof = JSON.stringify(join(import.meta.dir, 'proof.ts'));
  const script = `import { proofOptions, runProof } from ${proof}; const options = proofOptions({ rounds: 2, fast: false }, { long: { rounds: 9 } }); const counterProofs = [{ fails: 'kept' }]; ${body}`;
  const folder = mkdtempSync(join(tmpdir(), 'hub-testkit-'));
  try {
    const file = join(folder, 'proof.ts');
    await Bun.write(file, script);
    const child = Bun.spawn([process.execPath, file, ...argv], { stdout: 'pipe', stderr: 'pipe' });
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { code, out, err };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a proof prints its checks and their number, and fails with one of them, with an error, and with none', async () => {
  const body =
    "proof.check('one', true, options.rounds + String(options.fast)); proof.none('two', []); proof.report('three')";
  const run = (inner: string, ...argv: string[]) =>
    prove(`await runProof({ limitSeconds: 5, counterProofs }, async (proof) => { ${inner} })`, ...argv);
  expect(await run(body)).toEqual({
    code: 0,
    out: 'ok   one: 2false\nok   two\n     three\n2 passed, 0 failed\n',
    err: '',
  });
  const failed = await run("proof.check('one', true); proof.none('two', ['a', 'b', 'c', 'd'], 'of many')");
  expect(failed).toEqual({
    code: 1,
    out: 'ok   one\nFAIL two: of many; a; b; c; 4 in all\n1 passed, 1 failed\n',
    err: '',
  });
  expect(await run("throw new Error('broken')")).toMatchObject({ code: 1, out: expect.stringContaining('broken') });
  expect(await run('')).toMatchObject({ code: 1, out: '0 passed, 0 failed\n' });
  expect(await run("proof.check('one', options.rounds === 9)", '--long')).toMatchObject({ code: 0 });
});

test('a proof runs only the part that is named, and fails if the source lacks the line that a counter-proof changes', async () => {
  const parts = "for (const name of ['a', 'b']) await proof.part(name, async () => proof.check(name, true))";
  const run = (counterProofs: string, ...argv: string[]) =>
    prove(
      `await runProof({ limitSeconds: 5, counterProofs: ${counterProofs} }, async (proof) => { ${parts} })`,
      ...argv,
    );
  expect((await run('counterProofs')).out).toMatch(/^ok {3}a\n.*\nok {3}b\n.*\n2 passed, 0 failed\n$/);
  expect((await run('counterProofs', '--part', 'b')).out).toMatch(/^ok {3}b\n.*\n1 passed, 0 failed\n$/);
  const change = "{ file: 'package.json', find: 'no such line', replace: '' }";
  const { code, out } = await run(`[{ change: ${change}, fails: 'a' }]`);
  expect(code).toBe(1);
  expect(out).toContain('FAIL the source has the line that a counter-proof changes: no such line\n');
});

test('a proof that takes too long fails', async () => {
  const { code, out } = await prove(
    'await runProof({ limitSeconds: 0.05, counterProofs }, () => new Promise(() => setInterval(() => {}, 9)))',
  );
  expect(code).toBe(1);
  expect(out).toContain('took longer than 0.05 s');
});

test('a counter-proof ends well once the check that must notice the change fails, and only then', async () => {
  const run = (inner: string) =>
    prove(`await runProof({ limitSeconds: 5, counterProofs }, async (proof) => { ${inner} })`, '--counter-proof');
  const noticed = await run("proof.check('another', false); proof.check('posts are kept', !proof.isCounterProof)");
  expect(noticed).toEqual({
    code: 0,
    out: '     fails: another\nok   the change is noticed, since this fails: posts are kept\n1 passed, 0 failed\n',
    err: '',
  });
  expect(await run("proof.check('posts are kept', true); proof.check('another', false)")).toMatchObject({
    code: 1,
    out: expect.stringContaining('0 passed, 1 failed'),
  });
  expect(await run("throw new Error('kept')")).toMatchObject({ code: 1 });
});

test('with --long, all counter-proofs run, and all of them must end well', async () => {
  const run = (claims: string) =>
    prove(
      `await runProof({ limitSeconds: 5, counterProofs: [{ fails: 'kept' }, { fails: 'in order' }] }, async (proof) => {
        for (const claim of ${claims}) proof.check(claim, false);
      })`,
      '--counter-proof',
      '--long',
    );
  const both = await run("['posts are in order', 'posts are kept']");
  expect(both.code).toBe(0);
  expect(both.out.match(/fails: posts are (kept|in order)$/gm)).toHaveLength(3);
  expect(both.out).toContain('counter-proof 1 of 2: kept\n');
  expect(both.out).toEndWith('2 passed, 0 failed\n');
  const one = await run("['posts are kept']");
  expect(one.code).toBe(1);
  expect(one.out).toContain('FAIL the change makes this fail: in order: no check has this in its claim\n');
  expect(one.out).toEndWith('1 passed, 1 failed\n');
});

test('the example in the README passes', async () => {
  const readme = await Bun.file(join(import.meta.dir, '../README.md')).text();
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'hub-testkit-'));
  try {
    const file = join(folder, 'example.ts');
    await Bun.write(file, example.replace("'@hub/testkit'", JSON.stringify(join(import.meta.dir, 'index.ts'))));
    const child = Bun.spawn([process.execPath, file, '--posts', '20'], { stdout: 'pipe', stderr: 'inherit' });
    const out = 'ok   every acknowledged post is there after a kill: 20 posts\n1 passed, 0 failed\n';
    expect(await child.stdout.text()).toBe(out);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each([
  [['--rounds', 'many'], '--rounds must be a number from 0, as in --rounds 2'],
  [['--rounds', '-1'], 'ambiguous'],
  [['--rounds='], '--rounds must be a number from 0'],
  [['--turns', '2'], "Unknown option '--turns'"],
])('options %p are rejected with a message', async (argv, message) => {
  const { code, err } = await prove('', ...argv);
  expect(code).toBe(2);
  expect(err).toContain(message);
});

test('seeded numbers are the same for the same seed, spread evenly, and shuffle a list without losing any', () => {
  const [one, same, other] = [seeded(7), seeded(7), seeded(8)];
  const numbers = Array.from({ length: 1_000 }, one);
  expect(Array.from({ length: 1_000 }, same)).toEqual(numbers);
  expect(other()).not.toBe(numbers[0] as number);
  expect(Math.abs(numbers.reduce((sum, value) => sum + value, 0) / 1_000 - 0.5)).toBeLessThan(0.03);
  const shuffled = shuffle([1, 2, 3, 4, 5, 6, 7, 8], one);
  expect(shuffled).not.toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(shuffled.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(new Set(Array.from({ length: 100 }, () => pick(one, ['a', 'b'])))).toEqual(new Set(['a', 'b']));
});

test('quantiles and medians need no sorted values, and are NaN of none', () => {
  const values = [5, 1, 4, 2, 3];
  expect([0, 0.5, 0.99, 1].map((share) => quantile(values, share))).toEqual([1, 3, 5, 5]);
  expect([median(values), median([1, 2]), median([]), quantile([], 0.5)]).toEqual([3, 1.5, Number.NaN, Number.NaN]);
  expect(values).toEqual([5, 1, 4, 2, 3]);
  expect(table(['a', 'b'], [[1, 'x']])).toBe('| a | b |\n|---|---|\n| 1 | x |');
});

test('withConcurrency keeps the order of results and its limit', async () => {
  let running = 0;
  let most = 0;
  const results = await withConcurrency(
    Array.from({ length: 20 }, (_, n) => n),
    async (n) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return n * 2;
    },
    3,
  );
  expect(results).toEqual(Array.from({ length: 20 }, (_, n) => n * 2));
  expect(most).toBe(3);
});

test('until ends with the condition or the limit, and pace keeps its rate', async () => {
  let looks = 0;
  expect(await until(5_000, () => ++looks === 3)).toBe(true);
  expect(await until(1, () => false)).toBe(false);
  const start = performance.now();
  const turn = pace(1_000);
  for (let n = 0; n <= 50; n += 1) await turn();
  expect(performance.now() - start).toBeGreaterThan(49);
});
