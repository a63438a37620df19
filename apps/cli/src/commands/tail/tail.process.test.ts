import { describe, expect, test } from 'bun:test';
import { temporaryFolder } from '@hub/testkit/cli/files';
import { PROGRAMS } from '@hub/testkit/cli/programs';
import { startTailing } from '@hub/testkit/cli/tail';
import { KEYS, openTerminal } from '@hub/testkit/cli/terminal';

describe.each(PROGRAMS)('on %s', (_, program) => {
  test('tail exits with 0 on Ctrl-C, and restores the terminal', async () => {
    await using on = await startTailing();
    await on.write('one');
    const terminal = await openTerminal(
      'hubctl tail; echo "code $?"',
      { HUB_ADMIN_SOCKET: on.hub.socketPath },
      120,
      program,
    );
    await terminal.shows('Ada Lovelace: one');
    await on.write('two');
    await terminal.shows('Ada Lovelace: two');
    terminal.press(KEYS.ctrlC);
    await terminal.shows('code 0');
    await terminal.exited;
    expect(terminal.screen()).not.toContain('\u001b');
  });

  test('tail exits silently when its output pipe is closed', async () => {
    await using on = await startTailing();
    for (let count = 0; count < 50; count += 1) await on.write(`Number ${count} ${'x'.repeat(2_000)}`);
    const line = `set -o pipefail; ${(await program()).join(' ')} tail --json --since all | head -1`;
    const bash = Bun.spawn(['bash', '--norc', '-c', line], {
      env: { PATH: process.env.PATH, HUB_ADMIN_SOCKET: on.hub.socketPath },
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [stdout, stderr, code] = await Promise.all([bash.stdout.text(), bash.stderr.text(), bash.exited]);
    expect({ lines: stdout.trim().split('\n').length, stderr, code }).toEqual({ lines: 1, stderr: '', code: 0 });
  });

  test('tail exits on SIGTERM even if nobody reads its output', async () => {
    await using on = await startTailing();
    using folder = temporaryFolder();
    // More than a pipe holds, so that tail waits for the reader.
    await on.post('notes', { content: 'x'.repeat(200_000) });
    const script = 'mkfifo pipe; exec 3<>pipe; "$@" >pipe & read -N1 <&3; kill $!; wait $!; echo "code $?"';
    const command = [...(await program()), 'tail', '--json', '-n', '1'];
    const bash = Bun.spawn(['bash', '--norc', '-c', script, 'bash', ...command], {
      cwd: folder.path,
      env: { PATH: process.env.PATH, HUB_ADMIN_SOCKET: on.hub.socketPath },
      stdout: 'pipe',
    });
    expect(await bash.stdout.text()).toBe('code 0\n');
  });
});
