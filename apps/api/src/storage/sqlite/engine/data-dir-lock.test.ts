import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../../../platform/errors.ts';
import { LOCK_FILE, lockDataDir } from './data-dir-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hub-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Takes the lock in another process. Resolves once it is held. */
async function lockElsewhere() {
  const script = `
    import { lockDataDir } from '${import.meta.dir}/data-dir-lock.ts';
    globalThis.lock = lockDataDir(${JSON.stringify(folder)});
    process.stdout.write('locked');
    setInterval(() => {}, 1000);`;
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' });
  const { value } = await child.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toBe('locked');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await child.exited;
  };
  return { kill, [Symbol.asyncDispose]: kill };
}

test('a second server on the same folder is rejected with advice', async () => {
  await using _other = await lockElsewhere();
  expect(() => lockDataDir(folder)).toThrow(StartError);
  expect(() => lockDataDir(folder)).toThrow(`Another Hub server is running on ${folder}. Stop it first`);
});

test('the lock of a killed server is released', async () => {
  const other = await lockElsewhere();
  await other.kill();
  lockDataDir(folder).release();
});

test('a released lock can be taken again, and leaves a single empty file', () => {
  lockDataDir(folder).release();
  lockDataDir(folder).release();
  expect(readdirSync(folder)).toEqual([LOCK_FILE]);
});

test('the lock survives garbage collection', async () => {
  const lock = lockDataDir(folder);
  Bun.gc(true);
  const script = `import { lockDataDir } from '${import.meta.dir}/data-dir-lock.ts'; lockDataDir(${JSON.stringify(folder)});`;
  const child = Bun.spawn([process.execPath, '-e', script], { stderr: 'pipe' });
  expect(await child.exited).not.toBe(0);
  expect(await new Response(child.stderr).text()).toContain('Another Hub server is running');
  lock.release();
});
