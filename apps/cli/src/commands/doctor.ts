import { statfsSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { ServerStatus, User } from '@hub/contract';
import { shellWord } from '@hub/contract/shell-word';
import type { Command } from 'commander';
import type { Cli } from '../runtime/cli.ts';
import { addCommand } from '../runtime/command-line.ts';
import { CliError, fileReason } from '../runtime/errors.ts';
import { count, hasSameApi, showSpan, showTimeAndDistance } from '../runtime/format.ts';
import { isLoopback } from '../runtime/network.ts';
import { styled } from '../runtime/output.ts';
import { hubFor, isLive } from '../runtime/resolve.ts';
import { examineKeys, type KeyFinding, type KeysToExamine, loadKeysToExamine, reportFindings } from './keys/doctor.ts';
import { filesWarning, MAX_CLOCK_DIFFERENCE_MS } from './status.ts';

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
    .action(async ({ mail: to, keys: isKeysOnly, hub }: { mail?: string; keys?: boolean; hub?: string }) => {
      if (isKeysOnly || hub !== undefined) {
        const hubId = hub === undefined ? undefined : (await hubFor(cli, hub)).id;
        const findings = examineKeys(await loadKeysToExamine(cli, hubId), cli.deps.clock.now());
        const describe = (key: KeyFinding) => [styled('bold', key.name), ` in ${key.hubName} ${key.message}`];
        return reportFindings(cli, findings, 9, describe);
      }
      const findings = await load(cli).then(examine, findUnavailable);
      if (to !== undefined) findings.push(await sendTestMail(cli, to));
      const describe = ({ check, message }: Finding) => [styled('bold', check.padEnd(9)), message];
      reportFindings(cli, findings, 11, describe, 20);
    });
}

/** The result of one check. */
export interface Finding {
  check: 'server' | 'owner' | 'address' | 'sign-in' | 'data' | 'backup' | 'push' | 'mail' | 'keys';
  /** `problem`: needs a fix now. `warning`: may become a problem. `unchecked`: the check could not run. */
  status: 'ok' | 'warning' | 'problem' | 'unchecked';
  message: string;
  /** Instructions to fix the problem. */
  remedy: string | null;
}

function found(status: Finding['status'], check: Finding['check'], message: string, remedy: string | null = null) {
  return { check, status, message, remedy } satisfies Finding;
}

async function sendTestMail(cli: Cli, to: string): Promise<Finding> {
  const { problem } = await cli.api.request('POST /test-mails', { body: { to } });
  if (problem === null) return found('ok', 'mail', `Test mail sent to ${to}.`);
  return found('problem', 'mail', `Test mail not sent: ${problem}.`, MAIL_REMEDY);
}

async function load(cli: Cli): Promise<Examined> {
  const status = await cli.api.request('GET /status');
  const [users, keys] = await Promise.all([cli.api.all('GET /users'), loadKeysToExamine(cli)]);
  const isLocal = cli.connection.kind === 'socket';
  const folder = isLocal ? folderAt(status.dataDir) : 'this needs the admin socket of the server.';
  return { status, users, keys, folder, version: cli.deps.version, nowMs: cli.deps.clock.now() };
}

/** Returns the finding for a server without its database; throws any other error. */
function findUnavailable(error: unknown): Finding[] {
  if (!(error instanceof CliError && error.code === 'unavailable')) throw error;
  const message = 'The server runs, but cannot use its database: requests fail with 503.';
  const remedy = "Check the disk, or PostgreSQL and HUB_DATABASE_URL. The server's log has the cause.";
  return [found('problem', 'data', message, remedy)];
}

function folderAt(path: string): Examined['folder'] {
  if (!isAbsolute(path)) return `the server reports the relative path ${path}. Set HUB_DATA_DIR to an absolute path.`;
  try {
    const { bavail, bsize } = statfsSync(path);
    return { isOpen: (statSync(path).mode & 0o077) !== 0, freeBytes: bavail * bsize };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // The path may exist only inside the server's container.
    if (['ENOENT', 'ENOTDIR'].includes(code)) return `${path} does not exist on this machine.`;
    return `cannot read ${path}: ${fileReason(error)}.`;
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
/** Beyond this, ID tokens are not valid yet, or not valid any more (the default tolerance of `openid-client`). */
const MAX_PROVIDER_CLOCK_DIFFERENCE_MS = 30_000;

/** The input of all checks. */
export interface Examined {
  status: ServerStatus;
  users: readonly User[];
  keys: KeysToExamine;
  /** Whether others can read the data directory here, and its free space; or, as a sentence, why it is unchecked. */
  folder: { isOpen: boolean; freeBytes: number } | string;
  /** The version of this hubctl. */
  version: string;
  nowMs: number;
}

/** Older servers do not report everything that is checked. */
export function examine(examined: Examined): Finding[] {
  return [server, clock, owner, address, signIn, data, files, backup, push, mail, keys].flatMap((check) =>
    check(examined),
  );
}

function server({ status, version }: Examined): Finding {
  if (hasSameApi(status.version, version))
    return found('ok', 'server', `Version ${status.version}, up for ${showSpan(status.uptimeSeconds)}.`);
  const message = `The server is version ${status.version}; this hubctl is version ${version}.`;
  return found('warning', 'server', message, 'Use the hubctl that came with the server.');
}

function differenceText(ms: number): string {
  return `${(Math.abs(ms) / 1_000).toFixed(1)} s ${ms > 0 ? 'ahead of' : 'behind'}`;
}

function clock({ status: { node } }: Examined): Finding[] {
  const differenceMs = node?.clockDifferenceMs ?? 0;
  if (Math.abs(differenceMs) <= MAX_CLOCK_DIFFERENCE_MS) return [];
  const message = `The clock of this node is ${differenceText(differenceMs)} that of the database.`;
  return [found('warning', 'server', message, 'Synchronize the clocks of all nodes and of the database (NTP).')];
}

function owner({ users }: Examined): Finding {
  const owners = users.filter(({ role, disabledAt }) => role === 'owner' && disabledAt === null);
  if (owners.length > 0) return found('ok', 'owner', owners.map(({ name }) => name).join(', '));
  return found('warning', 'owner', 'The workspace has no owner yet.', 'hubctl setup-link');
}

function signIn({ status: { provider } }: Examined): Finding[] {
  if (!provider) return [];
  const { issuer, redirectUrl, problem, clockDifferenceMs } = provider;
  const differenceMs = clockDifferenceMs ?? 0;
  if (problem !== null) {
    const remedy = `Check HUB_OIDC_ISSUER, and whether this server can reach it. Register ${redirectUrl} there.`;
    return [found('problem', 'sign-in', `${issuer} cannot be looked up: ${problem}.`, remedy)];
  }
  if (Math.abs(differenceMs) <= MAX_PROVIDER_CLOCK_DIFFERENCE_MS)
    return [found('ok', 'sign-in', `${issuer}, which sends users back to ${redirectUrl}.`)];
  const message = `The clock of this server is ${differenceText(differenceMs)} that of ${issuer}.`;
  return [found('problem', 'sign-in', message, 'Synchronize both clocks (NTP): ID tokens are rejected.')];
}

function address({ status: { baseUrl, plainHttpHost, certificate }, nowMs }: Examined): Finding {
  if (certificate?.problem)
    return found(Date.parse(certificate.expiresAt) > nowMs ? 'warning' : 'problem', 'address', certificate.problem);
  const { protocol, hostname } = new URL(baseUrl);
  if (!plainHttpHost && (protocol === 'https:' || isLoopback(hostname))) return found('ok', 'address', baseUrl);
  const message = plainHttpHost
    ? `HUB_HOST is ${plainHttpHost} without TLS: keys and passwords are sent over plain HTTP, where others can read them.`
    : `Keys and passwords are sent to ${baseUrl} unencrypted.`;
  const remedy = 'Set HUB_TLS_CERT_FILE and HUB_TLS_KEY_FILE, or HUB_BASE_URL to the https address of your proxy.';
  return found('warning', 'address', message, remedy);
}

function data({ status: { dataDir, databaseBytes, node }, folder }: Examined): Finding[] {
  if (typeof folder === 'string') {
    const remedy = 'Where the server runs (in its container), as the same user: hubctl doctor --local';
    return [found('unchecked', 'data', `Could not check the data directory: ${folder}`, remedy)];
  }
  const findings: Finding[] = [];
  if (folder.isOpen) {
    const message = `Other users on this machine can read ${dataDir}.`;
    findings.push(found('problem', 'data', message, `chmod 700 ${shellWord(dataDir)}`));
  }
  if (folder.freeBytes < FULL_BYTES) {
    const message = `The disk that holds ${dataDir} is full: posts fail with 503.`;
    findings.push(found('problem', 'data', message, 'Free up disk space. Posting then resumes by itself.'));
  } else if (folder.freeBytes < (node === null ? databaseBytes : 0) + SPARE_BYTES) {
    const remedy = 'Free up disk space. When the disk is full, every post fails with 503.';
    findings.push(found('warning', 'data', `The disk that holds ${dataDir} is almost full.`, remedy));
  }
  return findings.length > 0 ? findings : [found('ok', 'data', dataDir)];
}

function files({ status }: Examined): Finding[] {
  const message = filesWarning(status);
  const remedy = 'Raise HUB_FILES_MAX_BYTES, or delete items that have large files.';
  return message === null ? [] : [found('warning', 'data', message, remedy)];
}

function backup({ status: { lastBackup, node }, nowMs }: Examined): Finding {
  if (node !== null) return found('unchecked', 'backup', 'The workspace is in PostgreSQL. Check its backups there.');
  const when = lastBackup && showTimeAndDistance(lastBackup.takenAt, nowMs);
  if (lastBackup && when && nowMs - Date.parse(lastBackup.takenAt) <= OLD_BACKUP_MS) return found('ok', 'backup', when);
  const message = when ? `The last backup was taken ${when}.` : 'No backup yet.';
  return found('warning', 'backup', message, 'hubctl backup FILE');
}

function push({ status: { pushProblem }, nowMs }: Examined): Finding[] {
  if (!pushProblem) return [];
  const message = `A push notification failed ${showTimeAndDistance(pushProblem.at, nowMs)}. ${pushProblem.message}.`;
  const remedy =
    'If the push service rejects the server, set HUB_PUSH_CONTACT to a mailto: or https: address. Otherwise, check that the server can reach it.';
  return [found('warning', 'push', message, remedy)];
}

const MAIL_REMEDY = 'Check HUB_SMTP_URL and HUB_MAIL_FROM. To test them: hubctl doctor --mail ADDRESS';

function mail({ status }: Examined): Finding[] {
  if (!status.mail) return [];
  const { server, from, waiting, failed, problem } = status.mail;
  const message = `From ${from} through ${server}: ${waiting} waiting, ${failed} failed.`;
  if (problem === null) return [found('ok', 'mail', message)];
  return [found('warning', 'mail', `${message} Last problem: ${problem}.`, MAIL_REMEDY)];
}

/** The findings of `doctor --keys` that need attention. Many warnings become one. */
function keys({ keys: loaded, nowMs }: Examined): Finding[] {
  const findings = examineKeys(loaded, nowMs).flatMap(({ status, name, hubName, message, remedy }) =>
    status === 'info' ? [] : [found(status, 'keys', `The key ${name} in ${hubName} ${message}`, remedy)],
  );
  const used = loaded.keys.filter((key) => isLive(key) && !key.isHubDeleted);
  if (findings.length === 0) return [found('ok', 'keys', `${count(used.length, 'key')} in use.`)];
  const problems = findings.filter(({ status }) => status === 'problem');
  const warnings = findings.length - problems.length;
  if (warnings <= MAX_KEY_WARNINGS) return findings;
  return [...problems, found('warning', 'keys', `There are ${warnings} warnings about keys.`, 'hubctl doctor --keys')];
}
