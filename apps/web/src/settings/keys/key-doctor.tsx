import ChevronDown from 'icon:chevron-down';
import Stethoscope from 'icon:stethoscope';
import type { ApiKey } from '@hub/contract';
import { useId, useState } from 'preact/hooks';
import { isNarrow } from '../../frame/widths.ts';
import { now } from '../../time/now.ts';
import type { Begin } from './actions.ts';
import { FindingRow } from './finding-row.tsx';
import { examineByFinding, type FindingKind, type Findings, isQuiet } from './key-health.ts';

/** More of one kind are drawn when they are asked for. */
const FIRST = 12;

interface KeyDoctorProps {
  keys: readonly ApiKey[];
  /** What the workspace allows; `null` for no limit. */
  maxDays: number | null;
  begin: Begin;
  open: (id: string) => void;
}

/** Which keys need care: a line for each kind of finding, the most urgent first. Nothing, if all is well. */
export function KeyDoctor({ keys, maxDays, begin, open }: KeyDoctorProps) {
  const [isChosen, choose] = useState<boolean | null>(null);
  const list = useId();
  const all = examineByFinding(keys, now.value, maxDays);
  if (all.length === 0) return null;
  const urgent = all.filter(({ finding }) => !isQuiet(finding));
  const sick = new Set(urgent.flatMap((findings) => findings.keys.map(({ id }) => id))).size;
  // Where the keys themselves have little room, they come first.
  const isShown = isChosen ?? !isNarrow.value;
  return (
    <section class={sick === 0 ? 'doctor is-quiet' : 'doctor'} aria-labelledby="doctor-head">
      <h2 id="doctor-head">
        <Stethoscope size="s" /> {careText(sick)}
      </h2>
      <button
        class="btn is-bare is-small"
        type="button"
        aria-expanded={isShown}
        aria-controls={list}
        onClick={() => choose(!isShown)}
      >
        {isShown ? 'Hide' : 'Show'}
        <span class="sr"> what the doctor found</span>
      </button>
      <ul id={list} hidden={!isShown}>
        {all.map((findings) => (
          <FindingsLine key={findings.finding} findings={findings} maxDays={maxDays} begin={begin} open={open} />
        ))}
      </ul>
    </section>
  );
}

function careText(sick: number): string {
  if (sick === 0) return 'Nothing urgent';
  return sick === 1 ? '1 key needs care' : `${sick} keys need care`;
}

/** One key is named at once, several are counted, and named when they are asked for. */
function FindingsLine({ findings, maxDays, begin, open }: { findings: Findings } & Omit<KeyDoctorProps, 'keys'>) {
  const { finding, keys } = findings;
  const [isOpen, setOpen] = useState(false);
  const [most, setMost] = useState(FIRST);
  const list = useId();
  const [only] = keys;
  const classes = isQuiet(finding) ? 'finding is-quiet' : 'finding';
  if (only && keys.length === 1) {
    return (
      <li class={classes}>
        <FindingRow apiKey={only} finding={finding} maxDays={maxDays} begin={begin} open={open} />
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
          {keys.slice(0, most).map((key) => (
            <li key={key.id}>
              <FindingRow apiKey={key} finding={finding} maxDays={maxDays} begin={begin} open={open} />
            </li>
          ))}
          {keys.length > most && (
            <li>
              <button class="btn is-bare is-small" type="button" onClick={() => setMost(keys.length)}>
                Show {keys.length - most} more
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
  'issuer-gone': (count) => `${count} keys were issued by accounts that are disabled`,
  outlasts: (count) => `${count} keys last longer than is allowed here`,
  wide: (count) => `${count} keys may create more than they do`,
  unused: (count) => `${count} keys were not used for 90 days`,
  'never-used': (count) => `${count} keys were never used`,
  'no-expiry': (count) => `${count} keys never expire`,
};
