import { expect, test } from 'bun:test';
import { resolve } from 'node:path';
import { startTailing } from '../../testing/tail-on-hub.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { KEYS, openTerminal } from '../../testing/terminal.ts';

const MAIN = resolve(import.meta.dir, '../../main.ts');

test('Ctrl-C ends it with 0, and leaves the terminal as it was', async () => {
  await using on = await startTailing();
  await on.say('one');
  const terminal = openTerminal('hubctl tail; echo "code $?"', { HUB_ADMIN_SOCKET: on.hub.socketPath });
  await terminal.shows('Ada Lovelace: one');
  await on.say('two');
  await terminal.shows('Ada Lovelace: two');
  terminal.press(KEYS.ctrlC);
  await terminal.shows('code 0');
  await terminal.exited;
  expect(terminal.screen()).not.toContain('\u001b');
});

test('a pipe that closes early ends it quietly', async () => {
  await using on = await startTailing();
  for (let count = 0; count < 50; count += 1) await on.say(`Number ${count} ${'x'.repeat(2_000)}`);
  const line = `set -o pipefail; ${process.execPath} ${MAIN} tail --json --since all | head -1`;
  const bash = Bun.spawn(['bash', '--norc', '-c', line], {
    env: { PATH: process.env.PATH, HUB_ADMIN_SOCKET: on.hub.socketPath },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, code] = await Promise.all([bash.stdout.text(), bash.stderr.text(), bash.exited]);
  expect({ lines: stdout.trim().split('\n').length, stderr, code }).toEqual({ lines: 1, stderr: '', code: 0 });
});

test('who is told to end does so, also while nobody reads what it has written', async () => {
  await using on = await startTailing();
  using folder = temporaryFolder();
  // More than a pipe holds: after the first character it waits for a reader.
  await on.post('notes', { content: 'x'.repeat(200_000) });
  const script = 'mkfifo pipe; exec 3<>pipe; "$@" >pipe & read -N1 <&3; kill $!; wait $!; echo "code $?"';
  const command = [process.execPath, MAIN, 'tail', '--json', '-n', '1'];
  const bash = Bun.spawn(['bash', '--norc', '-c', script, 'bash', ...command], {
    cwd: folder.path,
    env: { PATH: process.env.PATH, HUB_ADMIN_SOCKET: on.hub.socketPath },
    stdout: 'pipe',
  });
  expect(await bash.stdout.text()).toBe('code 0\n');
});
