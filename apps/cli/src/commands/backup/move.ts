import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand, LOCAL_EXITS } from '../../runtime/command-line.ts';
import { CliError, EXIT, type ExitCode, failed } from '../../runtime/errors.ts';

interface MoveOptions {
  from?: string;
  to?: string;
}

export function addMoveCommand(program: Command, cli: Cli): void {
  addCommand(program, 'move', {
    about: 'Move the workspace of a stopped server from SQLite to PostgreSQL, or back',
    prints:
      'What was moved, and the next step.\n' +
      'With --json: {"from", "to", "hubs", "items", "isNewEpoch", "tables": [{"name", "rows", "sha256"}]}.',
    more: {
      title: 'About moves',
      text:
        'Stop the server or all nodes first. The target must be empty. Every table is compared after the copy, and if\n' +
        'anything goes wrong, the target stays empty. IDs, numbers, keys, passwords and sessions stay as they are.\n' +
        'If you omit --from or --to, it comes from HUB_DATABASE_URL or HUB_DATABASE_URL_FILE. This keeps the password\n' +
        'out of the process list.\n' +
        'This runs `hub move`, since only the server knows both storages.',
    },
    exits: LOCAL_EXITS,
    examples: [
      'hubctl move --from /var/lib/hub --to postgres://hub@db.example.org/hub',
      'hubctl move --from postgres://hub@db.example.org/hub --to /var/lib/hub',
    ],
  })
    .option('--from <source>', 'Data directory, backup, or address of a PostgreSQL database')
    .option('--to <target>', 'Address of an empty database, or an empty data directory')
    .action((options: MoveOptions) => move(cli, options));
}

async function move(cli: Cli, { from, to }: MoveOptions): Promise<void> {
  const argv = ['move'];
  if (from !== undefined) argv.push('--from', from);
  if (to !== undefined) argv.push('--to', to);
  if (cli.json) argv.push('--json');
  const [command = '', ...before] = serverProgram();
  const { exitCode, stdout } = await runProgram(cli, command, [...before, ...argv]);
  if (exitCode === EXIT.done) {
    cli.output.raw(stdout);
    return;
  }
  const { code, message } = errorIn(stdout) ?? MOVE_FAILED;
  throw new CliError(code, message, {}, exitCode as ExitCode);
}

/** Returns the error document of the server; `null` without --json, or if the server ended before it printed one. */
function errorIn(stdout: string): { code: string; message: string } | null {
  try {
    return (JSON.parse(stdout) as { error: { code: string; message: string } }).error;
  } catch {
    return null;
  }
}

/** The error itself is on standard error. */
const MOVE_FAILED = { code: 'cancelled', message: 'Nothing was moved.' };

/** Returns the command that starts the server: in this repository, in the image, or beside the executable of hubctl. */
function serverProgram(): string[] {
  const { execPath } = process;
  const main = join(import.meta.dirname, '../../../../api/src/main.ts');
  if (existsSync(main)) return [execPath, main];
  const name = `hub${extname(execPath)}`;
  if (basename(execPath) === name) return [execPath];
  const beside = join(dirname(execPath), name);
  if (process.versions.bun !== undefined && existsSync(beside)) return [beside];
  throw failed(
    'unsupported',
    '`hubctl move` runs the server, which is not beside this hubctl.',
    'Run it with the server: hub move --help',
  );
}

/** Runs a program. In a terminal, it prints there itself, since it shows its progress and wraps lines to the width. */
function runProgram(cli: Cli, command: string, argv: string[]): Promise<{ exitCode: number; stdout: string }> {
  const { stdout: out, stderr, env } = cli.deps;
  const { BUN_BE_BUN: _, ...ofServer } = env;
  return new Promise((resolve, reject) => {
    const stdio = [out.isTTY && !cli.json, stderr.isTTY].map((isShown) => (isShown ? 'inherit' : 'pipe'));
    const child = spawn(command, argv, { env: ofServer, stdio: ['ignore', ...stdio] });
    let stdout = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => stderr.write(text));
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode: exitCode ?? EXIT.failed, stdout }));
  });
}
