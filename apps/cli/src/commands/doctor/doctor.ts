import { statfsSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { ServerStatus, User } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { CliError, EXIT } from '../../runtime/errors.ts';
import { count } from '../../runtime/format.ts';
import { addCommand } from '../../runtime/help.ts';
import { type Segment, styled, typeable } from '../../runtime/output.ts';
import { loadKeysToExamine } from '../keys/doctor.ts';
import { examine, type Finding, type Folder } from './findings.ts';

export function addDoctor(program: Command, cli: Cli): void {
  addCommand(program, 'doctor', {
    about: "Check the server's health: setup, encryption, data, backups and keys",
    prints:
      'Each check, its result, and the command that fixes a problem.\n' +
      'With --json: {"items": [{"check", "status", "message", "remedy"}]}, where "status" is "ok", "warning",\n' +
      '"problem" or "unchecked" (the check could not run). If there are problems, the error has the same list as "findings".',
    exits: '0 no problems, 1 problems found, 2 usage error,\n3 server unreachable, 4 not allowed',
    examples: ['hubctl doctor', 'hubctl doctor --json'],
  }).action(async () => {
    const status = await cli.api.get<ServerStatus>('/status');
    const [users, keys] = await Promise.all([cli.api.all<User>('/people'), loadKeysToExamine(cli)]);
    const { version, clock } = cli.deps;
    const folder: Folder =
      cli.connection.kind === 'socket'
        ? folderAt(status.dataDir)
        : { uncheckedBecause: 'this needs the admin socket of the server.' };
    const findings = examine({ status, users, keys, folder, version, nowMs: clock.now() });
    const problems = findings.filter(({ status: how }) => how === 'problem').length;
    if (!cli.json) for (const finding of findings) print(cli, finding);
    if (problems > 0) {
      const message = `${count(problems, 'problem')} found.`;
      throw new CliError('unwell', EXIT.failed, message, { findings });
    }
    if (cli.json) return cli.output.document({ items: findings });
    const countOf = (wanted: Finding['status']) => findings.filter(({ status: how }) => how === wanted).length;
    const [warnings, unchecked] = [countOf('warning'), countOf('unchecked')];
    const summary = [
      ...(warnings > 0 ? [`${count(warnings, 'warning')} found.`] : []),
      ...(unchecked > 0 ? [`${count(unchecked, 'check')} could not run.`] : []),
    ];
    cli.output.note(summary.join(' ') || 'No problems found.');
  });
}

function folderAt(path: string): Folder {
  if (!isAbsolute(path))
    return { uncheckedBecause: `the server reports the relative path ${path}. Set HUB_DATA_DIR to an absolute path.` };
  try {
    const { bavail, bsize } = statfsSync(path);
    return { isOpen: (statSync(path).mode & 0o077) !== 0, freeBytes: bavail * bsize };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    // The path may exist only inside the server's container.
    if (isMissing) return { uncheckedBecause: `${path} does not exist on this machine.` };
    const isForbidden = code === 'EACCES' || code === 'EPERM';
    return { uncheckedBecause: isForbidden ? `you do not have permission to read ${path}.` : `${path}: ${message}.` };
  }
}

const STATUS_LABELS: Record<Finding['status'], Segment> = {
  ok: styled('green', 'ok         '),
  warning: styled('yellow', 'warning    '),
  problem: styled('red', 'problem    '),
  unchecked: styled('yellow', 'unchecked  '),
};

function print(cli: Cli, { check, status, message, remedy }: Finding): void {
  cli.output.line(STATUS_LABELS[status], styled('bold', check.padEnd(9)), message);
  if (remedy !== null) cli.output.line(' '.repeat(20), typeable(remedy, cli.deps.env));
}
