import type { ApiKey } from '@hub/contract';
import { type FindingKind, type Findings, findingsOf, isQuiet } from '@hub/contract/key-findings';
import { ChevronDown, Stethoscope } from 'icons';
import { useId, useState } from 'preact/hooks';
import { countText } from '../../../lib/count-text.ts';
import { agoText, endText, isNearEnd } from '../../../lib/keys/key-times.ts';
import { now } from '../../../lib/time/now.ts';
import { isNarrow } from '../../../lib/widths.ts';
import { Avatar } from '../../../ui/avatars/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { scopeText } from '../issue-key/key-scopes.ts';
import type { KeyAction, KeysView } from './key-commands.tsx';
import { stateOf } from './key-state.ts';

/** Keys beyond this number in one finding are rendered on request. */
const FIRST = 12;
const DAY_MS = 86_400_000;

/** Lists findings about keys, one line per kind, most urgent first. Renders nothing if there are none. */
export function KeyDoctor({ keys, view }: { keys: readonly ApiKey[]; view: KeysView }) {
  const [isChosen, choose] = useState<boolean | null>(null);
  const list = useId();
  const all = findingsOf(keys, now.value, view.maxDays);
  if (all.length === 0) return null;
  const urgent = all.filter(({ finding }) => !isQuiet(finding)).flatMap((findings) => findings.keys);
  const urgentCount = new Set(urgent.map(({ id }) => id)).size;
  // In narrow windows the keys come first, so the findings start collapsed.
  const isShown = isChosen ?? !isNarrow.value;
  return (
    <section class={urgentCount === 0 ? 'doctor is-quiet' : 'doctor'} aria-labelledby="doctor-head">
      <h2 id="doctor-head">
        <Stethoscope /> {headText(urgentCount, all.length)}
      </h2>
      <Button variant="is-bare is-small" aria-expanded={isShown} aria-controls={list} onClick={() => choose(!isShown)}>
        {isShown ? 'Hide' : 'Show'}
        <span class="sr"> findings</span>
      </Button>
      <ul id={list} hidden={!isShown}>
        {all.map((findings) => (
          <li key={findings.finding} class={isQuiet(findings.finding) ? 'finding is-quiet' : 'finding'}>
            <FindingsLine findings={findings} view={view} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function headText(urgentKeys: number, findings: number): string {
  if (urgentKeys === 0) return countText(findings, 'suggestion');
  return urgentKeys === 1 ? '1 key needs attention' : `${urgentKeys} keys need attention`;
}

/** One kind of finding: names a single key; several keys are counted and listed on request. */
function FindingsLine({ findings: { finding, keys }, view }: { findings: Findings; view: KeysView }) {
  const [isOpen, setOpen] = useState(false);
  const [shownCount, setShownCount] = useState(FIRST);
  const list = useId();
  const [only] = keys;
  if (only && keys.length === 1) return <FindingRow apiKey={only} finding={finding} view={view} />;
  return (
    <>
      <button
        class="finding-toggle"
        type="button"
        aria-expanded={isOpen}
        aria-controls={list}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronDown /> {keys.length} keys {FINDINGS[finding].many}
      </button>
      {isOpen && (
        <ul id={list}>
          {keys.slice(0, shownCount).map((key) => (
            <li key={key.id}>
              <FindingRow apiKey={key} finding={finding} view={view} />
            </li>
          ))}
          {keys.length > shownCount && (
            <li>
              <Button
                variant="is-bare is-small"
                label={`Show ${keys.length - shownCount} more`}
                onClick={() => setShownCount(keys.length)}
              />
            </li>
          )}
        </ul>
      )}
    </>
  );
}

/** One finding about a key, with the action that fixes it. */
function FindingRow({ apiKey, finding, view }: { apiKey: ApiKey; finding: FindingKind; view: KeysView }) {
  const { id, name } = apiKey;
  const { one, label, action } = FINDINGS[finding];
  return (
    <div class="finding-row">
      <Avatar id={id} name={name} kind="key" size="s" />
      <span class="grow">
        <b>{name}</b> {one(apiKey, now.value, view.maxDays)}
      </span>
      <Button variant="is-small" onClick={() => (action ? view.startAction(action(apiKey)) : view.open(id))}>
        {label}
        <span class="sr"> {name}</span>
      </Button>
    </div>
  );
}

interface FindingTexts {
  /** Follows the name of one key. */
  one: (key: ApiKey, nowMs: number, maxDays: number | null) => string;
  /** Follows "3 keys". */
  many: string;
  label: string;
  /** Fixes the finding. Without an action, the button opens the details of the key. */
  action?: (key: ApiKey) => KeyAction;
}

const ROTATE = { label: 'Rotate', action: (key: ApiKey): KeyAction => ({ kind: 'rotate', key }) };
const REVOKE = { label: 'Revoke', action: (key: ApiKey): KeyAction => ({ kind: 'revoke', key, how: 'revoke' }) };

const FINDINGS: Record<FindingKind, FindingTexts> = {
  expiring: {
    one: ({ expiresAt }, nowMs) =>
      `expires ${isNearEnd(expiresAt ?? '', nowMs) ? '' : 'on '}${endText(expiresAt ?? '', nowMs)}.`,
    many: 'expire soon',
    ...ROTATE,
  },
  blocked: {
    one: (key, nowMs) =>
      `${stateOf(key, nowMs) === 'blocked' ? 'is blocked now' : 'was blocked in the last 7 days'} for sending more than 60 requests a minute.`,
    // Some of them may still be.
    many: 'have been blocked in the last 7 days',
    label: 'View',
  },
  'issuer-gone': {
    one: ({ createdBy }) => `was issued by ${createdBy.name}, whose account is disabled. Rotate it to take it over.`,
    many: 'were issued by disabled accounts',
    ...ROTATE,
  },
  outlasts: {
    one: (key, _, maxDays) => `${lastsText(key)}. Keys can last at most ${countText(maxDays ?? 0, 'day')}.`,
    many: 'last longer than allowed',
    ...ROTATE,
  },
  wide: {
    one: ({ unusedScopes }) => `can create ${scopeText(unusedScopes)} but never has.`,
    many: 'have permissions they don’t use',
    label: 'Issue a key with fewer permissions',
    action: (key) => ({ kind: 'issue', hubId: key.hubId, instead: key }),
  },
  unused: {
    one: ({ lastUsedAt }, nowMs) => `was last used ${agoText(lastUsedAt ?? '', nowMs)}.`,
    many: 'haven’t been used for 90 days',
    ...REVOKE,
  },
  'never-used': {
    one: ({ createdAt }, nowMs) => `was issued ${agoText(createdAt, nowMs)} and never used.`,
    many: 'were never used',
    ...REVOKE,
  },
  'no-expiry': {
    one: () => 'never expires.',
    many: 'never expire',
    label: 'Rotate and set an expiry',
    action: (key) => ({ kind: 'rotate', key, isForExpiry: true }),
  },
};

function lastsText({ createdAt, expiresAt }: ApiKey): string {
  if (expiresAt === null) return 'never expires';
  return `lasts ${countText(Math.ceil((Date.parse(expiresAt) - Date.parse(createdAt)) / DAY_MS), 'day')}`;
}
