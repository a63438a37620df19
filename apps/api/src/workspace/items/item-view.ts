import type { Block, Item, ItemFile, Message, Note, Todo } from '@hub/contract';
import { LOCAL_ADMIN } from '../../access/caller.ts';
import { isoTime, isoTimeOrNull } from '../../platform/time.ts';
import type { ItemRecord } from '../../storage/items.ts';
import { PLAIN_TODO_FIELDS } from '../../storage/schema/items.table.ts';
import { questionView } from './questions.ts';

/** Returns an item as API responses show it. A deleted item keeps its position, author and time, but has no content. */
export function itemView(item: ItemRecord): Item {
  if (item.kind === 'note') return noteView(item);
  if (item.kind === 'todo') return todoView(item);
  return messageView(item);
}

const isDeleted = (item: ItemRecord): boolean => item.deletedAt !== null;

function common(item: ItemRecord) {
  return {
    id: item.id,
    hubId: item.hubId,
    seq: item.seq,
    createdAt: isoTime(item.createdAt),
    author: { id: item.authorId, kind: item.authorKind, name: item.authorName },
    key: item.keyId === null ? null : { id: item.keyId, name: item.keyName ?? '' },
    version: item.version,
    editedAt: isoTimeOrNull(item.editedAt),
    editedBy: editorOf(item),
    deletedAt: isoTimeOrNull(item.deletedAt),
    mentions: isDeleted(item) ? [] : item.mentions,
    ...(item.files === null || isDeleted(item) ? {} : { files: JSON.parse(item.files) as ItemFile[] }),
  };
}

function thread({ replyCount, lastReplyAt, repliers }: ItemRecord) {
  return { replyCount, lastReplyAt: isoTimeOrNull(lastReplyAt), ...(repliers.length > 0 ? { repliers } : {}) };
}

function editorOf({ editedByKind, editedById, editedByName }: ItemRecord): Item['editedBy'] {
  if (editedByKind === null) return null;
  return editedByKind === 'local'
    ? { ...LOCAL_ADMIN, kind: 'local' }
    : { kind: 'user', id: editedById, name: editedByName ?? '' };
}

export function messageView(item: ItemRecord): Message {
  const isGone = isDeleted(item);
  const question = item.question === null || isGone ? null : questionView(item);
  return {
    kind: 'message',
    ...common(item),
    text: isGone ? null : item.body,
    blocks: isGone || item.blocks === null ? null : (JSON.parse(item.blocks) as Block[]),
    parentId: item.parentId,
    ...thread(item),
    reactions: isGone ? [] : item.reactions,
    conversion:
      item.conversionId === null || item.conversionKind === null
        ? null
        : { kind: item.conversionKind, id: item.conversionId },
    ...(question && { question }),
  };
}

export function noteView(item: ItemRecord): Note {
  const isGone = isDeleted(item);
  return {
    kind: 'note',
    ...common(item),
    title: isGone ? null : item.title,
    content: isGone ? '' : (item.body ?? ''),
    ...thread(item),
    sourceId: item.sourceId,
  };
}

export function todoView(item: ItemRecord): Todo {
  const isGone = isDeleted(item);
  return {
    kind: 'todo',
    ...common(item),
    title: isGone ? '' : (item.title ?? ''),
    content: isGone ? null : item.body,
    dueDate: isoTimeOrNull(item.dueAt),
    ...plainFields(item),
    status: item.status ?? 'open',
    assignee: userRef(item.assigneeId, item.assigneeName),
    finishedAt: isoTimeOrNull(item.finishedAt),
    finishedBy: userRef(item.finishedById, item.finishedByName),
    ...thread(item),
    sourceId: item.sourceId,
  };
}

type PlainField = (typeof PLAIN_TODO_FIELDS)[number];

function plainFields(item: ItemRecord): Pick<Todo, PlainField> {
  return Object.fromEntries(PLAIN_TODO_FIELDS.map((name) => [name, item[name]])) as Pick<ItemRecord, PlainField>;
}

function userRef(id: string | null, name: string | null) {
  return id === null ? null : { id, name: name ?? '' };
}
