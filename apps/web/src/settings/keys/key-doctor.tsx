import Stethoscope from 'icon:stethoscope';
import type { ApiKey } from '@hub/contract';
import { useState } from 'preact/hooks';
import { Face } from '../../faces/face.tsx';
import { isNarrow } from '../../frame/widths.ts';
import { now } from '../../time/now.ts';
import type { Begin, Deed } from './deeds.ts';
import { type Ailment, examine, type Finding } from './key-health.ts';
import { agoWords, dayWords } from './key-times.ts';
import { scopeList } from './scope-icons.tsx';

const FIRST = 3;

interface KeyDoctorProps {
  keys: readonly ApiKey[];
  begin: Begin;
  open: (id: string) => void;
}

/** Which keys need care, the most urgent first, each with what mends it. Nothing, if all is well. */
export function KeyDoctor({ keys, begin, open }: KeyDoctorProps) {
  const [isWhole, setWhole] = useState(false);
  // Where the keys themselves have little room, they come first.
  const most = isNarrow.value ? 0 : FIRST;
  const findings = examine(keys, now.value);
  if (findings.length === 0) return null;
  const shown = isWhole ? findings : findings.slice(0, most);
  const sick = new Set(findings.map(({ key }) => key.id)).size;
  return (
    <section class="doctor" aria-labelledby="doctor-head">
      <h2 id="doctor-head">
        <Stethoscope size="s" /> {sick === 1 ? '1 key needs' : `${sick} keys need`} care
      </h2>
      {shown.length > 0 && (
        <ul>
          {shown.map((finding) => (
            <FindingRow key={`${finding.key.id} ${finding.ailment}`} finding={finding} begin={begin} open={open} />
          ))}
        </ul>
      )}
      {findings.length > most && (
        <button class="btn is-bare is-small" type="button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : most === 0 ? 'Show what' : `Show all ${findings.length}`}
        </button>
      )}
    </section>
  );
}

function FindingRow({ finding, begin, open }: { finding: Finding; begin: Begin; open: (id: string) => void }) {
  const { key, ailment } = finding;
  const { label, deed } = CURES[ailment];
  const cure = deed(key);
  return (
    <li>
      <Face id={key.id} name={key.name} kind="key" size="s" />
      <span class="grow">
        <b>{key.name}</b> {symptom(key, ailment, now.value)}
      </span>
      <button class="btn is-small" type="button" onClick={() => (cure ? begin(cure) : open(key.id))}>
        {label}
        <span class="sr"> {key.name}</span>
      </button>
    </li>
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
