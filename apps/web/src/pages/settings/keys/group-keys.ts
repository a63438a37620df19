import type { ApiKey } from '@hub/contract';
import { type FindingKind, findingsOf, isQuiet } from '@hub/contract/key-findings';
import { naturalOrder } from '../../../lib/names.ts';
import { flagIn, oneIn, textIn, urlFilters } from '../../../lib/router/filters.ts';
import { isIdle, type KeyDisplayState, stateOf } from './key-state.ts';

export interface KeyFilter {
  hubId: string | null;
  state: KeyDisplayState | null;
  issuerId: string | null;
  /** Whether to include keys that are revoked or expired, or whose Hub was deleted. */
  includeInactive: boolean;
  isUrgent: boolean;
  /** Part of the name, the end of the hint, or the id. */
  text: string;
}

/** A key and its previous keys that still work. */
export interface KeyLine {
  key: ApiKey;
  old: readonly ApiKey[];
  /** Findings about the key, most urgent first. */
  findings: readonly FindingKind[];
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

export const keyFilters = urlFilters<KeyFilter>({
  hubId: textIn('hub'),
  state: oneIn('state', STATES, null),
  issuerId: textIn('issuer'),
  includeInactive: flagIn('over'),
  isUrgent: flagIn('urgent'),
  text: { parameter: 'name', none: '', read: (text) => text },
});

/**
 * Groups keys by Hub, with previous keys below their successors; Hubs and keys are sorted by name. `maxDays`: the maximum
 * lifetime in the workspace; `null` for no limit.
 */
export function groupKeys(
  keys: readonly ApiKey[],
  filter: KeyFilter,
  nowMs: number,
  maxDays: number | null = null,
): HubKeys[] {
  const hubs = new Map<string, HubKeys & { lines: KeyLine[] }>();
  for (const line of linesOf(keys, nowMs, maxDays)) {
    if (!matchesFilter(line, filter, nowMs)) continue;
    const { hubId, hubName, isHubDeleted } = line.key;
    const hub = hubs.get(hubId) ?? { hubId, hubName, isHubDeleted, lines: [] };
    hubs.set(hubId, hub);
    hub.lines.push(line);
  }
  for (const { lines } of hubs.values()) lines.sort((one, other) => byName(one.key, other.key, nowMs));
  return [...hubs.values()].sort(byHub);
}

export function isUrgent({ findings }: Pick<KeyLine, 'findings'>): boolean {
  return findings.some((finding) => !isQuiet(finding));
}

function linesOf(keys: readonly ApiKey[], nowMs: number, maxDays: number | null): KeyLine[] {
  const byId = new Map(keys.map((key) => [key.id, key]));
  const oldOf = new Map<string, ApiKey[]>();
  const heads: ApiKey[] = [];
  for (const key of keys) {
    const head = isIdle(key, nowMs) ? key : headOf(key, byId);
    if (head === key) heads.push(key);
    else oldOf.set(head.id, [...(oldOf.get(head.id) ?? []), key]);
  }
  const found = new Map<string, FindingKind[]>();
  for (const { finding, keys: affected } of findingsOf(keys, nowMs, maxDays)) {
    for (const { id } of affected) found.set(id, [...(found.get(id) ?? []), finding]);
  }
  return heads.map((key) => ({ key, old: oldOf.get(key.id) ?? [], findings: found.get(key.id) ?? [] }));
}

/** Returns the newest successor, so that after two rotations within a day, both old keys are listed below it. */
function headOf(key: ApiKey, byId: ReadonlyMap<string, ApiKey>): ApiKey {
  const successor = key.successorId === null ? undefined : byId.get(key.successorId);
  return successor ? headOf(successor, byId) : key;
}

function matchesFilter(line: KeyLine, filter: KeyFilter, nowMs: number): boolean {
  const { hubId, state: keyState, issuerId, includeInactive, text } = filter;
  const { key, old } = line;
  const all = [key, ...old];
  if (filter.isUrgent && !isUrgent(line)) return false;
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

function byHub(one: HubKeys, other: HubKeys): number {
  return Number(one.isHubDeleted) - Number(other.isHubDeleted) || naturalOrder(one.hubName, other.hubName);
}

function byName(one: ApiKey, other: ApiKey, nowMs: number): number {
  const over = Number(isIdle(one, nowMs)) - Number(isIdle(other, nowMs));
  if (over !== 0) return over;
  return naturalOrder(one.name, other.name) || (one.id < other.id ? 1 : -1);
}
