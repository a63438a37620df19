import type { ApiKey } from '@hub/contract';
import { type FindingKind, findingsOf, isQuiet } from '@hub/contract/key-findings';
import { currentState } from '@hub/contract/key-state';
import { dueWarning } from '@hub/contract/key-warnings';
import type { Cli } from '../../runtime/cli.ts';
import { CliError } from '../../runtime/errors.ts';
import { count, showDistance, showTimeAndDistance } from '../../runtime/format.ts';
import { type Segment, styled, typeable } from '../../runtime/output.ts';
import { isLive } from '../../runtime/resolve.ts';

/** One finding about one key. `info` needs no action. */
export interface KeyFinding {
  finding: FindingKind | 'old-key-used';
  status: 'problem' | 'warning' | 'info';
  keyId: string;
  name: string;
  hubName: string;
  /** Follows the name of the key. */
  message: string;
  /** The command to run next. */
  remedy: string;
}

/** The days for which the server reports blocks. */
const USAGE_DAYS = 8;

const STATUS_STYLES = { ok: 'green', warning: 'yellow', problem: 'red', unchecked: 'yellow', info: 'dim' } as const;

/**
 * Prints findings: the status in `width` columns, the line that `describe` returns, and below it, from the column `indent`
 * on, what to do; then how many there are.
 *
 * @throws an error with the findings if there are problems.
 */
export function reportFindings<F extends { status: keyof typeof STATUS_STYLES; remedy: string | null }>(
  cli: Cli,
  findings: readonly F[],
  width: number,
  describe: (finding: F) => Segment[],
  indent = width,
): void {
  for (const finding of cli.json ? [] : findings) {
    const { status, remedy } = finding;
    const advice = remedy === null ? [] : [[typeable(remedy, cli.deps.env)]];
    cli.output.block([[styled(STATUS_STYLES[status], status.padEnd(width)), ...describe(finding)], ...advice], indent);
  }
  const counted = (wanted: F['status'], noun: string, what: string): string[] => {
    const { length } = findings.filter(({ status }) => status === wanted);
    return length > 0 ? [`${count(length, noun)} ${what}`] : [];
  };
  const [problems] = counted('problem', 'problem', 'found.');
  if (problems !== undefined) throw new CliError('unwell', problems, { findings });
  if (cli.json) {
    cli.output.document({ items: findings });
    return;
  }
  const summary = [...counted('warning', 'warning', 'found.'), ...counted('unchecked', 'check', 'could not run.')];
  cli.output.note(summary.join(' ') || 'No problems found.');
}

/** Keys with their usage of the last days, and the longest lifetime in days that new keys can have (`null`: no limit). */
export interface KeysToExamine {
  keys: readonly ApiKey[];
  maxDays: number | null;
}

/** Loads the keys of one Hub, or all keys. */
export async function loadKeysToExamine(cli: Cli, hubId?: string): Promise<KeysToExamine> {
  const [keys, { longestKeyLifetimeDays }] = await Promise.all([
    cli.api.all('GET /keys', { query: { hubId, usageDays: USAGE_DAYS } }),
    cli.api.request('GET /workspace'),
  ]);
  return { keys, maxDays: longestKeyLifetimeDays };
}

/** Returns the findings about keys, most urgent first: the rules of the web app's settings, and those about rotations. */
export function examineKeys({ keys: all, maxDays }: KeysToExamine, nowMs: number): KeyFinding[] {
  const found = (
    { id: keyId, name, hubName }: ApiKey,
    finding: KeyFinding['finding'],
    status: KeyFinding['status'],
    [message, remedy]: readonly [string, string],
  ): KeyFinding => ({ keyId, name, hubName, finding, status, message, remedy });
  const shared = findingsOf(all, nowMs, maxDays).flatMap(({ finding, keys }) =>
    keys.map((key) => found(key, finding, statusOf(finding, key, nowMs), textsOf(key, nowMs, maxDays)[finding])),
  );
  const keysById = new Map(all.map((key) => [key.id, key]));
  const rotated = all.flatMap((key) => {
    const [successor, ...later] = successorsOf(key, keysById);
    const texts = successor && textsOfOldKey(key, successor, later.at(-1) ?? successor, nowMs);
    return texts ? [found(key, 'old-key-used', 'warning', texts)] : [];
  });
  const rank = ['problem', 'warning', 'info'];
  return [...rotated, ...shared].sort((one, other) => rank.indexOf(one.status) - rank.indexOf(other.status));
}

function successorsOf({ successorId }: ApiKey, keysById: ReadonlyMap<string, ApiKey>): ApiKey[] {
  const next = keysById.get(successorId ?? '');
  return next ? [next, ...successorsOf(next, keysById)] : [];
}

function statusOf(finding: FindingKind, key: ApiKey, nowMs: number): KeyFinding['status'] {
  if (isQuiet(finding)) return 'info';
  const isUrgent =
    (finding === 'blocked' && currentState(key, nowMs) === 'blocked') ||
    (finding === 'expiring' && dueWarning(key, nowMs) === 1);
  return isUrgent ? 'problem' : 'warning';
}

type Texts = readonly [message: string, remedy: string];

function textsOf(key: ApiKey, nowMs: number, maxDays: number | null): Record<FindingKind, Texts> {
  const { id, expiresAt, lastUsedAt, createdAt, createdBy, unusedScopes, hubId, blockedUntil } = key;
  const since = (iso: string | null) => (iso === null ? 'never' : showDistance(iso, nowMs));
  const rotate = `hubctl keys rotate ${id}`;
  const revoke = `hubctl keys revoke ${id}`;
  const isBlocked = blockedUntil !== null && Date.parse(blockedUntil) > nowMs;
  const blocked = isBlocked ? 'is blocked' : 'was blocked in the last 7 days';
  const unused = unusedScopes.map((scope) => scope.replace(/:create$/, '')).join(', ');
  return {
    expiring: [`expires ${since(expiresAt)}.`, rotate],
    blocked: [`${blocked}: it sent more than 60 requests in 60 seconds.`, `hubctl keys show ${id}`],
    'issuer-gone': [`was issued by ${createdBy.name}, whose account is disabled. Rotate it to take it over.`, rotate],
    outlasts: [`lasts longer than ${count(maxDays ?? 0, 'day')}, the maximum for new keys.`, rotate],
    wide: [`can create ${unused}, but never has. Issue a key without that scope.`, `hubctl keys issue --hub ${hubId}`],
    unused: [`was last used ${since(lastUsedAt)}.`, revoke],
    'never-used': [`was issued ${since(createdAt)} and never used.`, revoke],
    'no-expiry': ['never expires.', `${rotate} --expires-in 365d`],
  };
}

/** A rotated key that a program still uses although its successor exists: it stops working at the end of the overlap. */
function textsOfOldKey(key: ApiKey, successor: ApiKey, newest: ApiKey, nowMs: number): Texts | undefined {
  const { hint, lastUsedAt, lastUsedAddress, overlapEndsAt } = key;
  const isOver = !isLive(key) || ['revoked', 'expired'].includes(currentState(key, nowMs));
  if (isOver || key.isHubDeleted || lastUsedAt === null || overlapEndsAt === null) return undefined;
  if (lastUsedAt <= successor.createdAt) return undefined;
  const from = lastUsedAddress === null ? '' : ` from ${lastUsedAddress}`;
  const message =
    `(${hint}) was rotated and stops working at ${showTimeAndDistance(overlapEndsAt, nowMs)}, but was still used ` +
    `${showDistance(lastUsedAt, nowMs)}${from}. Its successor ${newest.lastUsedAt === null ? 'was never used.' : 'is used, too.'}`;
  return [message, `hubctl keys show ${newest.id}`];
}
