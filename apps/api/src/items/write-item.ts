import type { ItemOrigin, Message, Note, Todo, WriteMessageBody, WriteNoteBody, WriteTodoBody } from '@hub/contract';
import type { Static } from '@sinclair/typebox';
import type { Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { parseDateTime } from '../core/date-time.ts';
import { AppError } from '../core/errors.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import { readableHub } from '../hubs/hub-rights.ts';
import type { ItemRecord } from '../storage/item-store.ts';
import { ANY_ITEM, findUndeletedItem, MESSAGE, readableItem } from './item-rights.ts';
import { messageView, noteView, todoView } from './item-view.ts';
import { type ItemFields, newItem, storeItem } from './store-item.ts';

/** Creates a user's message. */
export async function writeMessage(
  deps: Deps,
  sender: Caller,
  hubId: string | null,
  { text }: WriteMessageBody,
): Promise<Message> {
  return messageView(await writeItem(deps, sender, hubId, { kind: 'message', body: text }));
}

/** Creates a user's note. */
export async function writeNote(
  deps: Deps,
  sender: Caller,
  hubId: string | null,
  { title, content }: Static<typeof WriteNoteBody>,
): Promise<Note> {
  return noteView(await writeItem(deps, sender, hubId, { kind: 'note', title: title ?? null, body: content }));
}

/** Creates a user's to-do, open and optionally assigned to a member. */
export async function writeTodo(
  deps: Deps,
  sender: Caller,
  hubId: string | null,
  { title, content, dueDate, priority, assigneeId }: WriteTodoBody,
): Promise<Todo> {
  const todo = await writeItem(deps, sender, hubId, {
    kind: 'todo',
    title,
    body: content ?? null,
    dueAt: dueDate === undefined ? null : parseDateTime(dueDate),
    priority: priority ?? null,
    assigneeId: assigneeId ?? null,
  });
  return todoView(todo);
}

/** Adds a reply to a message. Threads are one level deep. */
export async function replyToMessage(
  deps: Deps,
  sender: Caller,
  messageId: string | null,
  { text }: WriteMessageBody,
): Promise<Message> {
  const reply = await changeAs(deps, sender, async (tx, caller) => {
    const parent = await findUndeletedItem(tx, caller, messageId, MESSAGE);
    if (parent.kind === 'reply') {
      throw new AppError(
        'invalid',
        `${parent.id} is itself a reply. Reply to ${parent.parentId}, the message above it.`,
      );
    }
    const { hubId, id: parentId } = parent;
    return storeItem(tx, newItem(deps, caller, { kind: 'reply', hubId, parentId, body: text }));
  });
  return messageView(reply);
}

function writeItem(
  deps: Deps,
  sender: Caller,
  hubId: string | null,
  fields: Omit<ItemFields, 'hubId'>,
): Promise<ItemRecord> {
  return changeAs(deps, sender, async (tx, caller) => {
    const hub = await readableHub(tx, caller, hubId);
    return storeItem(tx, newItem(deps, caller, { ...fields, hubId: hub.id }));
  });
}

/** Returns the key, address and request id of a post. */
export async function showOrigin(deps: Deps, caller: Caller, itemId: string | null): Promise<ItemOrigin> {
  const item = await readableItem(deps.store, caller, itemId, ANY_ITEM);
  const origin = await deps.store.items.findOrigin(item.id);
  if (!origin) throw new AppError('not_found', `${item.id} was written by a member, not posted with a key.`);
  return { itemId: item.id, ...origin };
}
