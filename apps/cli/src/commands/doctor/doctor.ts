import { statfsSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { ApiKey, ServerStatus, User } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { typeable } from '../../runtime/command-name.ts';
import { CliError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';
import { helpNotes } from '../../runtime/help.ts';
import { type Segment, styled } from '../../runtime/output.ts';
import { count } from '../../runtime/times.ts';
import { examine, type Finding, type Folder } from './findings.ts';

export function addDoctor(program: Command, cli: Cli): void {
  const command = program
    .command('doctor')
    .description('look whether the server is well: set-up, encryption, data, backup, keys')
    .action(() => findOut(cli));
  helpNotes(command, {
    prints:
      'What it looked at, how that is, and the command that mends it.\n' +
      'With --json: {"items": [{"check", "status", "message", "remedy"}]}, where "status" is "ok", "warning",\n' +
      '"problem" or "unchecked" (the check could not run); if there is a problem, the same as "findings" of the error.',
    exits: '0 no problems, 1 something is wrong, 2 wrong usage,\n3 cannot reach the server, 4 not allowed',
    examples: ['hubctl doctor', 'hubctl doctor --json'],
  });
}

async function findOut(cli: Cli): Promise<void> {
  const status = await cli.api.get<ServerStatus>('/status');
  const [users, keys] = await Promise.all([cli.api.all<User>('/people'), cli.api.all<ApiKey>('/keys')]);
  const { version, clock } = cli.deps;
  const folder: Folder =
    cli.connection.kind === 'socket'
      ? folderAt(status.dataDir)
      : { uncheckedBecause: 'it needs the admin socket of the server.' };
  const findings = examine({ status, users, keys, folder, version, nowMs: clock.now() });
  const wrong = findings.filter(({ status: how }) => how === 'problem').length;
  if (!cli.json) for (const finding of findings) print(cli, finding);
  if (wrong > 0) {
    const message = wrong === 1 ? '1 thing is wrong.' : `${wrong} things are wrong.`;
    throw new CliError('unwell', EXIT.failed, message, { findings });
  }
  if (cli.json) return cli.output.document({ items: findings });
  const amountOf = (wanted: Finding['status']) => findings.filter(({ status: how }) => how === wanted).length;
  const [warnings, unchecked] = [amountOf('warning'), amountOf('unchecked')];
  const summary = [
    ...(warnings > 0 ? [`${count(warnings, 'thing')} to see to.`] : []),
    ...(unchecked > 0 ? [`${count(unchecked, 'check')} could not run.`] : []),
  ];
  cli.output.note(summary.join(' ') || 'No problems found.');
}

function folderAt(path: string): Folder {
  if (!isAbsolute(path))
    return { uncheckedBecause: `the server reports the relative path ${path}; set HUB_DATA_DIR to an absolute one.` };
  try {
    const { bavail, bsize } = statfsSync(path);
    return { isOpen: (statSync(path).mode & 0o077) !== 0, freeBytes: bavail * bsize };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    // As with a server in a container.
    if (isMissing) return { uncheckedBecause: `there is no ${path} on this machine.` };
    const isForbidden = code === 'EACCES' || code === 'EPERM';
    return { uncheckedBecause: isForbidden ? `you may not look into ${path}.` : `${path}: ${message}.` };
  }
}

const LOOKS: Record<Finding['status'], Segment> = {
  ok: styled('green', 'ok         '),
  warning: styled('yellow', 'warning    '),
  problem: styled('red', 'problem    '),
  unchecked: styled('yellow', 'unchecked  '),
};

function print(cli: Cli, { check, status, message, remedy }: Finding): void {
  cli.output.line(LOOKS[status], styled('bold', check.padEnd(9)), message);
  if (remedy !== null) cli.output.line(' '.repeat(20), typeable(remedy, cli.deps.env));
}
