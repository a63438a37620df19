import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
