import { useId } from 'preact/hooks';
import { dayText, endOf, type Lifetime, latestDay, offeredDays } from '../../../lib/keys/key-lifetime.ts';
import { daysText } from '../../../lib/keys/key-times.ts';
import { dayAndTime } from '../../../lib/time/format.ts';
import { now } from '../../../lib/time/now.ts';
import { Problem } from '../../../ui/forms/problem.tsx';

interface LifetimeFieldProps {
  lifetime: Lifetime;
  /** The maximum lifetime in the workspace; `null` for no limit. */
  maxDays: number | null;
  problem: string;
  onChange: (lifetime: Lifetime) => void;
}

/** Chooses the expiry: a number of days, a date, or never. */
export function LifetimeField({ lifetime, maxDays, problem, onChange }: LifetimeFieldProps) {
  const id = useId();
  const days = lifetime !== 'never' && 'days' in lifetime ? lifetime.days : null;
  const until = lifetime !== 'never' && 'until' in lifetime ? lifetime.until : null;
  const pick = (label: string, value: Lifetime, isChosen: boolean) => (
    <label key={label} class="pick">
      <input type="radio" name={id} checked={isChosen} onChange={() => onChange(value)} />
      {label}
    </label>
  );
  return (
    <fieldset class="field picks" aria-describedby={`${id}-help ${id}-error`}>
      <legend class="label">Expires</legend>
      <div class="picks-row">
        {offeredDays(maxDays).map((count) => pick(daysText(count), { days: count }, days === count))}
        {pick('Custom date', { until: '' }, until !== null)}
        {maxDays === null && pick('Never', 'never', lifetime === 'never')}
      </div>
      {until !== null && (
        <input
          type="date"
          aria-label="Expiry date"
          value={until}
          min={dayText(now.value)}
          max={maxDays === null ? undefined : latestDay(maxDays, now.value)}
          aria-invalid={problem !== ''}
          aria-describedby={`${id}-error`}
          onInput={({ currentTarget }) => onChange({ until: currentTarget.value })}
        />
      )}
      <p class="help" id={`${id}-help`}>
        {endText(lifetime)}
        {maxDays !== null && ` Keys in this workspace can last at most ${daysText(maxDays)}.`}
      </p>
      <Problem id={`${id}-error`} text={problem} />
    </fieldset>
  );
}

function endText(lifetime: Lifetime): string {
  if (lifetime === 'never') return '';
  const end = endOf(lifetime, now.value);
  return end === null ? 'Works until the end of that day.' : `Works until ${dayAndTime(end)}.`;
}
