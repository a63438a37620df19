import type { ApiKey } from '@hub/contract';
import { Face } from '../../faces/face.tsx';
import { now } from '../../time/now.ts';
import type { Begin, Deed } from './deeds.ts';
import type { Ailment } from './key-health.ts';
import { agoWords, daysWords, endWords, isNearEnd } from './key-times.ts';
import { scopeList } from './scope-icons.tsx';

const DAY_MS = 86_400_000;

interface FindingRowProps {
  apiKey: ApiKey;
  ailment: Ailment;
  longestDays: number | null;
  begin: Begin;
  open: (id: string) => void;
}

/** What is to be said of one key, with what mends it. */
export function FindingRow({ apiKey, ailment, longestDays, begin, open }: FindingRowProps) {
  const { id, name } = apiKey;
  const { label, deed } = CURES[ailment];
  const cure = deed(apiKey);
  return (
    <div class="finding-row">
      <Face id={id} name={name} kind="key" size="s" />
      <span class="grow">
        <b>{name}</b> {symptom(apiKey, { ailment, longestDays, nowMs: now.value })}
      </span>
      <button class="btn is-small" type="button" onClick={() => (cure ? begin(cure) : open(id))}>
        {label}
        <span class="sr"> {name}</span>
      </button>
    </div>
  );
}

interface SymptomOptions extends Pick<FindingRowProps, 'ailment' | 'longestDays'> {
  nowMs: number;
}

function symptom(key: ApiKey, { ailment, longestDays, nowMs }: SymptomOptions): string {
  switch (ailment) {
    case 'blocked':
      return 'was blocked in the last 7 days: it sends more than 60 requests in a minute.';
    case 'expiring':
      return `expires ${isNearEnd(key.expiresAt ?? '', nowMs) ? '' : 'on '}${endWords(key.expiresAt ?? '', nowMs)}.`;
    case 'issuer-gone':
      return `was issued by ${key.createdBy.name}, whose account is disabled. Rotate it, and you stand for it.`;
    case 'outlasts':
      return `${lastsWords(key)}. Keys last ${daysWords(longestDays ?? 0)} at most here.`;
    case 'unused':
      return `was last used ${agoWords(key.lastUsedAt ?? '', nowMs)}.`;
    case 'never-used':
      return `was issued ${agoWords(key.createdAt, nowMs)} and never used.`;
    case 'wide':
      return `may create ${scopeList(key.unusedScopes)} and never has.`;
    case 'no-expiry':
      return 'never expires.';
  }
}

function lastsWords({ createdAt, expiresAt }: ApiKey): string {
  if (expiresAt === null) return 'never expires';
  return `lasts ${daysWords(Math.ceil((Date.parse(expiresAt) - Date.parse(createdAt)) / DAY_MS))}`;
}

/** What mends it; without a deed there is something to look at first. */
const CURES: Record<Ailment, { label: string; deed: (key: ApiKey) => Deed | null }> = {
  blocked: { label: 'Look at it', deed: () => null },
  expiring: { label: 'Rotate', deed: (key) => ({ kind: 'rotate', key }) },
  'issuer-gone': { label: 'Rotate', deed: (key) => ({ kind: 'rotate', key }) },
  outlasts: { label: 'Rotate', deed: (key) => ({ kind: 'rotate', key }) },
  unused: { label: 'Revoke', deed: (key) => ({ kind: 'stop', key, how: 'revoke' }) },
  'never-used': { label: 'Revoke', deed: (key) => ({ kind: 'stop', key, how: 'revoke' }) },
  wide: { label: 'Issue a narrower one', deed: (key) => ({ kind: 'issue', hubId: key.hubId, instead: key }) },
  'no-expiry': { label: 'Rotate with an end', deed: (key) => ({ kind: 'rotate', key, isForExpiry: true }) },
};
