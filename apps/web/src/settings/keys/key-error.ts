import type { ApiKey } from '@hub/contract';
import { ApiError, errorMessage, request } from '../../data/request.ts';
import { isReplacementOf } from './key-state.ts';
import { agoText } from './key-times.ts';

/** Why a key was not rotated, replaced or revoked, and its current state. */
export interface KeyError {
  /** The message. Empty if the session expired: the sign-in dialog says so. */
  text: string;
  /** The current key, if it is known and has changed. */
  key: ApiKey | null;
  /** The successor of the key. */
  successor: ApiKey | null;
}

export const NO_ERROR: KeyError = { text: '', key: null, successor: null };

/** Explains an error. The server's messages contain ids, so the key is reloaded and the message uses names instead. */
export async function keyErrorOf(error: unknown, before: ApiKey): Promise<KeyError> {
  if (!(error instanceof ApiError)) return { ...NO_ERROR, text: errorMessage(error) };
  if (error.statusCode === 401) return NO_ERROR;
  if (error.statusCode !== 404 && error.statusCode !== 409) return { ...NO_ERROR, text: errorMessage(error) };
  const key = await find(before.id);
  if (key === null) return { ...NO_ERROR, text: `You can no longer manage keys for ${before.hubName}.` };
  const successor = key.successorId === null ? null : await find(key.successorId);
  return { text: textOfChange(key, successor), key, successor };
}

/** Returns how someone else changed a key while a dialog was open, or `NO_ERROR` if it is unchanged. */
export async function changeSince(before: ApiKey): Promise<KeyError> {
  const key = await find(before.id);
  if (key === null || (key.revokedAt === before.revokedAt && key.successorId === before.successorId)) return NO_ERROR;
  const successor = key.successorId === null ? null : await find(key.successorId);
  return { text: textOfChange(key, successor), key, successor };
}

/** "Bob Kahn rotated this key just now. The new key is hub_live_…R3ew." */
export function textOfChange(key: ApiKey, successor: ApiKey | null): string {
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

async function find(id: string): Promise<ApiKey | null> {
  try {
    return await request('GET /keys/{keyId}', { keyId: id });
  } catch {
    return null;
  }
}
