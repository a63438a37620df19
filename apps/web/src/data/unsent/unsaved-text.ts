import { signal } from '@preact/signals';
import { writeStored } from '../../lib/stored.ts';

/**
 * Text that the server does not have yet, stored in this browser under the user's id. It survives a reload, a browser
 * restart and the end of a session. Signing out deletes it, on this page and in all other tabs.
 */
const KINDS = { draft: 'hub.draft.', unsent: 'hub.outbox.' } as const;

export type UnsavedKind = keyof typeof KINDS;
const ALL = Object.keys(KINDS) as UnsavedKind[];

/** The id of the user who has signed out. Their page is about to close and must not store any more text. */
let signedOutId: string | null = null;
/** Counts the changes to stored text, in any tab, so that views can follow it. */
export const storedChanges = signal(0);
/** Callbacks that save pending text immediately. */
const writers = new Set<() => void>();

addEventListener('storage', () => {
  storedChanges.value += 1;
});

/** Returns the storage key for a piece of text. Without `key`: the common prefix. */
export function storageKey(kind: UnsavedKind, userId: string, key = ''): string {
  return `${KINDS[kind]}${userId}.${key}`;
}

export function editDraftKey(itemId: string): string {
  return `edit.${itemId}`;
}

/**
 * Stores text, unless its user has signed out. If the storage is full or unavailable, it is still in the page. Returns
 * whether it is stored.
 */
export function store(name: string, text: string): boolean {
  if (ALL.some((kind) => signedOutId !== null && name.startsWith(storageKey(kind, signedOutId)))) return false;
  return write(name, text);
}

export function removeStored(name: string): boolean {
  return write(name, null);
}

function write(name: string, text: string | null): boolean {
  const isWritten = writeStored(name, text);
  if (isWritten) storedChanges.value += 1;
  return isWritten;
}

export function storageKeys(kind: UnsavedKind, userId: string): string[] {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(storageKey(kind, userId)));
  } catch {
    return [];
  }
}

/** Calls `write` before stored text is counted. Returns a function that stops this. */
export function onFlush(write: () => void): () => void {
  writers.add(write);
  return () => writers.delete(write);
}

/** Counts the drafts and unsent messages that signing out would delete. */
export function countUnsaved(userId: string): Record<UnsavedKind, number> {
  for (const write of writers) write();
  return { draft: storageKeys('draft', userId).length, unsent: storageKeys('unsent', userId).length };
}

/** Deletes all stored text of a user. From then on, this page stores no text for them. */
export function deleteUnsaved(userId: string): void {
  signedOutId = userId;
  for (const kind of ALL) storageKeys(kind, userId).forEach(removeStored);
}
