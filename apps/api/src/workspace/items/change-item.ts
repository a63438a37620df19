import {
  type ChangeMessageBody,
  type ChangeNoteBody,
  type ChangeTodoBody,
  type ConvertMessageBody,
  type Item,
  type ItemFile,
  LIMITS,
} from '@hub/contract';
import { blocksToMarkdown } from '@hub/contract/blocks/blocks-to-markdown';
import { blocksToText } from '@hub/contract/blocks/blocks-to-text';
import { type Caller, changeAs, recordAction } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { ItemRecord, ItemUpdate } from '../../storage/items.ts';
import type { Repositories } from '../../storage/repositories.ts';
import { TRACKED_COLUMNS } from '../../storage/schema/items.table.ts';
import { filesOf } from '../files/attach-files.ts';
import { firstLine, firstPlainLine } from './first-line.ts';
import { findUndeletedItem, type ItemSort, MESSAGE, requireAuthor } from './item-rights.ts';
import { itemView } from './item-view.ts';
import { renewMentions } from './mentions.ts';
import { requireOpenQuestion } from './questions.ts';
import {
  appendItemEvent,
  type ItemFields,
  newItem,
  requireAssignee,
  storedFields,
  storedItem,
  storeItem,
} from './write-item.ts';

/** Edits an item, or assigns, completes or reopens a to-do. Only its author, whose name it shows, edits a message. */
export function editItem(
  deps: Deps,
  caller: Caller,
  itemId: string,
  sort: ItemSort,
  { baseVersion, ...fields }: ChangeMessageBody | ChangeNoteBody | ChangeTodoBody,
): Promise<ItemRecord> {
  const changes = storedFields(fields);
  return changeAs(deps, caller, async (tx, current) => {
    const item = await findUndeletedItem(tx, current, itemId, sort);
    const [at, userId] = [deps.clock.now(), current.user?.id ?? null];
    if (sort === MESSAGE) {
      requireAuthor(current, item);
      requireOpenQuestion(item, at);
    }
    const attached = 'files' in fields ? await attachedFiles(tx, item, fields.files ?? [], at) : null;
    const changed = await changeItem(tx, item, {
      changes: attached ? { ...changes, files: attached.files } : changes,
      ...{ baseVersion, at, userId },
    });
    if (!attached || changed === item) return changed;
    await tx.files.attach(attached.added, item.id);
    await tx.files.release(attached.removed.map(({ id }) => id));
    for (const target of attached.removed)
      await recordAction(tx, deps, current, { action: 'file.removed', hubId: item.hubId, target });
    return changed;
  });
}

/** Returns the files of an item as it will repeat them, and how they differ from those that it has. */
async function attachedFiles(tx: Repositories, item: ItemRecord, ids: readonly string[], at: number) {
  const own = item.files === null ? [] : (JSON.parse(item.files) as ItemFile[]);
  const rule = filesOf(ids, { hubId: item.hubId, at, own });
  return {
    files: rule ? rule.describe(await tx.files.listed(rule.ids)) : null,
    added: rule?.ids ?? [],
    removed: own.filter(({ id }) => !ids.includes(id)),
  };
}

interface ItemChange {
  changes: ItemUpdate;
  /** The version that the change is based on, if the sender knows it. */
  baseVersion?: number | undefined;
  at: number;
  /** The user who edits or completes the item; `null` for the local admin. */
  userId: string | null;
}

/** A change to one of these fields counts as an edit, and updates the mentions. */
const TEXT_FIELDS = ['title', 'body', 'files'] as const;

/** Changes an item, unless someone else has changed it since `baseVersion`. A change without effect writes nothing. */
export async function changeItem(
  tx: Repositories,
  item: ItemRecord,
  { changes: requested, baseVersion, at, userId }: ItemChange,
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
    ...(isEdit ? { editedAt: at, ...editorOf(item, userId) } : {}),
    ...(changes.status === 'done' ? { finishedAt: at, finishedById: userId } : {}),
    ...(changes.status === 'open' ? { finishedAt: null, finishedById: null } : {}),
  };
  await tx.items.update(item, update, at);
  // The notification must say who assigned the to-do, which the item itself does not record.
  const assignment = assigneeId === null ? {} : { data: { assigneeId, byId: userId } };
  await appendItemEvent(tx, item, { change: 'changed', at, ...assignment });
  const { id: itemId, version } = { ...item, ...update };
  for (const field of item.kind === 'todo' ? TRACKED_COLUMNS : []) {
    if (!(field in changes)) continue;
    const value = changes[field] ?? null;
    await tx.todoChanges.insert({
      itemId,
      version,
      field,
      value: value === null ? null : String(value),
      at,
      byId: userId,
    });
  }
  if (isEdit) await renewMentions(tx, { ...item, ...changes }, userId);
  return storedItem(tx, item.id);
}

function isAuthor({ authorKind, authorId }: ItemRecord, userId: string | null): boolean {
  return authorKind === 'user' && authorId === userId;
}

/** Authors who edit their own items are not recorded as editors. */
function editorOf(item: ItemRecord, userId: string | null): Pick<ItemRecord, 'editedByKind' | 'editedById'> {
  if (isAuthor(item, userId)) return { editedByKind: null, editedById: null };
  return { editedByKind: userId === null ? 'local' : 'user', editedById: userId };
}

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

const MAX_CONTENT = { todo: LIMITS.todoContentCodePoints, note: LIMITS.noteContentCodePoints };
const NOUNS = { todo: 'a to-do', note: 'a note' };

/** Converts a message to a to-do or a note that links back to it. `isNew: false` if it was converted before. */
export async function convertMessage(
  deps: Deps,
  caller: Caller,
  messageId: string,
  body: ConvertMessageBody,
): Promise<{ item: Item; isNew: boolean }> {
  const converted = await changeAs(deps, caller, async (tx, current) => {
    const message = await findUndeletedItem(tx, current, messageId, MESSAGE);
    const former = message.conversionId === null ? null : await tx.items.find(message.conversionId);
    if (former) return { item: former, isNew: false };
    const fields = { hubId: message.hubId, sourceId: message.id, ...fieldsOf(message, body) };
    const item = await storeItem(tx, newItem(deps, current, fields));
    const at = item.createdAt;
    await tx.items.update(message, { conversionId: item.id, conversionKind: body.to }, at);
    await appendItemEvent(tx, message, { change: 'changed', at });
    return { item, isNew: true };
  });
  return { item: itemView(converted.item), isNew: converted.isNew };
}

function fieldsOf(
  message: ItemRecord,
  { to, title, content, ...todoFields }: ConvertMessageBody,
): Omit<ItemFields, 'hubId'> {
  const { markdown, line, text } = textsOf(message);
  const body = content ?? wholeText(markdown, to);
  if (to === 'note') {
    rejectTodoFields(todoFields);
    return { kind: 'note', title: title ?? null, body };
  }
  const shownTitle = title ?? requireTitle(line);
  // The text of the message would only repeat the title.
  const isRepeated = content === undefined && shownTitle === text;
  return { kind: 'todo', ...storedFields(todoFields), title: shownTitle, body: isRepeated ? null : body };
}

/** Returns the text of a message as Markdown, the line for its title, and the text to compare that line with. */
function textsOf({ body, blocks }: ItemRecord): { markdown: string; line: string | null; text: string } {
  if (blocks === null) {
    const markdown = body ?? '';
    return { markdown, line: firstLine(markdown, LIMITS.titleCodePoints), text: markdown.trim() };
  }
  const parsed = JSON.parse(blocks);
  const text = blocksToText(parsed);
  return {
    markdown: blocksToMarkdown(parsed),
    line: firstPlainLine(text, LIMITS.titleCodePoints),
    text: text.trim().replace(/^#{1,6} /, ''),
  };
}

/** Returns the text, or throws `invalid` if it is too long: a truncated copy would look complete. */
function wholeText(text: string, to: 'todo' | 'note'): string {
  const size = Array.from(text).length;
  if (size <= MAX_CONTENT[to]) return text;
  throw new AppError(
    'invalid',
    `The text of this message has ${size} characters; ${NOUNS[to]} can hold ${MAX_CONTENT[to]}: send shorter content`,
  );
}

function requireTitle(line: string | null): string {
  if (line === null) throw new AppError('invalid', 'This message has no text to use as a title: send a title');
  return line;
}

function rejectTodoFields(fields: Record<string, unknown>): void {
  const [name] = Object.keys(fields).sort();
  if (name === undefined) return;
  throw new AppError('invalid', `${name} is not a field of a note: leave it out, or convert the message to a to-do`);
}
