import type { ApiKey } from '@hub/contract';
import { useRef, useState } from 'preact/hooks';
import { ApiError, errorMessage, request } from '../../../data/request.ts';
import { agoText } from '../../../lib/keys/key-times.ts';
import { isReplacementOf } from './key-state.ts';

/** Why a key was not rotated, replaced or revoked, and its current state. */
interface KeyError {
  /** The message. Empty if the session ended: the sign-in dialog says so. */
  text: string;
  /** The current key, if it is known and has changed. */
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
