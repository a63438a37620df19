import type { ApiKey } from '@hub/contract';
import { Avatar } from '../../avatars/avatar.tsx';
import { now } from '../../time/now.ts';
import type { KeyAction, StartAction } from './actions.ts';
import type { FindingKind } from './key-health.ts';
import { agoText, daysText, endText, isNearEnd } from './key-times.ts';
import { scopeList } from './scope-icons.tsx';

const DAY_MS = 86_400_000;

interface FindingRowProps {
  apiKey: ApiKey;
  finding: FindingKind;
  maxDays: number | null;
  startAction: StartAction;
  open: (id: string) => void;
}

/** One finding about a key, with the action that fixes it. */
export function FindingRow({ apiKey, finding, maxDays, startAction, open }: FindingRowProps) {
  const { id, name } = apiKey;
  const { label, action } = FIXES[finding];
  const fix = action(apiKey);
  return (
    <div class="finding-row">
      <Avatar id={id} name={name} kind="key" size="s" />
      <span class="grow">
        <b>{name}</b> {findingText(apiKey, { finding, maxDays, nowMs: now.value })}
      </span>
      <button class="btn is-small" type="button" onClick={() => (fix ? startAction(fix) : open(id))}>
        {label}
        <span class="sr"> {name}</span>
      </button>
    </div>
  );
}

interface FindingTextOptions extends Pick<FindingRowProps, 'finding' | 'maxDays'> {
  nowMs: number;
}

function findingText(key: ApiKey, { finding, maxDays, nowMs }: FindingTextOptions): string {
  switch (finding) {
    case 'blocked':
      return 'was blocked in the last 7 days for sending more than 60 requests a minute.';
    case 'expiring':
      return `expires ${isNearEnd(key.expiresAt ?? '', nowMs) ? '' : 'on '}${endText(key.expiresAt ?? '', nowMs)}.`;
    case 'issuer-gone':
      return `was issued by ${key.createdBy.name}, whose account is disabled. Rotate it to take it over.`;
    case 'outlasts':
      return `${lastsText(key)}. Keys can last at most ${daysText(maxDays ?? 0)}.`;
    case 'unused':
      return `was last used ${agoText(key.lastUsedAt ?? '', nowMs)}.`;
    case 'never-used':
      return `was issued ${agoText(key.createdAt, nowMs)} and never used.`;
    case 'wide':
      return `can create ${scopeList(key.unusedScopes)} but never has.`;
    case 'no-expiry':
      return 'never expires.';
  }
}

function lastsText({ createdAt, expiresAt }: ApiKey): string {
  if (expiresAt === null) return 'never expires';
  return `lasts ${daysText(Math.ceil((Date.parse(expiresAt) - Date.parse(createdAt)) / DAY_MS))}`;
}

/** The fix for each finding; without an action, the button opens the details of the key. */
const FIXES: Record<FindingKind, { label: string; action: (key: ApiKey) => KeyAction | null }> = {
  blocked: { label: 'View', action: () => null },
  expiring: { label: 'Rotate', action: (key) => ({ kind: 'rotate', key }) },
  'issuer-gone': { label: 'Rotate', action: (key) => ({ kind: 'rotate', key }) },
  outlasts: { label: 'Rotate', action: (key) => ({ kind: 'rotate', key }) },
  unused: { label: 'Revoke', action: (key) => ({ kind: 'revoke', key, how: 'revoke' }) },
  'never-used': { label: 'Revoke', action: (key) => ({ kind: 'revoke', key, how: 'revoke' }) },
  wide: { label: 'Issue narrower key', action: (key) => ({ kind: 'issue', hubId: key.hubId, instead: key }) },
  'no-expiry': { label: 'Rotate and set an expiry', action: (key) => ({ kind: 'rotate', key, isForExpiry: true }) },
};
