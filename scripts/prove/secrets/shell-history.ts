import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOf, HUBCTL, type Terminal } from './hubctl-process.ts';
import { watchProcess } from './process-list.ts';

/**
 * Types lines into an interactive shell and exits it, so that it writes its history. Records its output, and what the
 * system shows of it while it runs. Returns the history, which is in the searched home directory.
 */
export async function typeIntoShell(terminal: Terminal, lines: readonly string[]): Promise<string> {
  const { hunt, home } = terminal;
  const history = join(home, '.bash_history');
  writeFileSync(join(home, '.bashrc'), `hubctl() { '${process.execPath}' --no-env-file '${HUBCTL}' "$@"; }\n`, {
    mode: 0o600,
  });
  const shell = Bun.spawn(['/bin/bash', '--noprofile', '-i'], {
    cwd: home,
    env: { ...environmentOf(terminal), HISTFILE: history, PS1: '' },
    stdin: Buffer.from(`set -o history\n${lines.join('\n')}\nexit 0\n`),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const seen = watchProcess(shell.pid, '/bin/bash');
  const [stdout, stderr, code] = await Promise.all([shell.stdout.text(), shell.stderr.text(), shell.exited]);
  const { cmdline, environ, others } = await seen;
  hunt.expect('the shell', 0, code, stderr);
  hunt.note('what the shell shows', stdout + stderr);
  hunt.note('the processes of the shell', [cmdline, environ, others].join('\0'));
  return existsSync(history) ? readFileSync(history, 'utf8') : '';
}
