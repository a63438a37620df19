import type { ApiKey } from '@hub/contract';
import { Face } from '../../faces/face.tsx';
import { now } from '../../time/now.ts';
import type { Begin, Deed } from './deeds.ts';
import type { Ailment } from './key-health.ts';
import { agoWords, dayWords } from './key-times.ts';
import { scopeList } from './scope-icons.tsx';

interface FindingRowProps {
  apiKey: ApiKey;
  ailment: Ailment;
  begin: Begin;
  open: (id: string) => void;
}

/** What is to be said of one key, with what mends it. */
export function FindingRow({ apiKey, ailment, begin, open }: FindingRowProps) {
  const { id, name } = apiKey;
  const { label, deed } = CURES[ailment];
  const cure = deed(apiKey);
  return (
    <div class="finding-row">
      <Face id={id} name={name} kind="key" size="s" />
      <span class="grow">
        <b>{name}</b> {symptom(apiKey, ailment, now.value)}
      </span>
      <button class="btn is-small" type="button" onClick={() => (cure ? begin(cure) : open(id))}>
        {label}
        <span class="sr"> {name}</span>
      </button>
    </div>
  );
}

function symptom(key: ApiKey, ailment: Ailment, nowMs: number): string {
  switch (ailment) {
    case 'blocked':
      return 'was blocked in the last 7 days: it sends more than 60 requests in a minute.';
    case 'expiring':
      return `expires on ${dayWords(key.expiresAt ?? '', nowMs)}.`;
    case 'issuer-gone':
      return `was issued by ${key.createdBy.name}, whose account is disabled. Rotate it, and you stand for it.`;
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

/** What mends it; without a deed there is something to look at first. */
const CURES: Record<Ailment, { label: string; deed: (key: ApiKey) => Deed | null }> = {
  blocked: { label: 'Look at it', deed: () => null },
  expiring: { label: 'Rotate', deed: (key) => ({ kind: 'rotate', key }) },
  'issuer-gone': { label: 'Rotate', deed: (key) => ({ kind: 'rotate', key }) },
  unused: { label: 'Revoke', deed: (key) => ({ kind: 'stop', key, how: 'revoke' }) },
  'never-used': { label: 'Revoke', deed: (key) => ({ kind: 'stop', key, how: 'revoke' }) },
  wide: { label: 'Issue a narrower one', deed: ({ hubId }) => ({ kind: 'issue', hubId }) },
  'no-expiry': { label: 'Rotate with an end', deed: (key) => ({ kind: 'rotate', key, isForExpiry: true }) },
};
