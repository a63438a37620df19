import type { ApiKey } from '@hub/contract';
import { outlastsMaxLifetime } from '../issue-key/key-lifetime.ts';
import { naturalOrder } from '../natural-order.ts';
import { isIdle, stateOf } from './key-state.ts';

const DAY_MS = 86_400_000;
const UNUSED_DAYS = 90;
/** A new key may stay unused for a while. */
const NEVER_USED_DAYS = 7;
const BLOCKED_DAYS = 7;
/** With fewer days or posts, it is too early to call a scope unused. */
const CHECKED_DAYS = 30;
const CHECKED_POSTS = 10;

/** Kinds of findings, most urgent first. */
const ORDER = ['expiring', 'blocked', 'issuer-gone', 'outlasts', 'wide', 'unused', 'never-used', 'no-expiry'] as const;

export type FindingKind = (typeof ORDER)[number];

export interface Finding {
  key: ApiKey;
  finding: FindingKind;
}

/** Keys with the same kind of finding. */
export interface Findings {
  finding: FindingKind;
  keys: readonly ApiKey[];
}

/** Returns the findings grouped by kind, most urgent first. */
export function groupedFindings(keys: readonly ApiKey[], nowMs: number, maxDays: number | null = null): Findings[] {
  const findings = findingsOf(keys, nowMs, maxDays);
  return [...Map.groupBy(findings, ({ finding }) => finding)].map(([finding, found]) => ({
    finding,
    keys: found.map(({ key }) => key),
  }));
}

/** Whether a finding is only informational. By default, keys never expire, so a key without expiry is not urgent. */
export function isQuiet(finding: FindingKind): boolean {
  return finding === 'no-expiry';
}

/**
 * Whether a working key lasts longer than the workspace now allows. Rotated keys are excluded, since they stop working
 * on their own.
 */
export function isBeyondMaxLifetime(key: ApiKey, nowMs: number, maxDays: number | null): boolean {
  return !isIdle(key, nowMs) && key.successorId === null && outlastsMaxLifetime(key, maxDays);
}

/** Returns findings about keys, most urgent first. Inactive and rotated keys have none. */
export function findingsOf(keys: readonly ApiKey[], nowMs: number, maxDays: number | null = null): Finding[] {
  return keys
    .filter((key) => !isIdle(key, nowMs) && key.successorId === null)
    .flatMap((key) => findingsOfKey(key, nowMs, maxDays).map((finding) => ({ key, finding })))
    .sort((one, other) => ORDER.indexOf(one.finding) - ORDER.indexOf(other.finding) || byEnd(one.key, other.key));
}

function findingsOfKey(key: ApiKey, nowMs: number, maxDays: number | null): FindingKind[] {
  const ageDays = daysSince(key.createdAt, nowMs);
  const idleDays = key.lastUsedAt === null ? null : daysSince(key.lastUsedAt, nowMs);
  const found: Record<FindingKind, boolean> = {
    blocked: stateOf(key, nowMs) === 'blocked' || wasBlocked(key, nowMs),
    expiring: stateOf(key, nowMs) === 'expiring',
    'issuer-gone': key.isIssuerGone,
    outlasts: isBeyondMaxLifetime(key, nowMs, maxDays),
    unused: idleDays !== null && idleDays >= UNUSED_DAYS,
    'never-used': idleDays === null && ageDays >= NEVER_USED_DAYS,
    wide: key.unusedScopes.length > 0 && key.postCount >= CHECKED_POSTS && ageDays >= CHECKED_DAYS,
    // With a maximum lifetime, `outlasts` covers this.
    'no-expiry': key.expiresAt === null && maxDays === null,
  };
  return ORDER.filter((finding) => found[finding]);
}

/** Whether a block began in the last few days. */
function wasBlocked({ usage = [] }: ApiKey, nowMs: number): boolean {
  return usage.some(({ day, blocks }) => blocks > 0 && daysSince(day, nowMs) <= BLOCKED_DAYS);
}

function daysSince(iso: string, nowMs: number): number {
  return (nowMs - Date.parse(iso)) / DAY_MS;
}

function byEnd(one: ApiKey, other: ApiKey): number {
  return (one.expiresAt ?? '9').localeCompare(other.expiresAt ?? '9') || naturalOrder(one.name, other.name);
}
