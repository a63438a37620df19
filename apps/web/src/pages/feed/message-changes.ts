import type { Item, Message } from '@hub/contract';
import { allowMarkAsRead, keptUnread } from '../../data/live/kept-unread.ts';
import type { Workspace } from '../../data/live/workspace.ts';
import { ApiError, errorMessage, request } from '../../data/request.ts';
import { navigate, withPanel } from '../../lib/router/location.ts';
import { copyText } from '../../ui/clipboard.ts';
import { orToast, toast, toastNoResponse } from '../../ui/toast.tsx';
import type { RowScope } from './row-scope.ts';

const NOUNS = { todo: 'To-do', note: 'Note' } as const;

interface Conversion {
  to: 'todo' | 'note';
  title?: string;
  content?: string;
}

/** Whether a message can be unread: those by others that are not replies. */
export function canBeUnread({ me }: Pick<Workspace, 'me'>, { author, parentId, deletedAt }: Message): boolean {
  return author.id !== me.value.id && parentId === null && deletedAt === null;
}

/** Marks this message and the later ones in its Hub as unread, until the user scrolls or comes back. */
export async function markUnread(workspace: Workspace, message: Message): Promise<void> {
  if (!canBeUnread(workspace, message)) {
    toast('Your own messages and replies are never unread.');
    return;
  }
  keptUnread.value = message.hubId;
  try {
    await workspace.hubs.markUnread(message.hubId, message.seq - 1);
    toast('Marked as unread.');
  } catch (error) {
    allowMarkAsRead();
    toast(`Couldn’t mark as unread. ${errorMessage(error)}`, { isError: true });
  }
}

export async function copyMessage(message: Message): Promise<void> {
  const text = await markdownOf(message).catch(() => null);
  if (text === null) toastNoResponse();
  else await copyText(text, 'Text copied.');
}

/**
 * Converts a message to a to-do or a note and offers to undo it. Asks the server even if the message was already
 * converted, since only the server knows whether the result still exists.
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
      request('POST /messages/{messageId}/conversion', { messageId: message.id, body: conversion }),
    );
    const open = { label: 'Open', run: () => navigate(withPanel(item.id)) };
    // If someone else has just converted the message, the server returns their conversion, which this user cannot undo.
    const isMine = item.author.id === workspace.me.peek().id;
    const action = isMine ? { label: 'Undo', run: () => void undoConversion(workspace, item, to) } : open;
    if (message.conversion?.id === item.id) open.run();
    else if (item.kind === to) toast(`${NOUNS[to]} created.`, { action });
    else toast('This message was already converted.', { action: open });
  } catch (error) {
    const canBeFixed = error instanceof ApiError && error.statusCode === 400 && scope !== null;
    if (canBeFixed) scope.overlay.value = { kind: 'title', message, to, text: error.message };
    else {
      const again = { label: 'Try again', run: () => void convert(workspace, scope, message, conversion) };
      toast(`Couldn’t convert the message. ${errorMessage(error)}`, { isError: true, action: again });
    }
  }
}

/** Deletes the result of a conversion, unless it has been changed since then. */
async function undoConversion({ items }: Workspace, { id, version }: Item, to: Conversion['to']): Promise<void> {
  if (items.get(id).peek()?.version !== version) {
    toast(`Couldn’t undo: someone has changed the ${NOUNS[to].toLowerCase()}.`, {
      action: { label: 'Open', run: () => navigate(withPanel(id)) },
    });
    return;
  }
  await orToast('Couldn’t undo.', async () => {
    const operation = to === 'todo' ? 'DELETE /todos/{todoId}' : 'DELETE /notes/{noteId}';
    await items.applyResponseOf<Item>(() => request(operation, { todoId: id, noteId: id }));
    toast(`${NOUNS[to]} deleted.`);
  });
}

/** Returns the text of a message as Markdown, converting it from blocks if needed. */
async function markdownOf({ text, blocks }: Pick<Message, 'text' | 'blocks'>): Promise<string> {
  if (blocks === null) return text ?? '';
  const { blocksToMarkdown } = await import('@hub/contract/blocks/blocks-to-markdown');
  return blocksToMarkdown(blocks);
}
