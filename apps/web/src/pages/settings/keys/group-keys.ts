import type { ApiKey } from '@hub/contract';
import { naturalOrder } from '../../../lib/names.ts';
import { withParameters } from '../../../lib/router/query.ts';
import { isIdle, type KeyDisplayState, stateOf } from './key-state.ts';

export interface KeyFilter {
  hubId: string | null;
  state: KeyDisplayState | null;
  /** The id of the user who issued the key. */
  issuerId: string | null;
  /** Whether to include keys that are revoked or expired, or whose Hub was deleted. */
  includeInactive: boolean;
  /** Part of the name, the end of the hint, or the id. */
  text: string;
}

/** A key and its previous keys that still work. */
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

export const STATES = [
  'active',
  'expiring',
  'rotated',
  'blocked',
  'expired',
  'revoked',
  'hubless',
] as const satisfies KeyDisplayState[];

/** Reads the filter from the query of the URL. */
export function readKeyFilter(query: URLSearchParams): KeyFilter {
  return {
    hubId: query.get('hub'),
    state: STATES.find((state) => state === query.get('state')) ?? null,
    issuerId: query.get('issuer'),
    includeInactive: query.get('over') === 'true',
    text: query.get('name') ?? '',
  };
}

/** Returns the query with its filter replaced by this one. */
export function writeKeyFilter(query: URLSearchParams, filter: KeyFilter): URLSearchParams {
  const { hubId, state: keyState, issuerId, includeInactive, text } = filter;
  const over = includeInactive ? 'true' : null;
  return withParameters(query, { hub: hubId, state: keyState, issuer: issuerId, over, name: text });
}

/** Groups keys by Hub, with previous keys below their successors; Hubs and keys are sorted by name. */
export function groupKeys(keys: readonly ApiKey[], filter: KeyFilter, nowMs: number): HubKeys[] {
  const hubs = new Map<string, HubKeys & { lines: KeyLine[] }>();
  for (const line of linesOf(keys, nowMs)) {
    if (!matchesFilter(line, filter, nowMs)) continue;
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

/** Returns the newest successor, so that after two rotations within a day, both old keys are listed below it. */
function headOf(key: ApiKey, byId: ReadonlyMap<string, ApiKey>): ApiKey {
  const successor = key.successorId === null ? undefined : byId.get(key.successorId);
  return successor ? headOf(successor, byId) : key;
}

function matchesFilter(
  { key, old }: KeyLine,
  { hubId, state: keyState, issuerId, includeInactive, text }: KeyFilter,
  nowMs: number,
): boolean {
  const all = [key, ...old];
  if (hubId !== null && key.hubId !== hubId) return false;
  if (issuerId !== null && !all.some(({ createdBy }) => createdBy.id === issuerId)) return false;
  if (text !== '' && !all.some((each) => matchesText(each, text))) return false;
  if (keyState !== null) return all.some((each) => stateOf(each, nowMs) === keyState);
  return includeInactive || all.some((each) => !isIdle(each, nowMs));
}

function matchesText({ name, hint, id }: ApiKey, text: string): boolean {
  const query = text.trim().toLowerCase();
  return name.toLowerCase().includes(query) || hint.toLowerCase().endsWith(query) || id === query;
}

/** Sorts deleted Hubs last. */
function byHub(one: HubKeys, other: HubKeys): number {
  return Number(one.isHubDeleted) - Number(other.isHubDeleted) || naturalOrder(one.hubName, other.hubName);
}

/** Sorts inactive keys last. */
function byName(one: ApiKey, other: ApiKey, nowMs: number): number {
  const over = Number(isIdle(one, nowMs)) - Number(isIdle(other, nowMs));
  if (over !== 0) return over;
  return naturalOrder(one.name, other.name) || (one.id < other.id ? 1 : -1);
}
