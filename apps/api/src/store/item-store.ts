import type { Priority, Reaction, TodoStatus } from '@hub/contract';
import type { AuditRecord } from './audit-store.ts';
import type { ByUser } from './state.ts';
import type { ItemKind } from './store.ts';

/** The kinds of rows: a reply is a message under another one, and in no list of its Hub. */
export type ItemRowKind = ItemKind | 'reply';

/** An item with all that its view shows. */
export interface ItemRecord {
  rank: number;
  id: string;
  hubId: string;
  kind: ItemRowKind;
  seq: number;
  createdAt: number;
  authorKind: 'bot' | 'person';
  authorId: string;
  authorName: string;
  keyId: string | null;
  keyName: string | null;
  title: string | null;
  body: string | null;
  blocks: string | null;
  dueAt: number | null;
  priority: Priority | null;
  status: TodoStatus | null;
  assigneeId: string | null;
  assigneeName: string | null;
  finishedAt: number | null;
  finishedById: string | null;
  finishedByName: string | null;
  parentId: string | null;
  replyCount: number;
  lastReplyAt: number | null;
  /** Who wrote the newest replies, the latest first. */
  repliers: string[];
  conversionId: string | null;
  conversionKind: 'todo' | 'note' | null;
  sourceId: string | null;
  version: number;
  editedAt: number | null;
  /** Who edited it last, if that is not its author; the id and the name are `null` for the local admin. */
  editedByKind: 'person' | 'local' | null;
  editedById: string | null;
  editedByName: string | null;
  deletedAt: number | null;
  reactions: Reaction[];
  mentions: string[];
}

/** An item as a person writes it. Fields that the kind does not have are `null`. */
export interface NewItem extends ByUser {
  id: string;
  kind: ItemRowKind;
  hubId: string;
  createdAt: number;
  authorId: string;
  title: string | null;
  body: string | null;
  dueAt: number | null;
  priority: Priority | null;
  assigneeId: string | null;
  parentId: string | null;
  sourceId: string | null;
}

/** What may change of an item; what is left out stays. */
export interface ItemChanges {
  title?: string | null;
  body?: string | null;
  /** Editing the text of a message takes its blocks away. */
  blocks?: null;
  dueAt?: number | null;
  priority?: Priority | null;
  status?: TodoStatus;
  assigneeId?: string | null;
}

export interface Changing extends ByUser {
  itemId: string;
  at: number;
  /** Who edits or finishes it; `null` for the local admin. */
  personId: string | null;
  /** Written if anything changes. */
  audit?: AuditRecord | undefined;
  changes: ItemChanges;
  baseVersion?: number | undefined;
}

export interface Deletion extends ByUser {
  itemId: string;
  at: number;
  audit: AuditRecord;
}

export interface Reacting extends ByUser {
  itemId: string;
  emoji: string;
  personId: string;
  at: number;
  isOn: boolean;
}

export interface Conversion {
  messageId: string;
  /** What it becomes. Its Hub and its source are those of the message. */
  item: NewItem;
}

/** A place before every item: `after` it, a list begins with its oldest. */
export const BEFORE_ALL_ITEMS = `item_${'0'.repeat(26)}`;

export interface ItemQuery {
  /** Where to look; the caller has judged that all of them may be read. */
  hubIds: readonly string[];
  kinds: readonly ItemRowKind[];
  limit: number;
  /** Ids of items: those older, or newer, than it. At most one is given. */
  before?: string | undefined;
  after?: string | undefined;
  keyId?: string | undefined;
  authorId?: string | undefined;
  status?: TodoStatus | undefined;
  /** `null`: nobody's. */
  assigneeId?: string | null | undefined;
  /** The page ends before what its items say is more than this (1 MiB if it is left out), unless that is a single item. */
  maxBytes?: number | undefined;
  /** Only what lies behind this person's marks. */
  unreadBy?: string | undefined;
}

/** One page, newest first, with the event of each Hub that it reflects, read at one instant. */
export interface ItemPage {
  items: ItemRecord[];
  next: string | null;
  seqs: Record<string, number>;
  epoch: string;
}

/** The same of what is addressed to somebody: `unreadIds` are those of its items that he has not read. */
export interface MentionPage extends ItemPage {
  unreadIds: string[];
}

/**
 * Items as people work with them. Each method that writes puts its events into the same transaction, and rejects with
 * `not_found` if the Hub or the item is gone by then, `conflict` if `baseVersion` is another, and as an outsider is refused if
 * whoever writes (`by`) does not belong to the Hub any more.
 */
export interface ItemStore {
  create(item: NewItem): Promise<ItemRecord>;
  /** Also what was deleted, as long as it is kept. */
  find(itemId: string): Promise<ItemRecord | null>;
  /** Where a post by a key came from; `null` for what a person wrote. */
  findOrigin(itemId: string): Promise<{ keyId: string; address: string; requestId: string } | null>;
  list(query: ItemQuery): Promise<ItemPage>;
  listReplies(query: {
    parentId: string;
    limit: number;
    before?: string | undefined;
    after?: string | undefined;
  }): Promise<ItemPage>;
  /** Items of these Hubs that are assigned to this person. */
  listAssigned(query: ItemQuery & { assigneeId: string }): Promise<ItemPage>;
  /** The open to-dos that are assigned to a person, by Hub: among the newest 5,000 that were. */
  countAssigned(personId: string): Promise<ReadonlyMap<string, number>>;
  /** What others have addressed to this person in these Hubs: it names him, or is a reply in his thread. */
  listMentioning(query: {
    personId: string;
    hubIds: readonly string[];
    limit: number;
    before?: string | undefined;
  }): Promise<MentionPage>;
  /** These ranks, as far as they are there, not deleted and in these Hubs, newest first. */
  listByRank(ranks: readonly number[], hubIds: readonly string[]): Promise<ItemRecord[]>;
  /** A change that changes nothing is no event. `invalid` if the assignee is no active member of the Hub. */
  change(change: Changing): Promise<ItemRecord>;
  /** Deleting what was deleted changes nothing. */
  delete(deletion: Deletion): Promise<ItemRecord>;
  /** `conflict` if the message has as many different reactions as it can have. */
  react(reacting: Reacting): Promise<ItemRecord>;
  /** `isNew` is false if it had been converted before: then this is what it became. */
  convert(conversion: Conversion): Promise<{ item: ItemRecord; isNew: boolean }>;
}

export interface EventRecord {
  hubId: string;
  seq: number;
  at: number;
  event: string;
  itemId: string | null;
  /** What the event tells, if it is not of an item; of a to-do that was given to somebody else: by whom and to whom. */
  data: Record<string, unknown> | null;
  /** The item as it is now; `null` if it was erased, or the event is of none. */
  item: ItemRecord | null;
}

/** The event log of each Hub, for those who follow it. Synchronous, so that reading and subscribing are one step. */
export interface EventLog {
  /** The number of the newest event of every Hub. */
  heads(): Map<string, number>;
  /** The numbers of the oldest event that is kept (one beyond `seq` if none is) and of the newest; `null`: no Hub. */
  span(hubId: string): { oldest: number; seq: number; deletedAt: number | null } | null;
  /** Events after `after`, in order, at most `limit`. */
  read(hubId: string, after: number, limit: number): EventRecord[];
}
