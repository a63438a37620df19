import type { Item, Message } from '@hub/contract';
import { signal } from '@preact/signals';
import { ApiError, errorMessage, path, request } from '../api/request.ts';
import type { ItemList } from '../items/item-list.ts';
import { navigate, withPanel } from '../router/location.ts';
import { copyText } from '../ui/clipboard.ts';
import { toast } from '../ui/toast.tsx';
import type { Workspace } from '../workspace/workspace.ts';
import { markdownOf } from './message-text.ts';
import { type RowScope, rowElement } from './row-scope.ts';

const CALLED = { todo: 'to-do', note: 'note' } as const;

export interface Conversion {
  to: 'todo' | 'note';
  title?: string;
  content?: string;
}

/** A message is its author's; admins may change every one. */
export function mayChange({ me }: Pick<Workspace, 'me'>, message: Message): boolean {
  return message.author.id === me.value.id || me.value.role !== 'member';
}

/**
 * Begins to edit, from the composer, what one has written last there. False if that is not loaded, and where nothing is one's own: what others wrote is
 * not edited by accident, also by those who may.
 */
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

/** Opens the thread: of a reply, that which it stands in. */
export function openThread({ id, parentId }: Pick<Message, 'id' | 'parentId'>): void {
  navigate(withPanel(parentId ?? id));
}

/** The thread that is opened to write in it, until one can. */
export const replyTarget = signal<string | null>(null);

/** Opens the thread, or that which is open already, to write in it at once. */
export function response(message: Pick<Message, 'id' | 'parentId'>): void {
  replyTarget.value = message.parentId ?? message.id;
  openThread(message);
}

/** Beside the page: the key and the request that a post came from. */
export function openOrigin({ id }: Pick<Message, 'id'>): void {
  const to = withPanel(id);
  navigate(`${to}&show=origin`);
}

/** The address of one item, for others. */
export function linkOf({ id }: Pick<Item, 'id'>): string {
  return `${location.origin}/p/${id}`;
}

export function copyLink(item: Pick<Item, 'id'>): void {
  void copyText(linkOf(item), 'Link copied.');
}

export async function copyMessage(message: Message): Promise<void> {
  await copyText(await markdownOf(message), 'Text copied.');
}

export function askForEmoji(scope: RowScope, message: Message, opener?: HTMLElement): void {
  const row = rowElement(scope, message.id);
  const by = opener ?? row?.querySelector<HTMLElement>('[data-act="react"]') ?? row;
  // A key was pressed with the row: the next one is meant for it, too.
  const returnTo = opener ?? row ?? by;
  if (by && returnTo && message.deletedAt === null) {
    scope.overlay.value = { kind: 'emoji', message, opener: by, returnTo };
  }
}

/**
 * Turns a message into a to-do or a note at once, and offers to take that back: what it became leads to it. One that was turned into something is asked for again:
 * the server knows whether that is still there.
 */
export async function convert(
  workspace: Workspace,
  scope: RowScope | null,
  message: Message,
  conversion: Conversion,
): Promise<void> {
  const { to } = conversion;
  try {
    const item = await workspace.items.applyResponseOf(() =>
      request<Item>('POST', path`/messages/${message.id}/conversion`, { body: conversion }),
    );
    const open = { label: 'Open', run: () => navigate(withPanel(item.id)) };
    // The server answers with what somebody has made of it a moment before: that is not one's own to take back.
    const isMine = item.author.id === workspace.me.peek().id;
    const action = isMine ? { label: 'Undo', run: () => void takeBack(workspace, item, to) } : open;
    if (message.conversion?.id === item.id) open.run();
    else if (item.kind === to) toast(`Made a ${CALLED[to]} from the message.`, { action });
    else toast('Somebody has turned it into something else already.', { action: open });
  } catch (error) {
    const canBeFixed = error instanceof ApiError && error.statusCode === 400 && scope !== null;
    if (canBeFixed) scope.overlay.value = { kind: 'title', message, to, text: error.message };
    else {
      const again = { label: 'Try again', run: () => void convert(workspace, scope, message, conversion) };
      toast(`No ${CALLED[to]} was made. ${errorMessage(error)}`, { isBad: true, action: again });
    }
  }
}

/** Deletes what a message has just become, unless it was worked on meanwhile. */
async function takeBack({ items }: Workspace, { id, version }: Item, to: Conversion['to']): Promise<void> {
  if (items.get(id).peek()?.version !== version) {
    toast(`Somebody has changed the ${CALLED[to]} since.`, {
      action: { label: 'Open', run: () => navigate(withPanel(id)) },
    });
    return;
  }
  try {
    await items.applyResponseOf(() => request<Item>('DELETE', `/${to}s${path`/${id}`}`));
    toast(`The ${CALLED[to]} was taken back.`);
  } catch (error) {
    toast(`The ${CALLED[to]} is still there. ${errorMessage(error)}`, { isBad: true });
  }
}
