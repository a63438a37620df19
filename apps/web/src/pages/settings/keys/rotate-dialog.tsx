import RotateCw from 'icon:rotate-cw';
import type { ApiKey, IssuedKey, SucceedKeyBody } from '@hub/contract';
import { outlastsMaxLifetime } from '@hub/contract/key-findings';
import { ROTATION_OVERLAP_SECONDS } from '@hub/contract/limits';
import { useEffect, useId, useState } from 'preact/hooks';
import { useWorkspaceSettings } from '../../../data/live/use-resource.ts';
import { request } from '../../../data/request.ts';
import { dayProblem, dayText, expiryOf, isDay, offeredDays } from '../../../lib/keys/key-lifetime.ts';
import { dayText as dayLabel, daysText, exactText } from '../../../lib/keys/key-times.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Problem } from '../../../ui/forms/problem.tsx';
import { KeyErrorMessage, useKeyChange } from './key-error.tsx';

const DAY_MS = 86_400_000;

interface RotateDialogProps {
  apiKey: ApiKey;
  /** Whether the dialog was opened to give the key an expiry. */
  isForExpiry: boolean;
  onClose: () => void;
  /** `overlapEnd`: when the old key stops working, in epoch milliseconds. */
  onRotated: (issued: IssuedKey, overlapEnd: number) => void;
  /** Called with the current key if someone else changed it first. */
  onFound: (key: ApiKey) => void;
}

/** Confirms a rotation and offers another lifetime. */
export function RotateDialog({ apiKey, isForExpiry, onClose, onRotated, onFound }: RotateDialogProps) {
  const form = useId();
  /** `same`, a number of days, or `day` for a date. */
  const [choice, choose] = useState(isForExpiry ? '90' : 'same');
  const [day, setDay] = useState('');
  const maxDays = useWorkspaceSettings()?.longestKeyLifetimeDays ?? null;
  const isTooLong = outlastsMaxLifetime(apiKey, maxDays);
  useEffect(() => {
    if (isTooLong) choose(String(maxDays));
  }, [maxDays]);
  const problem = choice === 'day' && isDay(day) ? dayProblem(day, maxDays, Date.now()) : '';
  const body = problem === '' ? bodyOf(choice, day) : null;
  const { isDisabled, error, run } = useKeyChange(apiKey, onFound);
  const rotate = async () => {
    if (body === null) return;
    const issued = await request('POST /keys/{keyId}/rotation', { keyId: apiKey.id, body });
    onRotated(issued, overlapEndOf(apiKey));
  };
  const isMax = isTooLong && choice === String(maxDays);
  return (
    <Dialog
      title={`Rotate ${apiKey.name}?`}
      lead={`You get a new key with the same ${sameText(choice, isMax)}. The current key keeps working for 24 hours.`}
      onClose={onClose}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="btn is-main" type="submit" form={form} disabled={isDisabled || body === null}>
            Rotate
          </button>
        </>
      }
    >
      <div class="banner">
        <RotateCw size="s" />
        <span class="grow">
          The current key stops working on <strong>{exactText(overlapEndOf(apiKey))}</strong>. Until then, this page
          shows which machines still use it.
        </span>
      </div>
      <form
        id={form}
        class="lifetime"
        onSubmit={(event) => {
          event.preventDefault();
          void run(rotate);
        }}
      >
        <div class="field">
          <label for={`${form}-lifetime`}>New key lifetime</label>
          <select id={`${form}-lifetime`} value={choice} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            {!isTooLong && <option value="same">{sameLifetimeText(apiKey)}</option>}
            {offeredDays(maxDays).map((count) => (
              <option key={count} value={String(count)}>
                {daysText(count)} (until {dayLabel(new Date(Date.now() + count * DAY_MS).toISOString(), Date.now())})
              </option>
            ))}
            <option value="day">Custom date</option>
          </select>
        </div>
        {choice === 'day' && (
          <div class="field">
            <label for={`${form}-day`}>Expiry date</label>
            <input
              id={`${form}-day`}
              type="date"
              required
              value={day}
              min={dayText(Date.now())}
              aria-invalid={problem !== ''}
              aria-describedby={`${form}-error`}
              onInput={({ currentTarget }) => setDay(currentTarget.value)}
            />
            <Problem id={`${form}-error`} text={problem} />
          </div>
        )}
      </form>
      <KeyErrorMessage error={error} onClose={onClose} />
    </Dialog>
  );
}

/** Returns the request body; `null` while no date is chosen. */
function bodyOf(choice: string, day: string): SucceedKeyBody | null {
  if (choice === 'same') return {};
  if (choice === 'day') return isDay(day) ? expiryOf({ until: day }) : null;
  return expiryOf({ days: Number(choice) });
}

/** Says what the new key inherits from the current one, and how long it lasts if that differs. */
function sameText(choice: string, isMax: boolean): string {
  if (choice === 'same') return 'name, Hub, permissions and lifetime';
  if (choice === 'day') return 'name, Hub and permissions, and the expiry date you choose';
  return `name, Hub and permissions, valid for ${daysText(Number(choice))}${isMax ? ', the maximum allowed' : ''}`;
}

function sameLifetimeText({ createdAt, expiresAt }: ApiKey): string {
  if (expiresAt === null) return 'No expiry, same as before';
  const days = Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / DAY_MS);
  return days > 0 ? `Same as before: ${daysText(days)}` : 'Same as before';
}

/** Returns when a key stops working if it is rotated now, in epoch milliseconds. */
function overlapEndOf({ expiresAt }: ApiKey): number {
  const end = Date.now() + ROTATION_OVERLAP_SECONDS * 1_000;
  return expiresAt === null ? end : Math.min(end, Date.parse(expiresAt));
}
