import { expect, test } from 'bun:test';
import { resolve } from 'node:path';
import { settings } from '../platform/config.ts';
import { replyToArguments } from './arguments.ts';

const MAIN = resolve(import.meta.dir, '../main.ts');

test('without arguments, the program serves', () => {
  expect(replyToArguments([], '1.2.3')).toBeNull();
});

test('--version prints the version, and --help every setting with its default', () => {
  expect(replyToArguments(['--version'], '1.2.3')).toEqual({ text: '1.2.3', exitCode: 0 });
  const { text, exitCode } = replyToArguments(['--help'], '1.2.3') ?? {};
  expect(exitCode).toBe(0);
  expect(text).toStartWith('Hub 1.2.3\n');
  for (const { name } of Object.values(settings)) expect(text).toContain(`\n  ${name}`);
  expect(text).toContain('  HUB_PORT (default: 3000)\n      The TCP port to listen on.\n');
  expect(text).not.toMatch(/`|\]\(|undefined|null|\[object/);
});

test('a process with an unknown argument exits with 2, serves nothing and creates nothing', async () => {
  const cwd = resolve(import.meta.dir);
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, MAIN, '--port', '80'], { cwd, env: {} });
  expect({ exitCode, stdout: stdout.toString() }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr.toString()).toContain('The server takes no arguments, but got "--port".');
  expect(await Bun.file(resolve(cwd, 'data/hub.db')).exists()).toBe(false);
});
