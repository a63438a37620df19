import type { Item, Message } from '@hub/contract';
import { signal } from '@preact/signals';
import type { ItemList } from '../../data/items/item-list.ts';
import type { Workspace } from '../../data/live/workspace.ts';
import { navigate, withPanel } from '../../lib/router/location.ts';
import { toastNoResponse } from '../../ui/toast.tsx';
import { type RowScope, rowElement } from './row-scope.ts';

/** Starts editing the user's own last message from the composer. Returns false if it is not loaded or there is none. */
export function editLast({ items, me }: Workspace, { list, scope }: { list: ItemList; scope: RowScope }): boolean {
  if (list.hasNewer.peek()) return false;
  const last = scope.ids().findLast((id) => {
    const item = items.get(id).peek();
    return item?.kind === 'message' && item.author.id === me.peek().id && item.deletedAt === null;
  });
  if (last === undefined) return false;
  scope.editedFromComposer = last;
  scope.editing.value = last;
  scope.reveal(last);
  return true;
}

/** Opens the thread of an item, or the thread that a reply belongs to. */
export function openThread(item: Item): void {
  navigate(withPanel(threadOf(item)));
}

function threadOf(item: Item): string {
  return (item.kind === 'message' && item.parentId) || item.id;
}

/** The thread that is being opened for a reply; `null` once its composer is ready. */
export const replyTarget = signal<string | null>(null);

/** Opens the thread, or the one that is already open, and focuses its composer. */
export function reply(item: Item): void {
  replyTarget.value = threadOf(item);
  openThread(item);
}

export function openEmojiPicker(scope: RowScope, message: Message, opener?: HTMLElement): void {
  const row = rowElement(scope, message.id);
  const by = opener ?? row?.querySelector<HTMLElement>('[data-act="react"]') ?? row;
  // A shortcut was pressed on the row, so the focus returns there.
  const returnTo = opener ?? row ?? by;
  if (by && returnTo && message.deletedAt === null) {
    scope.overlay.value = { kind: 'emoji', message, opener: by, returnTo };
  }
}

export type Changes = typeof import('./message-changes.ts');

/** Runs a change to a message. Its code loads on demand: without the server, the change could not be made either. */
export function withChanges(run: (changes: Changes) => void): void {
  import('./message-changes.ts').then(run, toastNoResponse);
}
