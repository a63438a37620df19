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

/** Returns the kind that examples and test posts use for these scopes. */
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

interface SwitchedMachines {
  /** Addresses that used the old key recently. */
  all: number;
  switched: number;
  /** Addresses that still use the old key, most recent first. */
  left: readonly string[];
}

/** Returns which addresses have switched to the successor after a rotation, and which have not. */
export function switchedMachines(
  old: readonly Address[],
  successor: readonly Address[],
  rotatedAt: string,
): SwitchedMachines {
  const from = Date.parse(rotatedAt) - COUNTED_DAYS * 86_400_000;
  const machines = old.filter(({ lastUsedAt }) => Date.parse(lastUsedAt) >= from);
  const movedAt = new Map(successor.map(({ address, lastUsedAt }) => [address, Date.parse(lastUsedAt)]));
  const rest = machines.filter(({ address, lastUsedAt }) => (movedAt.get(address) ?? 0) < Date.parse(lastUsedAt));
  return { all: machines.length, switched: machines.length - rest.length, left: rest.map(({ address }) => address) };
}

/** "1 of 2 machines switched". */
export function switchedText({ all, switched }: SwitchedMachines): string {
  if (all === 0) return 'Not used recently';
  if (all === 1) return switched === 1 ? 'Nothing uses this key anymore' : '1 machine hasn’t switched yet';
  if (switched === all) return `All ${all} machines switched`;
  return `${switched} of ${all} machines switched`;
}

/** Lists the addresses that have not switched, if any: "10.0.4.22 only", "10.0.4.22, 10.0.4.23 and 3 more". */
export function stillUsedText(machines: SwitchedMachines | null): string | null {
  const [first, second, ...rest] = machines?.left ?? [];
  if (first === undefined) return null;
  if (second === undefined) return `${first} only`;
  return rest.length === 0 ? `${first}, ${second}` : `${first}, ${second} and ${rest.length} more`;
}
