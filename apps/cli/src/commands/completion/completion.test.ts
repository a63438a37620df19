import { describe, expect, test } from 'bun:test';
import { runHubctl } from '../../testing/run-hubctl.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

async function script(shell: string): Promise<string> {
  const ran = await runHubctl(['completion', shell]);
  if (ran.code !== 0) throw new Error(ran.stderr);
  return ran.stdout;
}

/** What bash offers for the last of these words. */
async function offered(words: string[], cwd = '/'): Promise<string[]> {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const lines = [
    await script('bash'),
    `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _hubctl`,
    `printf '%s\\n' "\${COMPREPLY[@]}"`,
  ];
  const bash = Bun.spawn(['bash', '--norc', '-u', '-c', lines.join('\n')], { cwd, stdout: 'pipe', stderr: 'pipe' });
  // Outside of a real completion bash refuses `compopt`; the script must not show that.
  expect(await bash.stderr.text()).toBe('');
  return (await bash.stdout.text()).split('\n').filter((line) => line !== '');
}

describe.skipIf(!Bun.which('bash'))('in bash', () => {
  test('commands, their verbs and options are completed', async () => {
    expect(await offered(['hubctl', 'k'])).toEqual(['keys']);
    expect(await offered(['hubctl', 'keys', 're'])).toEqual(['replace', 'revoke', 'remove-posts']);
    expect(await offered(['hubctl', 'hubs', 'members', 'a'])).toEqual(['add']);
    expect(await offered(['hubctl', 'keys', 'issue', '--ex'])).toEqual(['--expires-in', '--expires-at']);
    expect(await offered(['hubctl', '--json', 'post', 'todo', '--pri'])).toEqual(['--priority']);
    expect(await offered(['hubctl', 'completion', ''])).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
  });

  test('so are the words, files and folders that an option takes', async () => {
    using folder = temporaryFolder();
    await Bun.write(folder.file('change log.md'), '');
    await Bun.write(folder.file('data/x'), '');
    expect(await offered(['hubctl', 'keys', 'list', '--state', 'r'])).toEqual(['rotated', 'revoked']);
    expect(await offered(['hubctl', 'post', 'note', '--file', 'ch'], folder.path)).toEqual(['change log.md']);
    expect(await offered(['hubctl', 'status', '--data-dir', ''], folder.path)).toEqual(['data']);
    expect(await offered(['hubctl', 'keys', 'issue', '--name', ''])).toEqual([]);
  });

  test('nothing is offered after --', async () => {
    expect(await offered(['hubctl', 'post', '--', ''])).toEqual([]);
  });
});

for (const [shell, check] of [
  ['zsh', ['zsh', '-n']],
  ['fish', ['fish', '--no-execute']],
] as const) {
  test.skipIf(!Bun.which(shell))(`${shell} can read its script`, async () => {
    using folder = temporaryFolder();
    await Bun.write(folder.file('script'), await script(shell));
    const ran = Bun.spawnSync([...check, folder.file('script')]);
    expect(ran.stderr.toString()).toBe('');
    expect(ran.exitCode).toBe(0);
  });

  test(`the script for ${shell} knows every command and option`, async () => {
    const text = await script(shell);
    for (const word of ['hubs', 'issue', 'never-expires', 'soft-fail', 'data-dir', 'rotated'])
      expect(text).toContain(word);
  });
}

test('completion --json is a document with the script', async () => {
  expect((await runHubctl(['completion', 'bash', '--json'])).json()).toMatchObject({
    shell: 'bash',
    script: await script('bash'),
  });
});
