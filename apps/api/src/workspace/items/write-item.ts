import type { AskedQuestion, ChangeTodoBody, ItemOrigin, WriteMessageBody, WriteReplyBody } from '@hub/contract';
import { type Caller, changeAs } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { parseDateTime } from '../../platform/time.ts';
import type { NewEvent } from '../../storage/events.ts';
import {
  type ItemKind,
  type ItemRecord,
  type ItemRowKind,
  type ItemUpdate,
  type NewItem,
  NO_CONTENT,
} from '../../storage/items.ts';
import type { Repositories } from '../../storage/repositories.ts';
import { filesOf } from '../files/attach-files.ts';
import { readableHub } from '../hubs/hub-rights.ts';
import { ANY_ITEM, authorOf, findUndeletedItem, readableItem } from './item-rights.ts';
import { recordMentions } from './mentions.ts';
import { answerByReply, newQuestion } from './questions.ts';

type SentFields = Partial<Omit<WriteReplyBody & ChangeTodoBody, 'baseVersion' | 'title' | 'files'>> & {
  title?: string | null;
  files?: readonly string[] | null;
};

/** Returns the fields to store for those that a user or a key sent. Omitted ones stay omitted. */
export function storedFields({ text, content, dueDate, files: _, ...fields }: SentFields): ItemUpdate {
  const body = text ?? content;
  return {
    ...fields,
    ...(body === undefined ? {} : { body }),
    ...(dueDate === undefined ? {} : { dueAt: dueDate === null ? null : parseDateTime(dueDate) }),
  };
}

/** Creates a message, a note or a to-do by a user. A to-do is open, and can be assigned to a member. */
export async function writeItem(
  deps: Deps,
  caller: Caller,
  hubId: string,
  kind: ItemKind,
  { question: asked, ...fields }: SentFields & Pick<WriteMessageBody, 'question'>,
): Promise<ItemRecord> {
  const sending = { fileIds: fields.files, here: await usersHere(deps, fields) };
  return changeAs(deps, caller, async (tx, current) => {
    const hub = await readableHub(tx, current, hubId);
    requireContent(kind, fields);
    const item = newItem(deps, current, { kind, hubId: hub.id, ...storedFields(fields) });
    return asked ? ask(tx, item, asked, sending) : storeItem(tx, item, sending);
  });
}

async function ask(tx: Repositories, item: NewItem, asked: AskedQuestion, sending: Sending): Promise<ItemRecord> {
  const { id: itemId, hubId, body, createdAt } = item;
  if (body === null) throw new AppError('invalid', 'A question requires text');
  const question = await newQuestion(tx, hubId, asked, createdAt);
  await tx.openQuestions.insert({ itemId, expiresAt: question.expiresAt });
  return storeItem(tx, { ...item, question: JSON.stringify(question) }, sending);
}

/** Adds a reply to a message, note or to-do. Threads are one level deep. */
export async function replyToItem(
  deps: Deps,
  caller: Caller,
  itemId: string,
  fields: WriteReplyBody,
): Promise<ItemRecord> {
  const sending = { fileIds: fields.files, here: await usersHere(deps, fields) };
  return changeAs(deps, caller, async (tx, current) => {
    const parent = await findUndeletedItem(tx, current, itemId, ANY_ITEM);
    if (parent.kind === 'reply') {
      throw new AppError('invalid', `${parent.id} is itself a reply. Reply to ${parent.parentId} instead.`);
    }
    const { hubId, id: parentId } = parent;
    requireContent('reply', fields);
    const reply = newItem(deps, current, { kind: 'reply', hubId, parentId, ...storedFields(fields) });
    await answerByReply(tx, current, parent, reply);
    return storeItem(tx, reply, sending);
  });
}

/** Returns the key, address and request id of a post. */
export async function showOrigin(deps: Deps, caller: Caller, itemId: string): Promise<ItemOrigin> {
  const item = await readableItem(deps.store, caller, itemId, ANY_ITEM);
  const origin = await deps.store.items.findOrigin(item.id);
  if (!origin) throw new AppError('not_found', `${item.id} was written by a member, not posted with a key.`);
  const key = await deps.store.keys.find(origin.keyId);
  return { itemId: item.id, keyDescription: key?.description ?? null, keyLink: key?.link ?? null, ...origin };
}

/** Returns whom `@here` in a text mentions: the users who have a page open at this moment. */
async function usersHere({ presentUsers }: Pick<Deps, 'presentUsers'>, { text }: SentFields) {
  return /[@＠]here/i.test(text ?? '') ? presentUsers() : NOBODY;
}

function requireContent(kind: ItemRowKind, { text, files }: SentFields): void {
  if ((kind === 'message' || kind === 'reply') && text === undefined && files === undefined)
    throw new AppError('invalid', 'A message requires text or files, and neither can be empty');
}

const NOBODY: ReadonlySet<string> = new Set();

interface Sending {
  fileIds?: SentFields['files'];
  here?: ReadonlySet<string>;
}

export type ItemFields = Pick<NewItem, 'kind' | 'hubId'> & Partial<Omit<NewItem, 'id' | 'createdAt' | 'authorId'>>;

export const ID_PREFIX = { message: 'msg', reply: 'msg', note: 'note', todo: 'todo' } as const satisfies Record<
  ItemRowKind,
  string
>;

/** Returns a new item by the caller, with author, time and id. */
export function newItem({ clock, newId }: Pick<Deps, 'clock' | 'newId'>, caller: Caller, fields: ItemFields): NewItem {
  return {
    ...NO_CONTENT,
    assigneeId: null,
    parentId: null,
    sourceId: null,
    question: null,
    ...fields,
    id: newId(ID_PREFIX[fields.kind]),
    createdAt: clock.now(),
    authorId: authorOf(caller).id,
  };
}

/** Writes an item by a user with its event and mentions. The caller has already checked their rights. */
export async function storeItem(
  tx: Repositories,
  item: NewItem,
  { fileIds, here = NOBODY }: Sending = {},
): Promise<ItemRecord> {
  const { id, hubId, createdAt: at, parentId } = item;
  await requireAssignee(tx, hubId, item.assigneeId);
  const files = fileIds && filesOf(fileIds, { hubId, at });
  const described = files ? files.describe(await tx.files.listed(files.ids)) : null;
  const seq = await appendItemEvent(tx, item, { change: 'created', at, addedItems: 1 });
  const globalSeq = await tx.items.insert({ ...item, files: described, seq });
  if (files) await tx.files.attach(files.ids, id);
  // A converted item does not mention anyone again: its source message already does.
  if (item.sourceId === null) await recordMentions(tx, { ...item, globalSeq }, here);
  if (parentId !== null) {
    await tx.items.countReplies(parentId, 1);
    await appendItemEvent(tx, await storedItem(tx, parentId), { change: 'changed', at });
  }
  return storedItem(tx, id);
}

/** Throws unless the assignee is an active member of the Hub: only they can see the to-do. */
export async function requireAssignee(
  tx: Pick<Repositories, 'memberships'>,
  hubId: string,
  assigneeId: string | null,
): Promise<void> {
  if (assigneeId === null) return;
  const members = await tx.memberships.listActive(hubId);
  if (members.some(({ id }) => id === assigneeId)) return;
  throw new AppError('invalid', 'assigneeId must be the id of an active member of this Hub');
}

/** Appends an event about an item, and returns its sequence number. */
export async function appendItemEvent(
  tx: Pick<Repositories, 'events'>,
  { id, hubId, kind }: Pick<ItemRecord, 'id' | 'hubId' | 'kind'>,
  {
    change,
    ...event
  }: Pick<NewEvent, 'at' | 'addedItems' | 'data'> & { change: 'created' | 'changed' | 'deleted' | 'restored' },
): Promise<number> {
  const noun = kind === 'reply' ? 'message' : kind;
  const hub = await tx.events.append({ ...event, hubId, event: `${noun}.${change}`, itemId: id });
  if (!hub) throw notFound('Hub', hubId);
  return hub.seq;
}

/** Returns an item as it is after the changes of this transaction. */
export async function storedItem(tx: Pick<Repositories, 'items'>, id: string): Promise<ItemRecord> {
  const item = await tx.items.find(id);
  if (!item) throw new Error(`The item ${id} was not stored`);
  return item;
}
