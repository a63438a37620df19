import { statfsSync, statSync } from 'node:fs';
import type { ApiKey, Person, ServerStatus } from '@hub/contract';
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
      'With --json: {"items": [{"check", "status", "message", "remedy"}]}, where "status" is "ok", "warning" or\n' +
      '"problem"; if there is a problem, the same as "findings" of the error.',
    exits: '0 well, or warnings alone, 1 something is wrong, 2 wrong usage,\n3 cannot reach the server, 4 not allowed',
    examples: ['hubctl doctor', 'hubctl doctor --json'],
  });
}

async function findOut(cli: Cli): Promise<void> {
  const status = await cli.api.get<ServerStatus>('/status');
  const [people, keys] = await Promise.all([cli.api.all<Person>('/people'), cli.api.all<ApiKey>('/keys')]);
  const { version, clock } = cli.deps;
  const folder = cli.connection.kind === 'socket' ? folderAt(status.dataDir) : null;
  const findings = examine({ status, people, keys, folder, version, nowMs: clock.now() });
  const wrong = findings.filter(({ status: how }) => how === 'problem').length;
  if (!cli.json) for (const finding of findings) print(cli, finding);
  if (wrong > 0) {
    const message = wrong === 1 ? '1 thing is wrong.' : `${wrong} things are wrong.`;
    throw new CliError('unwell', EXIT.failed, message, { findings });
  }
  if (cli.json) return cli.output.document({ items: findings });
  const warnings = findings.filter(({ status: how }) => how === 'warning').length;
  cli.output.note(warnings === 0 ? 'Nothing needs care.' : `${count(warnings, 'thing')} to see to.`);
}

/** `null`: it is not here, as in a container, or this user may not look. */
function folderAt(path: string): Folder | null {
  try {
    const { bavail, bsize } = statfsSync(path);
    return { isOpen: (statSync(path).mode & 0o077) !== 0, freeBytes: bavail * bsize };
  } catch {
    return null;
  }
}

const LOOKS: Record<Finding['status'], Segment> = {
  ok: styled('green', 'ok       '),
  warning: styled('yellow', 'warning  '),
  problem: styled('red', 'problem  '),
};

function print(cli: Cli, { check, status, message, remedy }: Finding): void {
  cli.output.line(LOOKS[status], styled('bold', check.padEnd(9)), message);
  if (remedy !== null) cli.output.line(' '.repeat(18), typeable(remedy, cli.deps.env));
}
