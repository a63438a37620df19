import type { ApiKey, KeyAddresses, KeyState, Scope } from '@hub/contract';
import { currentState } from '@hub/contract/key-state';
import { dueWarning } from '@hub/contract/key-warnings';

/** The state of a key as the list shows it. `hubless`: its Hub was deleted and may be restored. */
export type KeyDisplayState = KeyState | 'expiring' | 'hubless';

/** Returns the state at `nowMs`, taking into account blocks and lifetimes that have ended since the key was loaded. */
export function stateOf(key: ApiKey, nowMs: number): KeyDisplayState {
  const state = currentState(key, nowMs);
  if (state === 'revoked' || state === 'expired') return state;
  if (key.isHubDeleted) return 'hubless';
  return state === 'active' && dueWarning(key, nowMs) !== null ? 'expiring' : state;
}

export function isOver(key: ApiKey, nowMs: number): boolean {
  const keyState = stateOf(key, nowMs);
  return keyState === 'revoked' || keyState === 'expired';
}

/** Whether the key cannot be used, permanently or until its Hub is restored. A block does not count. */
export function isIdle(key: ApiKey, nowMs: number): boolean {
  return key.isHubDeleted || isOver(key, nowMs);
}

/** Counts working keys as the server does for a Hub: both keys of a rotation count, and so do blocked keys. */
export function countWorking(keys: readonly ApiKey[], nowMs: number): number {
  return keys.filter((key) => !isIdle(key, nowMs)).length;
}

/** Whether the key replaced a leaked one, which was revoked in the same step. */
export function isReplacementOf(key: ApiKey, before: ApiKey | undefined): boolean {
  return before?.revokedAt === key.createdAt;
}

export const SCOPE_KINDS = {
  'messages:create': { kind: 'messages', text: 'messages', label: 'Messages' },
  'notes:create': { kind: 'notes', text: 'notes', label: 'Notes' },
  'todos:create': { kind: 'todos', text: 'to-dos', label: 'To-dos' },
} as const satisfies Record<Scope, unknown>;

export const SCOPES = Object.keys(SCOPE_KINDS) as Scope[];

/** The last segment of the URL to post to. */
export type PostKind = (typeof SCOPE_KINDS)[Scope]['kind'];

/** Returns the kind that examples use for these scopes. */
export function firstKind(scopes: readonly Scope[]): PostKind {
  return SCOPE_KINDS[SCOPES.find((scope) => scopes.includes(scope)) ?? 'messages:create'].kind;
}

/** "messages, notes and to-dos". */
export function scopeText(scopes: readonly Scope[]): string {
  const text = SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => SCOPE_KINDS[scope].text);
  const last = text.pop() ?? 'nothing';
  return text.length === 0 ? last : `${text.join(', ')} and ${last}`;
}

type Address = KeyAddresses['items'][number];

/** Addresses unused for this many days before the rotation are not counted. */
const COUNTED_DAYS = 7;

/** Returns the addresses that still use the old key after a rotation, the most recent first. */
export function stillUsedFrom(old: readonly Address[], successor: readonly Address[], rotatedAt: string): string[] {
  const from = Date.parse(rotatedAt) - COUNTED_DAYS * 86_400_000;
  const movedAt = new Map(successor.map(({ address, lastUsedAt }) => [address, Date.parse(lastUsedAt)]));
  return old
    .filter(({ address, lastUsedAt }) => {
      const usedAt = Date.parse(lastUsedAt);
      return usedAt >= from && usedAt > (movedAt.get(address) ?? 0);
    })
    .map(({ address }) => address);
}

/** Lists these addresses: "10.0.4.22 only", "10.0.4.22, 10.0.4.23 and 3 more"; `null` if there are none. */
export function addressesText([first, second, ...rest]: readonly string[]): string | null {
  if (first === undefined) return null;
  if (second === undefined) return `${first} only`;
  return rest.length === 0 ? `${first}, ${second}` : `${first}, ${second} and ${rest.length} more`;
}
