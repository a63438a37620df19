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
export function storageKey(kind: UnsavedKind, personId: string, key = ''): string {
  return `${KINDS[kind]}${personId}.${key}`;
}

/** Returns the key of the draft for an edit of an item. */
export function editDraftKey(itemId: string): string {
  return `edit.${itemId}`;
}

/** Stores text, unless its user has signed out. If the storage is full or unavailable, it is still in the page. */
export function store(name: string, text: string): void {
  if (ALL.some((kind) => signedOutId !== null && name.startsWith(storageKey(kind, signedOutId)))) return;
  if (writeStored(name, text)) storedChanges.value += 1;
}

export function removeStored(name: string): void {
  if (writeStored(name, null)) storedChanges.value += 1;
}

/** Returns all storage keys of one kind. */
export function storageKeys(kind: UnsavedKind, personId: string): string[] {
  try {
    const start = storageKey(kind, personId);
    return Object.keys(localStorage).filter((name) => name.startsWith(start));
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
export function countUnsaved(personId: string): Record<UnsavedKind, number> {
  for (const write of writers) write();
  return { draft: storageKeys('draft', personId).length, unsent: storageKeys('unsent', personId).length };
}

/** Deletes all stored text of a user. From then on, this page stores no text for them. */
export function deleteUnsaved(personId: string): void {
  signedOutId = personId;
  for (const kind of ALL) storageKeys(kind, personId).forEach(removeStored);
}
