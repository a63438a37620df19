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
