import RotateCw from 'icon:rotate-cw';
import type { ApiKey, IssuedKey, SucceedKeyBody } from '@hub/contract';
import { ROTATION_OVERLAP_SECONDS } from '@hub/contract/limits';
import { useEffect, useId, useState } from 'preact/hooks';
import { path, request } from '../../api/request.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { dayProblem, dayText, expiryOf, isDay, offeredDays, outlastsMaxLifetime } from '../issue-key/key-lifetime.ts';
import { Problem } from '../problem.tsx';
import { KeyErrorMessage } from './error-text.tsx';
import { dayText as dayLabel, daysText, exactText } from './key-times.ts';
import { maxLifetime } from './successor-body.ts';
import { type KeyError, NO_ERROR, rejectionReason } from './why-refused.ts';

interface RotateDialogProps {
  apiKey: ApiKey;
  /** It has none so far, and is to have one. */
  isForExpiry: boolean;
  onClose: () => void;
  onRotated: (issued: IssuedKey) => void;
  /** Somebody was quicker: this is what it has become. */
  onFound: (key: ApiKey) => void;
}

const DAY_MS = 86_400_000;

/** Says what happens, and takes another lifetime if one is wanted. */
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
      onRotated(await request<IssuedKey>('POST', path`/keys/${apiKey.id}/rotation`, { body: lifetime.body }));
    } catch (error) {
      const found = await rejectionReason(error, apiKey);
      setError(found);
      if (found.key) onFound(found.key);
      setBusy(false);
    }
  };
  const form = useId();
  return (
    <Dialog
      title={`Rotate ${apiKey.name}?`}
      lead={`You get a new key with the same ${sameness(apiKey, lifetime)}. The present one keeps working for 24 hours more, so that you can replace it without a gap.`}
      onClose={onClose}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Keep the key
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
          The present key stops on <strong>{exactText(overlapEnd(apiKey))}</strong>. Until then this page shows which
          machines still use it.
        </span>
      </div>
      <form id={form} class="lifetime" onSubmit={(event) => void rotate(event)}>
        <LifetimeFields {...lifetime} apiKey={apiKey} />
      </form>
      <KeyErrorMessage error={failure} onClose={onClose} />
    </Dialog>
  );
}

/** What it has of the present one, and how long it lasts where that is something else. */
function sameness(apiKey: ApiKey, { choice, longest }: LifetimeChoice): string {
  if (choice === 'same') return 'name, Hub, scopes and lifetime';
  if (choice === 'day') return 'name, Hub and scopes, and an end of your choice';
  const isMost = outlastsMaxLifetime(apiKey, longest) && Number(choice) === longest;
  return `name, Hub and scopes, which lasts ${daysText(Number(choice))}${isMost ? ', the most that is allowed here' : ''}`;
}

/** When a key stops that is rotated now. */
export function overlapEnd({ expiresAt }: ApiKey): number {
  const end = Date.now() + ROTATION_OVERLAP_SECONDS * 1_000;
  return expiresAt === null ? end : Math.min(end, Date.parse(expiresAt));
}

interface LifetimeChoice {
  choice: string;
  choose: (choice: string) => void;
  day: string;
  setDay: (day: string) => void;
  longest: number | null;
  /** What is wrong with the day that was chosen. */
  problem: string;
  /** What to send; `null` while it is no day. */
  body: SucceedKeyBody | null;
}

function useLifetime(apiKey: ApiKey, isForExpiry: boolean): LifetimeChoice {
  const [choice, choose] = useState(isForExpiry ? '90' : 'same');
  const [day, setDay] = useState('');
  const [longest, setLongest] = useState<number | null>(null);
  useEffect(() => {
    maxLifetime().then(
      (days) => {
        setLongest(days);
        if (days !== null && outlastsMaxLifetime(apiKey, days)) choose(String(days));
      },
      () => {
        // The server judges it when the key is rotated, and says what it allows.
      },
    );
  }, []);
  const problem = choice === 'day' && isDay(day) ? dayProblem(day, longest, Date.now()) : '';
  return { choice, choose, day, setDay, longest, problem, body: problem === '' ? bodyOf(choice, day) : null };
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
  longest,
  problem,
  apiKey,
}: LifetimeChoice & { apiKey: ApiKey }) {
  const field = useId();
  const days = offeredDays(longest);
  return (
    <>
      <div class="field">
        <label for={field}>The new key works</label>
        <select id={field} value={choice} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {!outlastsMaxLifetime(apiKey, longest) && <option value="same">{sameText(apiKey)}</option>}
          {days.map((count) => (
            <option key={count} value={String(count)}>
              {daysText(count)}, to {dayLabel(new Date(Date.now() + count * DAY_MS).toISOString(), Date.now())}
            </option>
          ))}
          <option value="day">to a day of your choice</option>
        </select>
      </div>
      {choice === 'day' && (
        <div class="field">
          <label for={`${field}-day`}>Its last day</label>
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
  if (expiresAt === null) return 'without an end, as before';
  const days = Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / DAY_MS);
  return days > 0 ? `as long as before: ${daysText(days)}` : 'as long as before';
}
