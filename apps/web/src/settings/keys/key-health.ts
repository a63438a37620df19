import type { ApiKey } from '@hub/contract';
import { outlastsLongest } from '../issue-key/key-lifetime.ts';
import { naturalOrder } from '../natural-order.ts';
import { isIdle, standingOf } from './key-standing.ts';

const DAY_MS = 86_400_000;
const UNUSED_DAYS = 90;
/** A new key may lie in a drawer for a while. */
const PATIENCE_DAYS = 7;
const BLOCKED_DAYS = 7;
/** Before so many days and posts nobody can say what a key will not need. */
const JUDGED_DAYS = 30;
const JUDGED_POSTS = 10;

/** The most urgent first. */
const ORDER = ['expiring', 'blocked', 'issuer-gone', 'outlasts', 'wide', 'unused', 'never-used', 'no-expiry'] as const;

export type Ailment = (typeof ORDER)[number];

export interface Finding {
  key: ApiKey;
  ailment: Ailment;
}

/** The keys of which the same is to be said. */
export interface Findings {
  ailment: Ailment;
  keys: readonly ApiKey[];
}

/** The findings by what they say, the most urgent first. */
export function examineByAilment(
  keys: readonly ApiKey[],
  nowMs: number,
  longestDays: number | null = null,
): Findings[] {
  const findings = examine(keys, nowMs, longestDays);
  return [...Map.groupBy(findings, ({ ailment }) => ailment)].map(([ailment, found]) => ({
    ailment,
    keys: found.map(({ key }) => key),
  }));
}

/** That a key never ends is how keys are made: it is said, and hurries nobody. */
export function isQuiet(ailment: Ailment): boolean {
  return ailment === 'no-expiry';
}

/** Whether a key that goes on working lasts longer than its workspace allows by now. One that was rotated ends by itself. */
export function isBeyondLongest(key: ApiKey, nowMs: number, longestDays: number | null): boolean {
  return !isIdle(key, nowMs) && key.successorId === null && outlastsLongest(key, longestDays);
}

/** What somebody should see to, the most urgent first. Keys that are over, or about to be by a rotation, need nothing. */
export function examine(keys: readonly ApiKey[], nowMs: number, longestDays: number | null = null): Finding[] {
  return keys
    .filter((key) => !isIdle(key, nowMs) && key.successorId === null)
    .flatMap((key) => ailmentsOf(key, nowMs, longestDays).map((ailment) => ({ key, ailment })))
    .sort((one, other) => ORDER.indexOf(one.ailment) - ORDER.indexOf(other.ailment) || byEnd(one.key, other.key));
}

function ailmentsOf(key: ApiKey, nowMs: number, longestDays: number | null): Ailment[] {
  const ageDays = daysSince(key.createdAt, nowMs);
  const idleDays = key.lastUsedAt === null ? null : daysSince(key.lastUsedAt, nowMs);
  const found: Record<Ailment, boolean> = {
    blocked: standingOf(key, nowMs) === 'blocked' || wasBlocked(key, nowMs),
    expiring: standingOf(key, nowMs) === 'expiring',
    'issuer-gone': key.isIssuerGone,
    outlasts: isBeyondLongest(key, nowMs, longestDays),
    unused: idleDays !== null && idleDays >= UNUSED_DAYS,
    'never-used': idleDays === null && ageDays >= PATIENCE_DAYS,
    wide: key.unusedScopes.length > 0 && key.postCount >= JUDGED_POSTS && ageDays >= JUDGED_DAYS,
    // Where keys must end, that is said above.
    'no-expiry': key.expiresAt === null && longestDays === null,
  };
  return ORDER.filter((ailment) => found[ailment]);
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
