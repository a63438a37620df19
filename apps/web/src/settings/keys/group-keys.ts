import type { ApiKey } from '@hub/contract';
import { naturalOrder } from '../natural-order.ts';
import { isIdle, type KeyStatus, stateOf } from './key-state.ts';

export interface KeyFilter {
  hubId: string | null;
  state: KeyStatus | null;
  /** Also those that are revoked or expired, or whose Hub was deleted. */
  isWithOver: boolean;
  /** A part of the name or of the hint. */
  text: string;
}

/** A key, and those before it that still work beside it. */
export interface KeyLine {
  key: ApiKey;
  old: readonly ApiKey[];
}

export interface HubKeys {
  hubId: string;
  hubName: string;
  isHubDeleted: boolean;
  lines: readonly KeyLine[];
}

export const STANDINGS: readonly KeyStatus[] = [
  'active',
  'expiring',
  'rotated',
  'blocked',
  'expired',
  'revoked',
  'hubless',
];

/** The filter as it stands in the address. */
export function readKeyFilter(query: URLSearchParams): KeyFilter {
  const state = query.get('state');
  return {
    hubId: query.get('hub'),
    state: STANDINGS.find((known) => known === state) ?? null,
    isWithOver: query.get('over') === 'true',
    text: query.get('name') ?? '',
  };
}

/** The query with this filter in place of the one that it has. */
export function writeKeyFilter(query: URLSearchParams, filter: KeyFilter): URLSearchParams {
  const written = new URLSearchParams(query);
  const { hubId, state: keyState, isWithOver, text } = filter;
  const values = { hub: hubId, state: keyState, over: isWithOver ? 'true' : null, name: text || null };
  for (const [name, value] of Object.entries(values)) {
    if (value === null) written.delete(name);
    else written.set(name, value);
  }
  return written;
}

/** The keys by Hub, those that are replaced beneath their successors, Hubs and keys by name. */
export function groupKeys(keys: readonly ApiKey[], filter: KeyFilter, nowMs: number): HubKeys[] {
  const hubs = new Map<string, HubKeys & { lines: KeyLine[] }>();
  for (const line of linesOf(keys, nowMs)) {
    if (!passes(line, filter, nowMs)) continue;
    const { hubId, hubName, isHubDeleted } = line.key;
    const hub = hubs.get(hubId) ?? { hubId, hubName, isHubDeleted, lines: [] };
    hubs.set(hubId, hub);
    hub.lines.push(line);
  }
  for (const { lines } of hubs.values()) lines.sort((one, other) => byName(one.key, other.key, nowMs));
  return [...hubs.values()].sort(byHub);
}

function linesOf(keys: readonly ApiKey[], nowMs: number): KeyLine[] {
  const byId = new Map(keys.map((key) => [key.id, key]));
  const oldOf = new Map<string, ApiKey[]>();
  const heads: ApiKey[] = [];
  for (const key of keys) {
    const head = isIdle(key, nowMs) ? key : headOf(key, byId);
    if (head === key) heads.push(key);
    else oldOf.set(head.id, [...(oldOf.get(head.id) ?? []), key]);
  }
  return heads.map((key) => ({ key, old: oldOf.get(key.id) ?? [] }));
}

/** The newest of those that came after it; a key rotated twice within a day hangs beneath the last. */
function headOf(key: ApiKey, byId: ReadonlyMap<string, ApiKey>): ApiKey {
  const successor = key.successorId === null ? undefined : byId.get(key.successorId);
  return successor ? headOf(successor, byId) : key;
}

function passes(
  { key, old }: KeyLine,
  { hubId, state: keyState, isWithOver, text }: KeyFilter,
  nowMs: number,
): boolean {
  const all = [key, ...old];
  if (hubId !== null && key.hubId !== hubId) return false;
  if (text !== '' && !all.some((each) => isNamed(each, text))) return false;
  if (keyState !== null) return all.some((each) => stateOf(each, nowMs) === keyState);
  return isWithOver || all.some((each) => !isIdle(each, nowMs));
}

function isNamed({ name, hint, id }: ApiKey, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return name.toLowerCase().includes(wanted) || hint.toLowerCase().endsWith(wanted) || id === wanted;
}

/** Those that were deleted come last. */
function byHub(one: HubKeys, other: HubKeys): number {
  return Number(one.isHubDeleted) - Number(other.isHubDeleted) || naturalOrder(one.hubName, other.hubName);
}

/** What is over comes last. */
function byName(one: ApiKey, other: ApiKey, nowMs: number): number {
  const over = Number(isIdle(one, nowMs)) - Number(isIdle(other, nowMs));
  if (over !== 0) return over;
  return naturalOrder(one.name, other.name) || (one.id < other.id ? 1 : -1);
}
