import type { ApiKey, IssuedKey, RotateKeyBody } from '@hub/contract';
import { outlastsMaxLifetime } from '@hub/contract/key-findings';
import { ROTATION_OVERLAP_SECONDS } from '@hub/contract/limits';
import { RotateCw } from 'icons';
import { useEffect, useState } from 'preact/hooks';
import { useWorkspaceSettings } from '../../../data/live/use-resource.ts';
import { request } from '../../../data/request.ts';
import { countText } from '../../../lib/count-text.ts';
import { dayProblem, expiryOf, offeredDays } from '../../../lib/keys/key-lifetime.ts';
import { dayText, exactText } from '../../../lib/keys/key-times.ts';
import { isDay, localDay } from '../../../lib/time/local-day.ts';
import { FormDialog, SelectField, TextField } from '../../../ui/forms/form.tsx';
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
    <FormDialog
      title={`Rotate ${apiKey.name}?`}
      description={`You get a new key with the same ${sameText(choice, isMax)}.`}
      submitLabel="Rotate key"
      isDisabled={isDisabled || body === null}
      onSubmit={() => run(rotate)}
      onClose={onClose}
    >
      <div class="banner">
        <RotateCw />
        <span class="grow">
          The current key keeps working until <strong>{exactText(overlapEndOf(apiKey))}</strong>. Until then, this page
          shows which machines still use it.
        </span>
      </div>
      <SelectField
        label="New key lifetime"
        value={choice}
        onValue={choose}
        options={[
          ...(isTooLong ? [] : [{ value: 'same', label: sameLifetimeText(apiKey) }]),
          ...offeredDays(maxDays).map((count) => ({
            value: String(count),
            label: `${countText(count, 'day')} (until ${dayText(new Date(Date.now() + count * DAY_MS).toISOString(), Date.now())})`,
          })),
          { value: 'day', label: 'Custom date' },
        ]}
      />
      {choice === 'day' && (
        <TextField
          label="Expiry date"
          type="date"
          min={localDay(Date.now())}
          value={day}
          error={problem}
          onValue={setDay}
        />
      )}
      <KeyErrorMessage error={error} onClose={onClose} />
    </FormDialog>
  );
}

/** Returns the request body; `null` while no date is chosen. */
function bodyOf(choice: string, day: string): RotateKeyBody | null {
  if (choice === 'same') return {};
  if (choice === 'day') return isDay(day) ? expiryOf({ until: day }) : null;
  return expiryOf({ days: Number(choice) });
}

/** Says what the new key inherits from the current one, and how long it lasts if that differs. */
function sameText(choice: string, isMax: boolean): string {
  if (choice === 'same') return 'name, Hub, permissions and lifetime';
  if (choice === 'day') return 'name, Hub and permissions, and the expiry date you choose';
  return `name, Hub and permissions, valid for ${countText(Number(choice), 'day')}${isMax ? ', the maximum allowed' : ''}`;
}

function sameLifetimeText({ createdAt, expiresAt }: ApiKey): string {
  if (expiresAt === null) return 'No expiry, same as before';
  const days = Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / DAY_MS);
  return days > 0 ? `Same as before: ${countText(days, 'day')}` : 'Same as before';
}

/** Returns when a key stops working if it is rotated now, in epoch milliseconds. */
function overlapEndOf({ expiresAt }: ApiKey): number {
  const end = Date.now() + ROTATION_OVERLAP_SECONDS * 1_000;
  return expiresAt === null ? end : Math.min(end, Date.parse(expiresAt));
}
