import { useId } from 'preact/hooks';
import { countText } from '../../../lib/count-text.ts';
import { endOf, type Lifetime, latestDay, offeredDays } from '../../../lib/keys/key-times.ts';
import { dayAndTime, localDay } from '../../../lib/time/dates.ts';
import { now } from '../../../lib/time/format.ts';
import { Picks } from '../../../ui/forms/choices.tsx';

interface LifetimeFieldProps {
  lifetime: Lifetime;
  maxDays: number | null;
  problem: string | undefined;
  onChange: (lifetime: Lifetime) => void;
}

/** Chooses the expiry: a number of days, a date, or never. */
export function LifetimeField({ lifetime, maxDays, problem, onChange }: LifetimeFieldProps) {
  const id = useId();
  const until = lifetime !== 'never' && 'until' in lifetime ? lifetime.until : null;
  return (
    <Picks<number | 'until' | 'never'>
      id={id}
      legend="Expires"
      options={[
        ...offeredDays(maxDays).map((count) => ({ value: count, label: countText(count, 'day') })),
        { value: 'until', label: 'Custom date' },
        ...(maxDays === null ? [{ value: 'never', label: 'Never' } as const] : []),
      ]}
      chosen={[lifetime === 'never' ? lifetime : 'days' in lifetime ? lifetime.days : 'until']}
      onChoose={(value) => onChange(value === 'never' ? value : value === 'until' ? { until: '' } : { days: value })}
      help={
        <>
          {endText(lifetime)}
          {maxDays !== null && ` Keys in this workspace can last at most ${countText(maxDays, 'day')}.`}
        </>
      }
      error={problem}
    >
      {until !== null && (
        <input
          type="date"
          aria-label="Expiry date"
          value={until}
          min={localDay(now.value)}
          max={maxDays === null ? undefined : latestDay(maxDays, now.value)}
          aria-describedby={`${id}-error`}
          aria-invalid={problem !== undefined && problem !== ''}
          onInput={({ currentTarget }) => onChange({ until: currentTarget.value })}
        />
      )}
    </Picks>
  );
}

function endText(lifetime: Lifetime): string {
  if (lifetime === 'never') return '';
  const end = endOf(lifetime, now.value);
  return end === null ? 'Works until the end of that day.' : `Works until ${dayAndTime(end)}.`;
}
