import RotateCw from 'icon:rotate-cw';
import type { ApiKey, IssuedKey, SucceedKeyBody } from '@hub/contract';
import { ROTATION_OVERLAP_SECONDS } from '@hub/contract/limits';
import { useEffect, useId, useState } from 'preact/hooks';
import { request } from '../../data/request.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { dayProblem, dayText, expiryOf, isDay, offeredDays, outlastsMaxLifetime } from '../issue-key/key-lifetime.ts';
import { useWorkspaceSettings } from '../issue-key/use-issue-key.ts';
import { Problem } from '../problem.tsx';
import { KeyErrorMessage } from './error-text.tsx';
import { type KeyError, keyErrorOf, NO_ERROR } from './key-error.ts';
import { dayText as dayLabel, daysText, exactText } from './key-times.ts';

interface RotateDialogProps {
  apiKey: ApiKey;
  /** Whether the dialog was opened to give the key an expiry. */
  isForExpiry: boolean;
  onClose: () => void;
  onRotated: (issued: IssuedKey) => void;
  /** Called with the current key if someone else changed it first. */
  onFound: (key: ApiKey) => void;
}

const DAY_MS = 86_400_000;

/** Confirms a rotation and offers another lifetime. */
export function RotateDialog({ apiKey, isForExpiry, onClose, onRotated, onFound }: RotateDialogProps) {
  const lifetime = useLifetime(apiKey, isForExpiry);
  const [isBusy, setBusy] = useState(false);
  const [failure, setError] = useState<KeyError>(NO_ERROR);
  const rotate = async (event: Event) => {
    event.preventDefault();
    if (isBusy || lifetime.body === null) return;
    setBusy(true);
    setError(NO_ERROR);
    try {
      onRotated(await request('POST /keys/{keyId}/rotation', { keyId: apiKey.id, body: lifetime.body }));
    } catch (error) {
      const found = await keyErrorOf(error, apiKey);
      setError(found);
      if (found.key) onFound(found.key);
      setBusy(false);
    }
  };
  const form = useId();
  return (
    <Dialog
      title={`Rotate ${apiKey.name}?`}
      lead={`You get a new key with the same ${sameDetails(apiKey, lifetime)}. The current key keeps working for 24 hours.`}
      onClose={onClose}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Cancel
          </button>
          <button
            class="btn is-main"
            type="submit"
            form={form}
            disabled={isBusy || lifetime.body === null || failure.key !== null}
          >
            Rotate
          </button>
        </>
      }
    >
      <div class="banner">
        <RotateCw size="s" />
        <span class="grow">
          The current key stops working on <strong>{exactText(overlapEnd(apiKey))}</strong>. Until then, this page shows
          which machines still use it.
        </span>
      </div>
      <form id={form} class="lifetime" onSubmit={(event) => void rotate(event)}>
        <LifetimeFields {...lifetime} apiKey={apiKey} />
      </form>
      <KeyErrorMessage error={failure} onClose={onClose} />
    </Dialog>
  );
}

/** Says what the new key inherits from the current one, and how long it lasts if that differs. */
function sameDetails(apiKey: ApiKey, { choice, maxDays }: LifetimeChoice): string {
  if (choice === 'same') return 'name, Hub, permissions and lifetime';
  if (choice === 'day') return 'name, Hub and permissions, and the expiry date you choose';
  const isMax = outlastsMaxLifetime(apiKey, maxDays) && Number(choice) === maxDays;
  return `name, Hub and permissions, valid for ${daysText(Number(choice))}${isMax ? ', the maximum allowed' : ''}`;
}

/** Returns when a key stops working if it is rotated now, in epoch milliseconds. */
export function overlapEnd({ expiresAt }: ApiKey): number {
  const end = Date.now() + ROTATION_OVERLAP_SECONDS * 1_000;
  return expiresAt === null ? end : Math.min(end, Date.parse(expiresAt));
}

interface LifetimeChoice {
  choice: string;
  choose: (choice: string) => void;
  day: string;
  setDay: (day: string) => void;
  maxDays: number | null;
  /** Why the chosen date is invalid. */
  problem: string;
  /** The request body; `null` while the date is invalid. */
  body: SucceedKeyBody | null;
}

function useLifetime(apiKey: ApiKey, isForExpiry: boolean): LifetimeChoice {
  const [choice, choose] = useState(isForExpiry ? '90' : 'same');
  const [day, setDay] = useState('');
  const maxDays = useWorkspaceSettings()?.longestKeyLifetimeDays ?? null;
  useEffect(() => {
    if (maxDays !== null && outlastsMaxLifetime(apiKey, maxDays)) choose(String(maxDays));
  }, [maxDays]);
  const problem = choice === 'day' && isDay(day) ? dayProblem(day, maxDays, Date.now()) : '';
  return { choice, choose, day, setDay, maxDays, problem, body: problem === '' ? bodyOf(choice, day) : null };
}

function bodyOf(choice: string, day: string): SucceedKeyBody | null {
  if (choice === 'same') return {};
  if (choice === 'day') return isDay(day) ? expiryOf({ until: day }) : null;
  return expiryOf({ days: Number(choice) });
}

function LifetimeFields({
  choice,
  choose,
  day,
  setDay,
  maxDays,
  problem,
  apiKey,
}: LifetimeChoice & { apiKey: ApiKey }) {
  const field = useId();
  const days = offeredDays(maxDays);
  return (
    <>
      <div class="field">
        <label for={field}>New key lifetime</label>
        <select id={field} value={choice} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {!outlastsMaxLifetime(apiKey, maxDays) && <option value="same">{sameText(apiKey)}</option>}
          {days.map((count) => (
            <option key={count} value={String(count)}>
              {daysText(count)} (until {dayLabel(new Date(Date.now() + count * DAY_MS).toISOString(), Date.now())})
            </option>
          ))}
          <option value="day">Custom date</option>
        </select>
      </div>
      {choice === 'day' && (
        <div class="field">
          <label for={`${field}-day`}>Expiry date</label>
          <input
            id={`${field}-day`}
            type="date"
            required
            value={day}
            min={dayText(Date.now())}
            aria-invalid={problem !== ''}
            aria-describedby={`${field}-error`}
            onInput={({ currentTarget }) => setDay(currentTarget.value)}
          />
          <Problem id={`${field}-error`} text={problem} />
        </div>
      )}
    </>
  );
}

function sameText({ createdAt, expiresAt }: ApiKey): string {
  if (expiresAt === null) return 'No expiry, same as before';
  const days = Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / DAY_MS);
  return days > 0 ? `Same as before: ${daysText(days)}` : 'Same as before';
}
