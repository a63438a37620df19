import { useId } from 'preact/hooks';
import { dayAndTime } from '../../time/format.ts';
import { now } from '../../time/now.ts';
import { Problem } from '../problem.tsx';
import { dayText, endOf, type Lifetime, latestDay, offeredDays } from './key-lifetime.ts';

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
  const isDate = typeof lifetime === 'object' && 'until' in lifetime;
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
        {offeredDays(maxDays).map((days) => pick(daysText(days), { days }, isDays(lifetime, days)))}
        {pick('Custom date', { until: '' }, isDate)}
        {maxDays === null && pick('Never', 'never', lifetime === 'never')}
      </div>
      {isDate && (
        <input
          type="date"
          aria-label="Expiry date"
          value={lifetime.until}
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

function isDays(lifetime: Lifetime, days: number): boolean {
  return typeof lifetime === 'object' && 'days' in lifetime && lifetime.days === days;
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}

function endText(lifetime: Lifetime): string {
  if (lifetime === 'never') return 'Works until revoked.';
  const end = endOf(lifetime, now.value);
  return end === null ? 'Works until the end of that day.' : `Works until ${dayAndTime(end)}.`;
}
