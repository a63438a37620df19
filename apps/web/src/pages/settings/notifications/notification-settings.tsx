import type { NotificationMode, NotificationSettings, QuietHours } from '@hub/contract';
import { useState } from 'preact/hooks';
import { useResource } from '../../../data/live/workspace.ts';
import { request } from '../../../data/request.ts';
import { weekdayNames } from '../../../lib/time/dates.ts';
import { Button } from '../../../ui/button.tsx';
import { toggled } from '../../../ui/forms/choices.tsx';
import { Problem, TextField, useSubmit, useText } from '../../../ui/forms/form.tsx';
import { Section } from '../../../ui/forms/page-body.tsx';
import { inTurn, setKeyMode } from '../../../ui/notification-modes.ts';
import { toast } from '../../../ui/toast.tsx';
import { clockOf, minuteOf, timeText } from './notification-texts.ts';

export interface SettingsProps {
  settings: NotificationSettings;
  onChange: (settings: NotificationSettings) => void;
}

const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7];

export function QuietSection({ settings, onChange }: SettingsProps) {
  const { quietHours } = settings;
  const from = useText(timeText(quietHours?.fromMinute ?? 22 * 60));
  const to = useText(timeText(quietHours?.toMinute ?? 7 * 60));
  const [isOpen, setOpen] = useState(quietHours !== null);
  const [days, setDays] = useState<readonly number[]>(quietHours?.days ?? ALL_DAYS);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const { submit, isBusy, error, forget } = useSubmit(async () => {
    const [fromMinute, toMinute] = [minuteOf(from.value), minuteOf(to.value)];
    if (fromMinute === null || toMinute === null) throw new Error('Enter both times.');
    if (fromMinute === toMinute) throw new Error('Choose two different times.');
    if (days.length === 0) throw new Error('Choose at least one day, or turn off quiet hours.');
    const body = { fromMinute, toMinute, days: [...days], timeZone };
    onChange(await inTurn(() => request('PUT /me/notifications/quiet-hours', { body })));
    toast('Quiet hours saved.');
  });
  const turnOff = useSubmit(async () => {
    onChange(await inTurn(() => request('DELETE /me/notifications/quiet-hours')));
    setOpen(false);
    toast('Quiet hours turned off.');
  });
  const toggle = (day: number) => {
    setDays(toggled(days, day, !days.includes(day)).toSorted());
    // Buttons fire no input event, so the error is cleared here.
    forget();
  };
  return (
    <Section id="notifications-quiet" title="Quiet hours">
      <p class="help">{statusText(quietHours)}</p>
      {isOpen ? (
        <form onSubmit={submit} onInput={forget}>
          <div class="times">
            <TextField id="quiet-from" label="From" type="time" autofocus={quietHours === null} {...from} />
            <TextField id="quiet-to" label="To" type="time" {...to} />
          </div>
          <fieldset class="days">
            <legend>Starting on</legend>
            {weekdayNames().map(({ day, short }) => (
              <button
                key={day}
                class="pill"
                type="button"
                aria-pressed={days.includes(day)}
                onClick={() => toggle(day)}
              >
                {short}
              </button>
            ))}
          </fieldset>
          <p class="help">Times are in this browser’s time zone, {timeZone.replaceAll('_', ' ')}.</p>
          <Problem text={error || turnOff.error} />
          <p class="actions">
            <Button
              variant="is-main"
              label={quietHours === null ? 'Turn on quiet hours' : 'Save quiet hours'}
              type="submit"
              disabled={isBusy}
            />
            {quietHours !== null && <Button label="Turn off" disabled={turnOff.isBusy} onClick={turnOff.submit} />}
          </p>
        </form>
      ) : (
        <Button label="Set quiet hours" onClick={() => setOpen(true)} />
      )}
    </Section>
  );
}

function statusText(quietHours: QuietHours | null): string {
  if (quietHours === null) return 'Off. Notifications arrive at any time.';
  const { fromMinute, toMinute, days, timeZone } = quietHours;
  const zone = timeZone.replaceAll('_', ' ');
  const names = weekdayNames().filter(({ day }) => days.includes(day));
  const when = names.length === ALL_DAYS.length ? 'every day' : `on ${names.map(({ short }) => short).join(', ')}`;
  return `On: no notifications ${when} from ${clockOf(fromMinute)} to ${clockOf(toMinute)} in ${zone}. Posts from that time don’t notify you later.`;
}

const LABELS: Record<NotificationMode, string> = {
  usual: 'Mentions and replies',
  every: 'All posts',
  muted: 'Nothing (muted)',
};
const MODES: readonly NotificationMode[] = ['usual', 'every', 'muted'];

interface ModeSelectProps {
  label: string;
  mode: NotificationMode;
  onChange: (mode: NotificationMode) => void;
}

export function ModeSelect({ label, mode, onChange }: ModeSelectProps) {
  return (
    <select
      class="select"
      aria-label={label}
      value={mode}
      onChange={({ currentTarget }) => {
        const mode = MODES.find((each) => each === currentTarget.value);
        if (mode) onChange(mode);
      }}
    >
      {MODES.map((each) => (
        <option key={each} value={each}>
          {LABELS[each]}
        </option>
      ))}
    </select>
  );
}

/** Notification setting of one key, shown with its details. Empty until loaded, as high as later. */
export function KeyNotifications({ keyId, name }: { keyId: string; name: string }) {
  const { value: settings, set } = useResource((signal) => request('GET /me/notifications', { signal }), {
    key: keyId,
  });
  if (settings === undefined) return <p class="key-notifications" />;
  const mode = settings.keys.find((key) => key.keyId === keyId)?.mode ?? 'usual';
  const change = async (mode: NotificationMode) => {
    const changed = await setKeyMode({ id: keyId, name }, mode);
    if (changed) set(changed);
  };
  return (
    <p class="key-notifications">
      <span>Notify me about</span>
      <ModeSelect label={`Notifications for ${name}`} mode={mode} onChange={(mode) => void change(mode)} />
    </p>
  );
}
