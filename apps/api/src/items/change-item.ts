import type { ChangeMessageBody, ChangeNoteBody, ChangeTodoBody, Message, Note, Todo } from '@hub/contract';
import { auditRecord, type Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { parseDateTime } from '../core/date-time.ts';
import { AppError } from '../core/errors.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import type { AuditRecord } from '../storage/audit-store.ts';
import type { ItemRecord, ItemUpdate } from '../storage/item-store.ts';
import type { Repositories } from '../storage/repositories.ts';
import { findUndeletedItem, MESSAGE, NOTE, requireAuthorOrAdmin, TO_DO } from './item-rights.ts';
import { messageView, noteView, todoView } from './item-view.ts';
import { renewMentions } from './record-mentions.ts';
import { appendItemEvent, requireAssignee, storedItem } from './store-item.ts';

/**
 * Edits a message for its author or an admin. The text also replaces any blocks, which would otherwise be shown
 * instead.
 */
export async function changeMessage(
  deps: Deps,
  sender: Caller,
  messageId: string | null,
  { text, baseVersion }: ChangeMessageBody,
): Promise<Message> {
  const changed = await changeAs(deps, sender, async (tx, caller) => {
    const message = await findUndeletedItem(tx, caller, messageId, MESSAGE);
    requireAuthorOrAdmin(caller, message);
    const personId = caller.user?.id ?? null;
    const audit = auditRecord(deps, caller, {
      action: 'item.edited',
      hubId: message.hubId,
      targetId: message.id,
      targetName: null,
      details: { kind: 'message', author: message.authorName },
    });
    return changeItem(tx, message, {
      changes: { body: text, blocks: null },
      baseVersion,
      at: deps.clock.now(),
      personId,
      audit: isAuthor(message, personId) ? undefined : audit,
    });
  });
  return messageView(changed);
}

/** Edits a note. Every member of the Hub can do this. */
export async function changeNote(
  deps: Deps,
  sender: Caller,
  noteId: string | null,
  { title, content, baseVersion }: ChangeNoteBody,
): Promise<Note> {
  const changed = await changeAs(deps, sender, async (tx, caller) =>
    changeItem(tx, await findUndeletedItem(tx, caller, noteId, NOTE), {
      changes: { ...(title === undefined ? {} : { title }), ...(content === undefined ? {} : { body: content }) },
      baseVersion,
      at: deps.clock.now(),
      personId: caller.user?.id ?? null,
    }),
  );
  return noteView(changed);
}

/** Edits, assigns, completes or reopens a to-do. Every member of the Hub can do this. */
export async function changeTodo(
  deps: Deps,
  sender: Caller,
  todoId: string | null,
  { baseVersion, content, dueDate, ...rest }: ChangeTodoBody,
): Promise<Todo> {
  const changes: ItemUpdate = {
    ...rest,
    ...(content === undefined ? {} : { body: content }),
    ...(dueDate === undefined ? {} : { dueAt: dueDate === null ? null : parseDateTime(dueDate) }),
  };
  const changed = await changeAs(deps, sender, async (tx, caller) =>
    changeItem(tx, await findUndeletedItem(tx, caller, todoId, TO_DO), {
      changes,
      baseVersion,
      at: deps.clock.now(),
      personId: caller.user?.id ?? null,
    }),
  );
  return todoView(changed);
}

interface ItemChange {
  changes: ItemUpdate;
  /** The version that the change is based on, if the sender knows it. */
  baseVersion?: number | undefined;
  at: number;
  /** The user who edits or completes the item; `null` for the local admin. */
  personId: string | null;
  /** Written only if something changes. */
  audit?: AuditRecord | undefined;
}

/** A change to one of these fields counts as an edit, and updates the mentions. */
const TEXT_FIELDS = ['title', 'body', 'blocks'] as const;

/** Changes an item, unless someone else has changed it since `baseVersion`. A change without effect writes nothing. */
export async function changeItem(
  tx: Repositories,
  item: ItemRecord,
  { changes: requested, baseVersion, at, personId, audit }: ItemChange,
): Promise<ItemRecord> {
  if (baseVersion !== undefined && baseVersion !== item.version) throw changedSince(item, baseVersion);
  const changes = differing(item, requested);
  if (Object.keys(changes).length === 0) return item;
  const { assigneeId = null } = changes;
  await requireAssignee(tx, item.hubId, assigneeId);
  const isEdit = TEXT_FIELDS.some((name) => name in changes);
  const update: ItemUpdate = {
    ...changes,
    // The version rises with a change to any field, so that no change can be overwritten by someone who has not
    // seen it.
    version: item.version + 1,
    ...(isEdit ? { editedAt: at, ...editorOf(item, personId) } : {}),
    ...(changes.status === 'done' ? { finishedAt: at, finishedById: personId } : {}),
    ...(changes.status === 'open' ? { finishedAt: null, finishedById: null } : {}),
  };
  await tx.items.update(item, update, at);
  if (audit) await tx.audit.insert(audit);
  // The notification must say who assigned the to-do, which the item itself does not record.
  const assignment = assigneeId === null ? {} : { data: { assigneeId, byId: personId } };
  await appendItemEvent(tx, item, { change: 'changed', at, ...assignment });
  if (isEdit) await renewMentions(tx, { ...item, ...changes }, personId);
  return storedItem(tx, item.id);
}

function isAuthor({ authorKind, authorId }: ItemRecord, personId: string | null): boolean {
  return authorKind === 'person' && authorId === personId;
}

/** Authors who edit their own items are not recorded as editors. */
function editorOf(item: ItemRecord, personId: string | null): Pick<ItemRecord, 'editedByKind' | 'editedById'> {
  if (isAuthor(item, personId)) return { editedByKind: null, editedById: null };
  return { editedByKind: personId === null ? 'local' : 'person', editedById: personId };
}

/** Returns the changes whose values differ from the item's. */
function differing(item: ItemRecord, changes: ItemUpdate): ItemUpdate {
  return Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => value !== undefined && value !== item[name as keyof ItemUpdate]),
  );
}

function changedSince({ kind, version }: ItemRecord, baseVersion: number): AppError {
  const noun = kind === 'todo' ? 'to-do' : kind === 'note' ? 'note' : 'message';
  return new AppError(
    'conflict',
    `This ${noun} was changed by someone else: it is at version ${version}, and your change is based on ${baseVersion}. Reload it and repeat your change.`,
  );
}
