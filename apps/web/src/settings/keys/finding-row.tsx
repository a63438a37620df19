import type { ApiKey } from '@hub/contract';
import { Avatar } from '../../avatars/avatar.tsx';
import { now } from '../../time/now.ts';
import type { Begin, KeyAction } from './actions.ts';
import type { FindingKind } from './key-health.ts';
import { agoText, daysText, endText, isNearEnd } from './key-times.ts';
import { scopeList } from './scope-icons.tsx';

const DAY_MS = 86_400_000;

interface FindingRowProps {
  apiKey: ApiKey;
  finding: FindingKind;
  maxDays: number | null;
  begin: Begin;
  open: (id: string) => void;
}

/** What is to be said of one key, with what mends it. */
export function FindingRow({ apiKey, finding, maxDays, begin, open }: FindingRowProps) {
  const { id, name } = apiKey;
  const { label, action } = CURES[finding];
  const cure = action(apiKey);
  return (
    <div class="finding-row">
      <Avatar id={id} name={name} kind="key" size="s" />
      <span class="grow">
        <b>{name}</b> {symptom(apiKey, { finding, maxDays, nowMs: now.value })}
      </span>
      <button class="btn is-small" type="button" onClick={() => (cure ? begin(cure) : open(id))}>
        {label}
        <span class="sr"> {name}</span>
      </button>
    </div>
  );
}

interface SymptomOptions extends Pick<FindingRowProps, 'finding' | 'maxDays'> {
  nowMs: number;
}

function symptom(key: ApiKey, { finding, maxDays, nowMs }: SymptomOptions): string {
  switch (finding) {
    case 'blocked':
      return 'was blocked in the last 7 days: it sends more than 60 requests in a minute.';
    case 'expiring':
      return `expires ${isNearEnd(key.expiresAt ?? '', nowMs) ? '' : 'on '}${endText(key.expiresAt ?? '', nowMs)}.`;
    case 'issuer-gone':
      return `was issued by ${key.createdBy.name}, whose account is disabled. Rotate it, and you stand for it.`;
    case 'outlasts':
      return `${lastsText(key)}. Keys last ${daysText(maxDays ?? 0)} at most here.`;
    case 'unused':
      return `was last used ${agoText(key.lastUsedAt ?? '', nowMs)}.`;
    case 'never-used':
      return `was issued ${agoText(key.createdAt, nowMs)} and never used.`;
    case 'wide':
      return `may create ${scopeList(key.unusedScopes)} and never has.`;
    case 'no-expiry':
      return 'never expires.';
  }
}

function lastsText({ createdAt, expiresAt }: ApiKey): string {
  if (expiresAt === null) return 'never expires';
  return `lasts ${daysText(Math.ceil((Date.parse(expiresAt) - Date.parse(createdAt)) / DAY_MS))}`;
}

/** What mends it; without a deed there is something to look at first. */
const CURES: Record<FindingKind, { label: string; action: (key: ApiKey) => KeyAction | null }> = {
  blocked: { label: 'Look at it', action: () => null },
  expiring: { label: 'Rotate', action: (key) => ({ kind: 'rotate', key }) },
  'issuer-gone': { label: 'Rotate', action: (key) => ({ kind: 'rotate', key }) },
  outlasts: { label: 'Rotate', action: (key) => ({ kind: 'rotate', key }) },
  unused: { label: 'Revoke', action: (key) => ({ kind: 'stop', key, how: 'revoke' }) },
  'never-used': { label: 'Revoke', action: (key) => ({ kind: 'stop', key, how: 'revoke' }) },
  wide: { label: 'Issue a narrower one', action: (key) => ({ kind: 'issue', hubId: key.hubId, instead: key }) },
  'no-expiry': { label: 'Rotate with an end', action: (key) => ({ kind: 'rotate', key, isForExpiry: true }) },
};
