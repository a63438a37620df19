import type { NotificationSettings, QuietHours } from '@hub/contract';
import { useState } from 'preact/hooks';
import { request } from '../../api/request.ts';
import { toast } from '../../ui/toast.tsx';
import { Problem } from '../problem.tsx';
import { useSubmit } from '../use-submit.ts';
import { clockOf, dayNames, minuteOf, timeText } from './minutes.ts';
import type { SettingsProps } from './news-section.tsx';

const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7];

/** When one wants to hear nothing. */
export function QuietSection({ settings, onChange }: SettingsProps) {
  const { quietHours } = settings;
  const [from, setFrom] = useState(timeText(quietHours?.fromMinute ?? 22 * 60));
  const [to, setTo] = useState(timeText(quietHours?.toMinute ?? 7 * 60));
  const [days, setDays] = useState<readonly number[]>(quietHours?.days ?? ALL_DAYS);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const { submit, isBusy, error, forget } = useSubmit(async () => {
    const [fromMinute, toMinute] = [minuteOf(from), minuteOf(to)];
    if (fromMinute === null || toMinute === null) throw new Error('Fill in both times.');
    if (fromMinute === toMinute) throw new Error('Choose two different times.');
    if (days.length === 0) throw new Error('Choose a day at least, or switch quiet hours off.');
    const body = { fromMinute, toMinute, days, timeZone };
    onChange(await request<NotificationSettings>('PUT', '/me/notices/quiet-hours', { body }));
    toast('Quiet hours are set.');
  });
  const ending = useSubmit(async () => {
    onChange(await request<NotificationSettings>('DELETE', '/me/notices/quiet-hours'));
    toast('There are no quiet hours.');
  });
  const toggle = (day: number) => {
    setDays(days.includes(day) ? days.filter((each) => each !== day) : [...days, day].sort());
    // A press is no input, of which the form hears.
    forget();
  };
  return (
    <section class="settings-section" aria-labelledby="notifications-quiet">
      <h2 id="notifications-quiet">Quiet hours</h2>
      <p class="help">{presentText(quietHours)}</p>
      <form onSubmit={submit} onInput={forget}>
        <div class="times">
          <div class="field">
            <label for="quiet-from">From</label>
            <input id="quiet-from" type="time" value={from} onInput={(event) => setFrom(event.currentTarget.value)} />
          </div>
          <div class="field">
            <label for="quiet-to">To</label>
            <input id="quiet-to" type="time" value={to} onInput={(event) => setTo(event.currentTarget.value)} />
          </div>
        </div>
        <fieldset class="days">
          <legend>On the days on which they begin</legend>
          {dayNames().map(({ day, short }) => (
            <button key={day} class="pill" type="button" aria-pressed={days.includes(day)} onClick={() => toggle(day)}>
              {short}
            </button>
          ))}
        </fieldset>
        <p class="help">By the clock in {timeZone.replaceAll('_', ' ')}, where this browser is.</p>
        <Problem id="quiet-error" text={error || ending.error} />
        <p class="actions">
          <button class="btn is-main" type="submit" disabled={isBusy}>
            {quietHours === null ? 'Switch quiet hours on' : 'Save quiet hours'}
          </button>
          {quietHours !== null && (
            <button class="btn" type="button" disabled={ending.isBusy} onClick={ending.submit}>
              Switch them off
            </button>
          )}
        </p>
      </form>
    </section>
  );
}

function presentText(quietHours: QuietHours | null): string {
  if (quietHours === null) return 'Off: notices come at any hour.';
  const { fromMinute, toMinute, days, timeZone } = quietHours;
  const zone = timeZone.replaceAll('_', ' ');
  const names = dayNames().filter(({ day }) => days.includes(day));
  const when = names.length === ALL_DAYS.length ? 'on each day' : `on ${names.map(({ short }) => short).join(', ')}`;
  return `On: nothing comes ${when} from ${clockOf(fromMinute)} to ${clockOf(toMinute)} in ${zone}, nor afterwards what happened then.`;
}
