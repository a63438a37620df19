import { expect, test } from 'bun:test';
import { chmodSync } from 'node:fs';
import { runProgram } from '@hub/testkit/run-program';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { runHubctl } from '../../test/run-hubctl.ts';

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
  using folder = temporaryFolder();
  await Bun.write(folder.file('a file.json'), '');
  // The script runs the command that it completes. Here, that finds what hubctl prints.
  await Bun.write(folder.file('hubctl'), `#!/bin/sh\n[ "$1" = __complete ] && cat "$HOME/$2"\n`);
  chmodSync(folder.file('hubctl'), 0o755);
  const commands = Object.keys(expected).map(async (line) => {
    await Bun.write(folder.file(line), (await runHubctl(['__complete', line])).stdout);
    const words = line.split(' ').map((word) => `'${word}'`);
    const set = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; COMP_POINT=${line.length}`;
    return `${set}; COMP_LINE='${line}'; _hubctl; (IFS=,; echo "\${COMPREPLY[*]}")`;
  });
  const { stdout: script } = await runHubctl(['completion', 'bash']);
  const argv = ['bash', '--norc', '-c', [script, ...(await Promise.all(commands))].join('\n')];
  const env = { PATH: `${folder.path}:${process.env.PATH}`, HOME: folder.path };
  const { stdout, stderr } = await runProgram(argv, { env, cwd: folder.path });
  // Outside a real completion, bash rejects `compopt`, and the script must hide that error.
  expect(stderr).toBe('');
  const offered = stdout.split('\n').map((line) => line.split(','));
  expect(offered.slice(0, -1)).toEqual(Object.values(expected));
});

test('the other shells get descriptions, too', async () => {
  const { stdout } = await runHubctl(['__complete', 'hubctl keys rotate --']);
  expect(stdout).toContain('--out\tWrite the key to a new file');
});
