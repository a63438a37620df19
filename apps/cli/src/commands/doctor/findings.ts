import type { ApiKey, ServerStatus, User } from '@hub/contract';
import { isLoopback } from '../../runtime/server-url.ts';
import { count, showDistance, showSpan, showTimeAndDistance } from '../../runtime/times.ts';
import { warningDays } from '../keys/expiry-warning.ts';
import { isLive } from '../keys/resolve-key.ts';

const DAY_MS = 86_400_000;
/** Who makes one each night has missed a week of them. */
const OLD_BACKUP_MS = 7 * DAY_MS;
/** What a server needs beside its data: the log that is written ahead, and a snapshot before it migrates. */
const SPARE_BYTES = 256 * 1024 * 1024;

/** What was looked at, and how it is. */
export interface Finding {
  check: 'server' | 'owner' | 'address' | 'data' | 'backup' | 'keys';
  /** `problem`: wrong now. `warning`: it will be, or could be better. `unchecked`: the check could not run. */
  status: 'ok' | 'warning' | 'problem' | 'unchecked';
  message: string;
  /** What mends it. */
  remedy: string | null;
}

/** The data directory as seen on this machine, or why it could not be checked, as a sentence. */
export type Folder =
  | {
      /** Whether others than its user may read it or look into it. */
      isOpen: boolean;
      freeBytes: number;
    }
  | { uncheckedBecause: string };

/** All that is looked at. */
export interface Examined {
  status: ServerStatus;
  users: readonly User[];
  keys: readonly ApiKey[];
  folder: Folder;
  /** Of this hubctl. */
  version: string;
  nowMs: number;
}

export function examine(examined: Examined): Finding[] {
  return [server, owner, address, data, backup, keyCare].flatMap((look) => look(examined));
}

function server({ status, version }: Examined): Finding {
  if (status.version !== version) {
    const message = `The server is version ${status.version}, this hubctl ${version}.`;
    return { check: 'server', status: 'warning', message, remedy: 'Use the hubctl that came with the server.' };
  }
  return ok('server', `Version ${status.version} has been running for ${showSpan(status.uptimeSeconds)}.`);
}

function owner({ users }: Examined): Finding {
  const owners = users.filter(({ role, disabledAt }) => role === 'owner' && disabledAt === null);
  if (owners.length > 0) return ok('owner', owners.map(({ name }) => name).join(', '));
  return { check: 'owner', status: 'warning', message: 'Nobody owns the workspace yet.', remedy: 'hubctl setup-link' };
}

function address({ status: { baseUrl, plainHttpHost } }: Examined): Finding {
  const remedy = 'Set HUB_TLS_CERT_FILE and HUB_TLS_KEY_FILE, or HUB_BASE_URL to the https address of your proxy.';
  const warning = (message: string): Finding => ({ check: 'address', status: 'warning', message, remedy });
  // An older server does not tell.
  if (plainHttpHost) {
    return warning(
      `HUB_HOST is ${plainHttpHost}: others reach the server over plain HTTP and can read keys and passwords.`,
    );
  }
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'https:' || isLoopback(hostname)) return ok('address', baseUrl);
  return warning(`Keys and passwords travel to ${baseUrl} unencrypted.`);
}

function data({ status: { dataDir, databaseBytes }, folder }: Examined): Finding {
  if ('uncheckedBecause' in folder) {
    const message = `Could not check the data directory: ${folder.uncheckedBecause}`;
    const remedy = 'Run hubctl doctor --local where the server runs (in its container), as the same user.';
    return { check: 'data', status: 'unchecked', message, remedy };
  }
  if (folder.isOpen) {
    const message = `Others on this machine may look into ${dataDir}.`;
    return { check: 'data', status: 'problem', message, remedy: `chmod 700 ${shellWord(dataDir)}` };
  }
  if (folder.freeBytes < databaseBytes + SPARE_BYTES) {
    const message = `The disk of ${dataDir} is nearly full.`;
    return { check: 'data', status: 'warning', message, remedy: 'Make room: a full disk answers every post with 503.' };
  }
  return ok('data', dataDir);
}

function backup({ status: { lastBackup }, nowMs }: Examined): Finding {
  const remedy = 'hubctl backup FILE';
  if (lastBackup === null) return { check: 'backup', status: 'warning', message: 'There is no backup.', remedy };
  const when = showTimeAndDistance(lastBackup.takenAt, nowMs);
  if (nowMs - Date.parse(lastBackup.takenAt) <= OLD_BACKUP_MS) return ok('backup', when);
  return { check: 'backup', status: 'warning', message: `The last backup is from ${when}.`, remedy };
}

function keyCare({ keys, nowMs }: Examined): Finding[] {
  const used = keys.filter((key) => isLive(key) && !key.isHubDeleted);
  const found = used.flatMap((key) => careOf(key, nowMs));
  return found.length > 0 ? found : [ok('keys', `${count(used.length, 'key')} in use.`)];
}

function careOf(key: ApiKey, nowMs: number): Finding[] {
  const { id, name, expiresAt, blockedUntil, createdBy } = key;
  const warning = (message: string, remedy: string): Finding => ({ check: 'keys', status: 'warning', message, remedy });
  const rotate = `hubctl keys rotate ${id}`;
  const found: Finding[] = [];
  if (expiresAt !== null && warningDays(key, nowMs) !== null) {
    found.push(warning(`The key ${name} expires ${showDistance(expiresAt, nowMs)}.`, rotate));
  }
  if (blockedUntil !== null) {
    const message = `The key ${name} is blocked: its program sends more than 60 requests in 60 seconds.`;
    found.push(warning(message, `hubctl keys show ${id}`));
  }
  if (key.isIssuerGone && key.successorId === null) {
    found.push(warning(`The key ${name} was issued by ${createdBy.name}, whose account is disabled.`, rotate));
  }
  return found;
}

/** A path as a POSIX shell takes it for one word. */
function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function ok(check: Finding['check'], message: string): Finding {
  return { check, status: 'ok', message, remedy: null };
}
