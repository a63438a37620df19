import type { ApiKey } from '@hub/contract';
import { outlastsMaxLifetime } from '../issue-key/key-lifetime.ts';
import { naturalOrder } from '../natural-order.ts';
import { isIdle, stateOf } from './key-state.ts';

const DAY_MS = 86_400_000;
const UNUSED_DAYS = 90;
/** A new key may lie in a drawer for a while. */
const PATIENCE_DAYS = 7;
const BLOCKED_DAYS = 7;
/** Before so many days and posts nobody can say what a key will not need. */
const CHECKED_DAYS = 30;
const CHECKED_POSTS = 10;

/** The most urgent first. */
const ORDER = ['expiring', 'blocked', 'issuer-gone', 'outlasts', 'wide', 'unused', 'never-used', 'no-expiry'] as const;

export type FindingKind = (typeof ORDER)[number];

export interface Finding {
  key: ApiKey;
  finding: FindingKind;
}

/** The keys of which the same is to be said. */
export interface Findings {
  finding: FindingKind;
  keys: readonly ApiKey[];
}

/** The findings by what they say, the most urgent first. */
export function examineByFinding(keys: readonly ApiKey[], nowMs: number, maxDays: number | null = null): Findings[] {
  const findings = examine(keys, nowMs, maxDays);
  return [...Map.groupBy(findings, ({ finding }) => finding)].map(([finding, found]) => ({
    finding,
    keys: found.map(({ key }) => key),
  }));
}

/** That a key never ends is how keys are made: it is said, and hurries nobody. */
export function isQuiet(finding: FindingKind): boolean {
  return finding === 'no-expiry';
}

/** Whether a key that goes on working lasts longer than its workspace allows by now. One that was rotated ends by itself. */
export function isBeyondMaxLifetime(key: ApiKey, nowMs: number, maxDays: number | null): boolean {
  return !isIdle(key, nowMs) && key.successorId === null && outlastsMaxLifetime(key, maxDays);
}

/** What somebody should see to, the most urgent first. Keys that are over, or about to be by a rotation, need nothing. */
export function examine(keys: readonly ApiKey[], nowMs: number, maxDays: number | null = null): Finding[] {
  return keys
    .filter((key) => !isIdle(key, nowMs) && key.successorId === null)
    .flatMap((key) => findingsOf(key, nowMs, maxDays).map((finding) => ({ key, finding })))
    .sort((one, other) => ORDER.indexOf(one.finding) - ORDER.indexOf(other.finding) || byEnd(one.key, other.key));
}

function findingsOf(key: ApiKey, nowMs: number, maxDays: number | null): FindingKind[] {
  const ageDays = daysSince(key.createdAt, nowMs);
  const idleDays = key.lastUsedAt === null ? null : daysSince(key.lastUsedAt, nowMs);
  const found: Record<FindingKind, boolean> = {
    blocked: stateOf(key, nowMs) === 'blocked' || wasBlocked(key, nowMs),
    expiring: stateOf(key, nowMs) === 'expiring',
    'issuer-gone': key.isIssuerGone,
    outlasts: isBeyondMaxLifetime(key, nowMs, maxDays),
    unused: idleDays !== null && idleDays >= UNUSED_DAYS,
    'never-used': idleDays === null && ageDays >= PATIENCE_DAYS,
    wide: key.unusedScopes.length > 0 && key.postCount >= CHECKED_POSTS && ageDays >= CHECKED_DAYS,
    // Where keys must end, that is said above.
    'no-expiry': key.expiresAt === null && maxDays === null,
  };
  return ORDER.filter((finding) => found[finding]);
}

/** On which of the days that are known a block began. */
function wasBlocked({ usage = [] }: ApiKey, nowMs: number): boolean {
  return usage.some(({ day, blocks }) => blocks > 0 && daysSince(day, nowMs) <= BLOCKED_DAYS);
}

function daysSince(iso: string, nowMs: number): number {
  return (nowMs - Date.parse(iso)) / DAY_MS;
}

function byEnd(one: ApiKey, other: ApiKey): number {
  return (one.expiresAt ?? '9').localeCompare(other.expiresAt ?? '9') || naturalOrder(one.name, other.name);
}
