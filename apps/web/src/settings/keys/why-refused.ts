import type { ApiKey } from '@hub/contract';
import { ApiError, errorMessage, path, request } from '../../api/request.ts';
import { isReplacementOf } from './key-state.ts';
import { agoText } from './key-times.ts';

/** Why a key was not rotated, replaced or revoked, and what it has become. */
export interface KeyError {
  /** Nothing, if the session has ended: whoever signs in again has been told enough, and goes on. */
  text: string;
  /** As it is now, if that is known and something else than before. */
  key: ApiKey | null;
  /** What came in its place. */
  successor: ApiKey | null;
}

export const NO_ERROR: KeyError = { text: '', key: null, successor: null };

/** The server says it with ids, for programs; here the key is asked for again, and it is said with names. */
export async function rejectionReason(error: unknown, before: ApiKey): Promise<KeyError> {
  if (!(error instanceof ApiError)) return { ...NO_ERROR, text: errorMessage(error) };
  if (error.statusCode === 401) return NO_ERROR;
  if (error.statusCode !== 404 && error.statusCode !== 409) return { ...NO_ERROR, text: errorMessage(error) };
  const key = await find(before.id);
  if (key === null) return { ...NO_ERROR, text: `You do not manage the keys of ${before.hubName} any more.` };
  const successor = key.successorId === null ? null : await find(key.successorId);
  return { text: textOfChange(key, successor), key, successor };
}

/** What somebody else has made of a key while one was about to stop it; nothing, if it is as it was. */
export async function changeSince(before: ApiKey): Promise<KeyError> {
  const key = await find(before.id);
  if (key === null || (key.revokedAt === before.revokedAt && key.successorId === before.successorId)) return NO_ERROR;
  const successor = key.successorId === null ? null : await find(key.successorId);
  return { text: textOfChange(key, successor), key, successor };
}

/** "Bob Kahn has rotated this key just now; the new one is hub_live_…R3ew." */
export function textOfChange(key: ApiKey, successor: ApiKey | null): string {
  if (successor !== null) {
    const did = isReplacementOf(successor, key) ? 'replaced' : 'rotated';
    const { createdBy, createdAt, hint } = successor;
    return `${createdBy.name} has ${did} this key ${agoText(createdAt, Date.now())}; the new one is ${hint}.`;
  }
  if (key.revokedAt !== null) return 'Somebody has revoked this key meanwhile. Issue a new one.';
  if (key.isHubDeleted) return `${key.hubName} was deleted. Restore it first: then its keys can have successors.`;
  if (key.state === 'expired') return 'This key has expired meanwhile. Issue a new one.';
  return 'Somebody has changed this key meanwhile. Look at it and try again.';
}

async function find(id: string): Promise<ApiKey | null> {
  try {
    return await request<ApiKey>('GET', path`/keys/${id}`);
  } catch {
    return null;
  }
}
