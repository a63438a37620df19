import { currentState } from './key-state.ts';
import { dueWarning } from './key-warnings.ts';
import type { ApiKey } from './keys.ts';

const DAY_MS = 86_400_000;
const UNUSED_DAYS = 90;
/** A new key may stay unused for a while. */
const NEVER_USED_DAYS = 7;
const BLOCKED_DAYS = 7;
/** With fewer days or posts, it is too early to call a scope unused. */
const CHECKED_DAYS = 30;
const CHECKED_POSTS = 10;

type Check = (key: ApiKey, nowMs: number, maxDays: number | null) => boolean;

/** Kinds of findings about a working key without a successor, most urgent first. */
const CHECKS = {
  expiring: (key, nowMs) => currentState(key, nowMs) === 'active' && dueWarning(key, nowMs) !== null,
  blocked: (key, nowMs) =>
    currentState(key, nowMs) === 'blocked' ||
    (key.usage ?? []).some(({ day, blocks }) => blocks > 0 && daysSince(day, nowMs) <= BLOCKED_DAYS),
  'issuer-gone': (key) => key.isIssuerGone,
  outlasts: (key, _, maxDays) => outlastsMaxLifetime(key, maxDays),
  wide: ({ unusedScopes, postCount, createdAt }, nowMs) =>
    unusedScopes.length > 0 && postCount >= CHECKED_POSTS && daysSince(createdAt, nowMs) >= CHECKED_DAYS,
  unused: ({ lastUsedAt }, nowMs) => lastUsedAt !== null && daysSince(lastUsedAt, nowMs) >= UNUSED_DAYS,
  'never-used': (key, nowMs) => key.lastUsedAt === null && daysSince(key.createdAt, nowMs) >= NEVER_USED_DAYS,
  // With a maximum lifetime, `outlasts` covers this.
  'no-expiry': (key, _, maxDays) => key.expiresAt === null && maxDays === null,
} satisfies Record<string, Check>;

export type FindingKind = keyof typeof CHECKS;

/** Keys with the same kind of finding, those that expire first at the beginning. */
interface Findings {
  finding: FindingKind;
  keys: readonly ApiKey[];
}

/** Returns the findings by kind, most urgent first. Inactive and rotated keys have none. */
export function findingsOf(keys: readonly ApiKey[], nowMs: number, maxDays: number | null = null): Findings[] {
  const collator = new Intl.Collator(undefined, { numeric: true });
  const checked = keys.filter((key) => isInUse(key, nowMs)).sort((one, other) => byEnd(one, other, collator));
  return Object.entries<Check>(CHECKS)
    .map(([finding, check]) => ({
      finding: finding as FindingKind,
      keys: checked.filter((key) => check(key, nowMs, maxDays)),
    }))
    .filter((each) => each.keys.length > 0);
}

/** Whether a finding is only informational. By default, keys never expire, so a key without expiry is not urgent. */
export function isQuiet(finding: FindingKind): boolean {
  return finding === 'no-expiry';
}

function isInUse(key: ApiKey, nowMs: number): boolean {
  const state = currentState(key, nowMs);
  return !key.isHubDeleted && state !== 'revoked' && state !== 'expired' && key.successorId === null;
}

/** Whether a key lasts longer than the workspace allows for new keys. */
export function outlastsMaxLifetime(
  { createdAt, expiresAt }: Pick<ApiKey, 'createdAt' | 'expiresAt'>,
  maxDays: number | null,
): boolean {
  if (maxDays === null) return false;
  return expiresAt === null || Date.parse(expiresAt) - Date.parse(createdAt) > maxDays * DAY_MS;
}

function daysSince(iso: string, nowMs: number): number {
  return (nowMs - Date.parse(iso)) / DAY_MS;
}

function byEnd(one: ApiKey, other: ApiKey, collator: Intl.Collator): number {
  return (one.expiresAt ?? '9').localeCompare(other.expiresAt ?? '9') || collator.compare(one.name, other.name);
}
