import type { ApiKey, IssuedKey, RotateKeyBody } from '@hub/contract';
import { outlastsMaxLifetime } from '@hub/contract/key-findings';
import { ROTATION_OVERLAP_SECONDS } from '@hub/contract/limits';
import { RotateCw } from 'icons';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useWorkspaceSettings } from '../../../data/live/workspace.ts';
import { ApiError, errorMessage, request } from '../../../data/request.ts';
import { countText } from '../../../lib/count-text.ts';
import { agoText, dayProblem, dayText, exactText, expiryOf, offeredDays } from '../../../lib/keys/key-times.ts';
import { isDay, localDay } from '../../../lib/time/dates.ts';
import { FormDialog, SelectField, TextField, useText } from '../../../ui/forms/form.tsx';
import { isReplacementOf } from './key-state.ts';

const DAY_MS = 86_400_000;

interface RotateDialogProps {
  apiKey: ApiKey;
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
  const day = useText();
  const maxDays = useWorkspaceSettings()?.longestKeyLifetimeDays ?? null;
  const isTooLong = outlastsMaxLifetime(apiKey, maxDays);
  useEffect(() => {
    if (isTooLong) choose(String(maxDays));
  }, [maxDays]);
  const problem = choice === 'day' && isDay(day.value) ? dayProblem(day.value, maxDays, Date.now()) : '';
  const body = problem === '' ? bodyOf(choice, day.value) : null;
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
        <TextField label="Expiry date" type="date" min={localDay(Date.now())} error={problem} {...day} />
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

/** Why a key was not rotated, replaced or revoked, and its current state. */
interface KeyError {
  /** The message. Empty if the session ended: the sign-in dialog says so. */
  text: string;
  key: ApiKey | null;
  successor: ApiKey | null;
}

const NO_ERROR: KeyError = { text: '', key: null, successor: null };

/**
 * State of a dialog that changes a key: one attempt at a time, and none once someone else has changed the key.
 * `onFound` is called with the current key in that case.
 */
export function useKeyChange(apiKey: ApiKey, onFound: (key: ApiKey) => void) {
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const [error, setError] = useState(NO_ERROR);
  const show = (error: KeyError) => {
    setError(error);
    if (error.key) onFound(error.key);
  };
  const isDisabled = isBusy || error.key !== null;
  const run = async (change: () => Promise<void>) => {
    if (isDisabled) return;
    setBusy(true);
    isRunning.current = true;
    setError(NO_ERROR);
    try {
      await change();
    } catch (reason) {
      show(await keyErrorOf(reason, apiKey));
      setBusy(false);
      isRunning.current = false;
    }
  };
  /** Shows whether someone else has changed the key since the dialog was opened. */
  const check = async () => {
    const key = await find(apiKey.id);
    if (key === null || (key.revokedAt === apiKey.revokedAt && key.successorId === apiKey.successorId)) return;
    const change = await changeOf(key);
    // Otherwise, this dialog may have made the change.
    if (!isRunning.current) show(change);
  };
  return { isDisabled, error, run, check };
}

/** Explains an error. The server's messages contain ids, so the key is reloaded and the message uses names instead. */
async function keyErrorOf(error: unknown, before: ApiKey): Promise<KeyError> {
  const { statusCode } = error instanceof ApiError ? error : { statusCode: null };
  if (statusCode === 401) return NO_ERROR;
  if (statusCode !== 404 && statusCode !== 409) return { ...NO_ERROR, text: errorMessage(error) };
  const key = await find(before.id);
  return key ? changeOf(key) : { ...NO_ERROR, text: `You can no longer manage keys for ${before.hubName}.` };
}

async function changeOf(key: ApiKey): Promise<KeyError> {
  const successor = key.successorId === null ? null : await find(key.successorId);
  return { text: changeText(key, successor), key, successor };
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

/** The error, with a link to the successor of the key if there is one. */
export function KeyErrorMessage({ error: { text, successor }, onClose }: { error: KeyError; onClose: () => void }) {
  return (
    <div class="key-error" role="alert">
      {text !== '' && <p class="error">{text}</p>}
      {successor && (
        <a class="btn" href={`/settings/keys?hub=${successor.hubId}&key=${successor.id}`} onClick={onClose}>
          Show the new key
        </a>
      )}
    </div>
  );
}
