import { afterAll, expect, test } from 'bun:test';
import { chmodSync } from 'node:fs';
import { resolve } from 'node:path';
import { runProgram } from '@hub/testkit/run-program';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { runHubctl } from '../../test/run-hubctl.ts';

const MAIN = resolve(import.meta.dir, '../main.ts');

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

/** Returns the completions that bash offers for each line. */
async function inBash(lines: string[]): Promise<string[][]> {
  // The script runs the command that it completes. Here, that is the program in this repository.
  await Bun.write(folder.file('hubctl'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
  chmodSync(folder.file('hubctl'), 0o755);
  await Bun.write(folder.file('a file.json'), '');
  const commands = lines.map((line) => {
    const words = line.split(' ').map((word) => `'${word}'`);
    const set = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; COMP_POINT=${line.length}`;
    return `${set}; COMP_LINE='${line}'; _hubctl; (IFS=,; echo "\${COMPREPLY[*]}")`;
  });
  const { stdout: script } = await runHubctl(['completion', 'bash']);
  const env = { PATH: `${folder.path}:${process.env.PATH}`, HOME: folder.path };
  const argv = ['bash', '--norc', '-c', [script, ...commands].join('\n')];
  const { stdout, stderr } = await runProgram(argv, { env, cwd: folder.path });
  // Outside a real completion, bash rejects `compopt`, and the script must hide that error.
  expect(stderr).toBe('');
  return stdout.split('\n').map((line) => line.split(','));
}

test('the bash script completes commands, options, choices and files', async () => {
  const expected: Record<string, string[]> = {
    'hubctl keys re': ['replace', 'revoke'],
    'hubctl hubs members a': ['add'],
    'hubctl --profile work hubs members a': ['add'],
    'hubctl --json post todo --pri': ['--priority'],
    'hubctl post --run': ['--run-marker'],
    'hubctl help keys rot': ['rotate'],
    'hubctl completion ': ['bash', 'zsh', 'fish', 'powershell'],
    'hubctl keys list --state ro': ['rotated'],
    'hubctl post --file a': ['a file.json'],
    'hubctl post -- re': [''],
    'hubctl hubs show re': [''],
  };
  const offered = await inBash(Object.keys(expected));
  expect(offered.slice(0, -1)).toEqual(Object.values(expected));
});

test('the other shells get descriptions, too', async () => {
  const { stdout } = await runHubctl(['__complete', 'hubctl keys rotate --']);
  expect(stdout).toContain('--out\tWrite the key to a new file');
});
