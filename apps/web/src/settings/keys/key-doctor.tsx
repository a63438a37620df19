import ChevronDown from 'icon:chevron-down';
import Stethoscope from 'icon:stethoscope';
import type { ApiKey } from '@hub/contract';
import { useId, useState } from 'preact/hooks';
import { isNarrow } from '../../frame/widths.ts';
import { now } from '../../time/now.ts';
import type { StartAction } from './actions.ts';
import { FindingRow } from './finding-row.tsx';
import { type FindingKind, type Findings, groupedFindings, isQuiet } from './key-health.ts';

/** Keys beyond this number in one finding are rendered on request. */
const FIRST = 12;

interface KeyDoctorProps {
  keys: readonly ApiKey[];
  /** The maximum lifetime in the workspace, in days; `null` for no limit. */
  maxDays: number | null;
  startAction: StartAction;
  open: (id: string) => void;
}

/** Lists findings about keys, one line per kind, most urgent first. Renders nothing if there are none. */
export function KeyDoctor({ keys, maxDays, startAction, open }: KeyDoctorProps) {
  const [isChosen, choose] = useState<boolean | null>(null);
  const list = useId();
  const all = groupedFindings(keys, now.value, maxDays);
  if (all.length === 0) return null;
  const urgent = all.filter(({ finding }) => !isQuiet(finding));
  const urgentCount = new Set(urgent.flatMap((findings) => findings.keys.map(({ id }) => id))).size;
  // In narrow windows the keys come first, so the findings start collapsed.
  const isShown = isChosen ?? !isNarrow.value;
  return (
    <section class={urgentCount === 0 ? 'doctor is-quiet' : 'doctor'} aria-labelledby="doctor-head">
      <h2 id="doctor-head">
        <Stethoscope size="s" /> {urgentText(urgentCount)}
      </h2>
      <button
        class="btn is-bare is-small"
        type="button"
        aria-expanded={isShown}
        aria-controls={list}
        onClick={() => choose(!isShown)}
      >
        {isShown ? 'Hide' : 'Show'}
        <span class="sr"> findings</span>
      </button>
      <ul id={list} hidden={!isShown}>
        {all.map((findings) => (
          <FindingsLine
            key={findings.finding}
            findings={findings}
            maxDays={maxDays}
            startAction={startAction}
            open={open}
          />
        ))}
      </ul>
    </section>
  );
}

function urgentText(count: number): string {
  if (count === 0) return 'Nothing urgent';
  return count === 1 ? '1 key needs attention' : `${count} keys need attention`;
}

/** One kind of finding: names a single key; several keys are counted and listed on request. */
function FindingsLine({ findings, maxDays, startAction, open }: { findings: Findings } & Omit<KeyDoctorProps, 'keys'>) {
  const { finding, keys } = findings;
  const [isOpen, setOpen] = useState(false);
  const [shownCount, setShownCount] = useState(FIRST);
  const list = useId();
  const [only] = keys;
  const classes = isQuiet(finding) ? 'finding is-quiet' : 'finding';
  if (only && keys.length === 1) {
    return (
      <li class={classes}>
        <FindingRow apiKey={only} finding={finding} maxDays={maxDays} startAction={startAction} open={open} />
      </li>
    );
  }
  return (
    <li class={classes}>
      <button
        class="finding-toggle"
        type="button"
        aria-expanded={isOpen}
        aria-controls={list}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronDown size="s" /> {KIND_LABELS[finding](keys.length)}
      </button>
      {isOpen && (
        <ul id={list}>
          {keys.slice(0, shownCount).map((key) => (
            <li key={key.id}>
              <FindingRow apiKey={key} finding={finding} maxDays={maxDays} startAction={startAction} open={open} />
            </li>
          ))}
          {keys.length > shownCount && (
            <li>
              <button class="btn is-bare is-small" type="button" onClick={() => setShownCount(keys.length)}>
                Show {keys.length - shownCount} more
              </button>
            </li>
          )}
        </ul>
      )}
    </li>
  );
}

const KIND_LABELS: Record<FindingKind, (count: number) => string> = {
  expiring: (count) => `${count} keys expire soon`,
  blocked: (count) => `${count} keys were blocked in the last 7 days`,
  'issuer-gone': (count) => `${count} keys were issued by disabled accounts`,
  outlasts: (count) => `${count} keys last longer than allowed`,
  wide: (count) => `${count} keys have permissions they don’t use`,
  unused: (count) => `${count} keys haven’t been used for 90 days`,
  'never-used': (count) => `${count} keys were never used`,
  'no-expiry': (count) => `${count} keys never expire`,
};
