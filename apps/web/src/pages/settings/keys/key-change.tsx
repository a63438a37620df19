import type { ApiKey, IssuedKey, RotateKeyBody } from '@hub/contract';
import { outlastsMaxLifetime } from '@hub/contract/key-findings';
import { ROTATION_OVERLAP_SECONDS } from '@hub/contract/limits';
import { RotateCw } from 'icons';
import { useEffect, useState } from 'preact/hooks';
import { useWorkspaceSettings } from '../../../data/live/use-resource.ts';
import { ApiError, request } from '../../../data/request.ts';
import { countText } from '../../../lib/count-text.ts';
import { agoText, dayProblem, dayText, exactText, expiryOf, offeredDays } from '../../../lib/keys/key-times.ts';
import { isDay, localDay } from '../../../lib/time/dates.ts';
import { FormDialog, SelectField, TextField } from '../../../ui/forms/form.tsx';
import { isReplacementOf } from './key-state.ts';

const DAY_MS = 86_400_000;

interface RotateDialogProps {
  apiKey: ApiKey;
  onClose: () => void;
  /** `overlapEnd`: when the old key stops working, in epoch milliseconds. */
  onRotated: (issued: IssuedKey, overlapEnd: number) => void;
  /** Called with the current key if someone else changed it first. */
  onFound: (key: ApiKey) => void;
}

/** Confirms a rotation and offers another lifetime. */
export function RotateDialog({ apiKey, onClose, onRotated, onFound }: RotateDialogProps) {
  /** `same`, a number of days, or `day` for a date. */
  const [choice, choose] = useState('same');
  const [day, setDay] = useState('');
  const maxDays = useWorkspaceSettings()?.longestKeyLifetimeDays ?? null;
  const isTooLong = outlastsMaxLifetime(apiKey, maxDays);
  useEffect(() => {
    if (isTooLong) choose(String(maxDays));
  }, [maxDays]);
  const problem = choice === 'day' && isDay(day) ? dayProblem(day, maxDays, Date.now()) : '';
  const body = problem === '' ? bodyOf(choice, day) : null;
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
      isDisabled={body === null}
      onSubmit={() => changeKey(apiKey, onFound, rotate)}
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

/**
 * Runs a change of a key. The server's messages contain ids, so if someone else changed the key first, the key is loaded
 * again, and the error names the user and the new key instead.
 */
export async function changeKey(
  before: ApiKey,
  onFound: (key: ApiKey) => void,
  change: () => Promise<void>,
): Promise<void> {
  try {
    await change();
  } catch (error) {
    const isChanged = error instanceof ApiError && (error.statusCode === 404 || error.statusCode === 409);
    if (!isChanged) throw error;
    const key = await find(before.id);
    if (key === null) throw new Error(`You can no longer manage keys for ${before.hubName}.`);
    const successor = key.successorId === null ? null : await find(key.successorId);
    onFound(key);
    throw new Error(changeText(key, successor));
  }
}

/** "Bob Kahn rotated this key just now. The new key is hub_live_…R3ew." */
function changeText(key: ApiKey, successor: ApiKey | null): string {
  if (successor !== null) {
    const did = isReplacementOf(successor, key) ? 'replaced' : 'rotated';
    const { createdBy, createdAt, hint } = successor;
    return `${createdBy.name} ${did} this key ${agoText(createdAt, Date.now())}. The new key is ${hint}.`;
  }
  if (key.revokedAt !== null) return 'This key was revoked by someone else. Issue a new one.';
  if (key.isHubDeleted) return `${key.hubName} was deleted. Restore it to rotate or replace its keys.`;
  if (key.state === 'expired') return 'This key has expired. Issue a new one.';
  return 'This key was changed by someone else. Check it and try again.';
}

function find(id: string): Promise<ApiKey | null> {
  return request('GET /keys/{keyId}', { keyId: id }).catch(() => null);
}
