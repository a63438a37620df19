import { statfsSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { ServerStatus, User } from '@hub/contract';
import { shellWord } from '@hub/contract/shell-word';
import type { Command } from 'commander';
import type { Cli } from '../runtime/cli.ts';
import { addCommand } from '../runtime/command-line.ts';
import { CliError } from '../runtime/errors.ts';
import { count, hasSameApi, showSpan, showTimeAndDistance } from '../runtime/format.ts';
import { isLoopback } from '../runtime/network.ts';
import { styled } from '../runtime/output.ts';
import { isLive } from '../runtime/resolve.ts';
import { examineKeys, examineKeysOnly, type KeysToExamine, loadKeysToExamine, reportFindings } from './keys/doctor.ts';
import { filesWarning } from './status.ts';

export function addDoctor(program: Command, cli: Cli): void {
  addCommand(program, 'doctor', {
    about: "Check the server's health: setup, encryption, data, backups and keys",
    prints:
      'Each check, its result, and the command that fixes a problem.\n' +
      'With --json: {"items": [{"check", "status", "message", "remedy"}]}, where "status" is "ok", "warning",\n' +
      '"problem" or "unchecked" (the check could not run). If there are problems, the error has the same list as "findings".',
    exits: '0 no problems, 1 problems found, 2 usage error,\n3 server unreachable, 4 not allowed',
    more: {
      title: 'Keys',
      text:
        'Finds keys that are blocked, expire soon, are unused, were never used, have too many scopes, or were rotated but\n' +
        'are still in use. --keys checks only keys, and also lists what needs no action.\n' +
        'With --json: {"items": [{"finding", "status", "keyId", "name", "hubName", "message", "remedy"}]}.',
    },
    examples: ['hubctl doctor', 'hubctl doctor --keys --hub Releases', 'hubctl doctor --mail ada@example.com'],
  })
    .option('--mail <address>', 'Send a test mail to this address, too')
    .option('--keys', 'Check only keys')
    .option('--hub <hub>', 'Check only keys of this Hub (ID or name)')
    .action(async ({ mail: to, keys, hub }: { mail?: string; keys?: boolean; hub?: string }) => {
      if (keys || hub !== undefined) return await examineKeysOnly(cli, hub);
      const findings = await load(cli).then(examine, findUnavailable);
      if (to !== undefined) findings.push(await sendTestMail(cli, to));
      const describe = ({ check, message }: Finding) => [styled('bold', check.padEnd(9)), message];
      reportFindings(cli, findings, 11, describe, 20);
    });
}

async function sendTestMail(cli: Cli, to: string): Promise<Finding> {
  const { problem } = await cli.api.request('POST /test-mails', { body: { to } });
  if (problem === null) return ok('mail', `Test mail sent to ${to}.`);
  const message = `Test mail not sent: ${problem}.`;
  return { check: 'mail', status: 'problem', message, remedy: MAIL_REMEDY };
}

async function load(cli: Cli): Promise<Examined> {
  const status = await cli.api.request('GET /status');
  const [users, keys] = await Promise.all([cli.api.all('GET /users'), loadKeysToExamine(cli)]);
  const { version, clock } = cli.deps;
  const folder: Folder =
    cli.connection.kind === 'socket'
      ? folderAt(status.dataDir)
      : { uncheckedBecause: 'this needs the admin socket of the server.' };
  return { status, users, keys, folder, version, nowMs: clock.now() };
}

/** Returns the finding for a server without its database; throws any other error. */
function findUnavailable(error: unknown): Finding[] {
  if (!(error instanceof CliError && error.code === 'unavailable')) throw error;
  const message = 'The server runs, but cannot use its database: requests fail with 503.';
  const remedy = "Check the disk, or PostgreSQL and HUB_DATABASE_URL. The server's log has the cause.";
  return [{ check: 'data', status: 'problem', message, remedy }];
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

const DAY_MS = 86_400_000;
/** If the last backup is older than this, nightly backups must have been failing for about a week. */
const OLD_BACKUP_MS = 7 * DAY_MS;
/** Free space that a server needs in addition to its data, for the write-ahead log and for pre-migration snapshots. */
const SPARE_BYTES = 256 * 1024 * 1024;
/** With less free space than this, a commit is likely to fail. */
const FULL_BYTES = 1024 * 1024;
/** With more warnings about keys than this, the other checks would be hard to find among them. */
const MAX_KEY_WARNINGS = 10;

/** The result of one check. */
export interface Finding {
  check: 'server' | 'owner' | 'address' | 'sign-in' | 'data' | 'backup' | 'push' | 'mail' | 'keys';
  /** `problem`: needs a fix now. `warning`: may become a problem. `unchecked`: the check could not run. */
  status: 'ok' | 'warning' | 'problem' | 'unchecked';
  message: string;
  /** Instructions to fix the problem. */
  remedy: string | null;
}

/** The data directory on this machine, or the reason why it could not be checked, as a sentence. */
type Folder =
  | {
      /** Whether other users can read or list it. */
      isOpen: boolean;
      freeBytes: number;
    }
  | { uncheckedBecause: string };

/** The input of all checks. */
export interface Examined {
  status: ServerStatus;
  users: readonly User[];
  keys: KeysToExamine;
  folder: Folder;
  /** The version of this hubctl. */
  version: string;
  nowMs: number;
}

export function examine(examined: Examined): Finding[] {
  return [server, clock, owner, address, signIn, data, files, backup, push, mail, keys].flatMap((check) =>
    check(examined),
  );
}

function server({ status, version }: Examined): Finding {
  if (!hasSameApi(status.version, version)) {
    const message = `The server is version ${status.version}; this hubctl is version ${version}.`;
    return { check: 'server', status: 'warning', message, remedy: 'Use the hubctl that came with the server.' };
  }
  return ok('server', `Version ${status.version}, up for ${showSpan(status.uptimeSeconds)}.`);
}

/** Beyond this, each node has another idea of which keys and sessions have expired. */
const MAX_CLOCK_DIFFERENCE_MS = 2_000;

/** Beyond this, ID tokens are not valid yet, or not valid any more (the default tolerance of `openid-client`). */
const MAX_PROVIDER_CLOCK_DIFFERENCE_MS = 30_000;

function differenceText(ms: number): string {
  return `${(Math.abs(ms) / 1_000).toFixed(1)} s ${ms > 0 ? 'ahead of' : 'behind'}`;
}

function clock({ status: { node } }: Examined): Finding[] {
  // Older servers do not report it.
  const differenceMs = node?.clockDifferenceMs ?? 0;
  if (Math.abs(differenceMs) <= MAX_CLOCK_DIFFERENCE_MS) return [];
  const message = `The clock of this node is ${differenceText(differenceMs)} that of the database.`;
  const remedy = 'Synchronize the clocks of all nodes and of the database (NTP).';
  return [{ check: 'server', status: 'warning', message, remedy }];
}

function owner({ users }: Examined): Finding {
  const owners = users.filter(({ role, disabledAt }) => role === 'owner' && disabledAt === null);
  if (owners.length > 0) return ok('owner', owners.map(({ name }) => name).join(', '));
  return { check: 'owner', status: 'warning', message: 'The workspace has no owner yet.', remedy: 'hubctl setup-link' };
}

function signIn({ status: { provider } }: Examined): Finding[] {
  // Older servers do not report it.
  if (!provider) return [];
  const { issuer, redirectUrl, problem, clockDifferenceMs } = provider;
  if (problem === null && Math.abs(clockDifferenceMs ?? 0) > MAX_PROVIDER_CLOCK_DIFFERENCE_MS) {
    const message = `The clock of this server is ${differenceText(clockDifferenceMs ?? 0)} that of ${issuer}.`;
    const remedy = 'Synchronize both clocks (NTP): ID tokens are rejected.';
    return [{ check: 'sign-in', status: 'problem', message, remedy }];
  }
  if (problem === null) return [ok('sign-in', `${issuer}, which sends users back to ${redirectUrl}.`)];
  const remedy = `Check HUB_OIDC_ISSUER, and whether this server can reach it. Register ${redirectUrl} there.`;
  return [{ check: 'sign-in', status: 'problem', message: `${issuer} cannot be looked up: ${problem}.`, remedy }];
}

function address({ status: { baseUrl, plainHttpHost } }: Examined): Finding {
  const remedy = 'Set HUB_TLS_CERT_FILE and HUB_TLS_KEY_FILE, or HUB_BASE_URL to the https address of your proxy.';
  const warning = (message: string): Finding => ({ check: 'address', status: 'warning', message, remedy });
  // Older servers do not report `plainHttpHost`.
  if (plainHttpHost) {
    return warning(
      `HUB_HOST is ${plainHttpHost} without TLS: keys and passwords are sent over plain HTTP, where others can read them.`,
    );
  }
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'https:' || isLoopback(hostname)) return ok('address', baseUrl);
  return warning(`Keys and passwords are sent to ${baseUrl} unencrypted.`);
}

function data({ status: { dataDir, databaseBytes, node }, folder }: Examined): Finding[] {
  if ('uncheckedBecause' in folder) {
    const message = `Could not check the data directory: ${folder.uncheckedBecause}`;
    const remedy = 'Where the server runs (in its container), as the same user: hubctl doctor --local';
    return [{ check: 'data', status: 'unchecked', message, remedy }];
  }
  const findings: Finding[] = [];
  if (folder.isOpen) {
    const message = `Other users on this machine can read ${dataDir}.`;
    findings.push({ check: 'data', status: 'problem', message, remedy: `chmod 700 ${shellWord(dataDir)}` });
  }
  if (folder.freeBytes < FULL_BYTES) {
    const message = `The disk that holds ${dataDir} is full: posts fail with 503.`;
    findings.push({
      check: 'data',
      status: 'problem',
      message,
      remedy: 'Free up disk space. Posting then resumes by itself.',
    });
  } else if (folder.freeBytes < (node === null ? databaseBytes : 0) + SPARE_BYTES) {
    const message = `The disk that holds ${dataDir} is almost full.`;
    const remedy = 'Free up disk space. When the disk is full, every post fails with 503.';
    findings.push({ check: 'data', status: 'warning', message, remedy });
  }
  return findings.length > 0 ? findings : [ok('data', dataDir)];
}

function files({ status }: Examined): Finding[] {
  const message = filesWarning(status);
  const remedy = 'Raise HUB_FILES_MAX_BYTES, or delete items that have large files.';
  return message === null ? [] : [{ check: 'data', status: 'warning', message, remedy }];
}

function backup({ status: { lastBackup, node }, nowMs }: Examined): Finding {
  if (node !== null) {
    const message = 'The workspace is in PostgreSQL. Check its backups there.';
    return { check: 'backup', status: 'unchecked', message, remedy: null };
  }
  const remedy = 'hubctl backup FILE';
  if (lastBackup === null) return { check: 'backup', status: 'warning', message: 'No backup yet.', remedy };
  const when = showTimeAndDistance(lastBackup.takenAt, nowMs);
  if (nowMs - Date.parse(lastBackup.takenAt) <= OLD_BACKUP_MS) return ok('backup', when);
  return { check: 'backup', status: 'warning', message: `The last backup was taken ${when}.`, remedy };
}

function push({ status: { pushProblem }, nowMs }: Examined): Finding[] {
  // Older servers do not report it.
  if (!pushProblem) return [];
  const message = `A push notification failed ${showTimeAndDistance(pushProblem.at, nowMs)}. ${pushProblem.message}.`;
  const remedy =
    'If the push service rejects the server, set HUB_PUSH_CONTACT to a mailto: or https: address. Otherwise, check that the server can reach it.';
  return [{ check: 'push', status: 'warning', message, remedy }];
}

const MAIL_REMEDY = 'Check HUB_SMTP_URL and HUB_MAIL_FROM. To test them: hubctl doctor --mail ADDRESS';

function mail({ status }: Examined): Finding[] {
  // Older servers do not report it.
  if (!status.mail) return [];
  const { server, from, waiting, failed, problem } = status.mail;
  const message = `From ${from} through ${server}: ${waiting} waiting, ${failed} failed.`;
  if (problem === null) return [ok('mail', message)];
  return [{ check: 'mail', status: 'warning', message: `${message} Last problem: ${problem}.`, remedy: MAIL_REMEDY }];
}

/** The findings of `doctor --keys` that need attention. Many warnings become one. */
function keys({ keys: loaded, nowMs }: Examined): Finding[] {
  const findings = examineKeys(loaded, nowMs).flatMap(({ status, name, hubName, message, remedy }): Finding[] =>
    status === 'info' ? [] : [{ check: 'keys', status, message: `The key ${name} in ${hubName} ${message}`, remedy }],
  );
  const used = loaded.keys.filter((key) => isLive(key) && !key.isHubDeleted);
  if (findings.length === 0) return [ok('keys', `${count(used.length, 'key')} in use.`)];
  const problems = findings.filter(({ status }) => status === 'problem');
  const warnings = findings.length - problems.length;
  if (warnings <= MAX_KEY_WARNINGS) return findings;
  const message = `There are ${warnings} warnings about keys.`;
  return [...problems, { check: 'keys', status: 'warning', message, remedy: 'hubctl doctor --keys' }];
}

function ok(check: Finding['check'], message: string): Finding {
  return { check, status: 'ok', message, remedy: null };
}
