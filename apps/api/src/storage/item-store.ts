import type { Priority, Reaction, TodoStatus } from '@hub/contract';
import type { UserAction } from './acting-user.ts';
import type { AuditRecord } from './audit-store.ts';
import type { ItemKind } from './records.ts';

/** The kinds of rows. A reply is a message under another message, and appears in none of its Hub's lists. */
export type ItemRowKind = ItemKind | 'reply';

/** An item with everything its view shows. */
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
  /** Ids of the users who wrote the newest replies, most recent first. */
  repliers: string[];
  conversionId: string | null;
  conversionKind: 'todo' | 'note' | null;
  sourceId: string | null;
  version: number;
  editedAt: number | null;
  /** The last editor, if other than the author; the id and the name are `null` for the local admin. */
  editedByKind: 'person' | 'local' | null;
  editedById: string | null;
  editedByName: string | null;
  deletedAt: number | null;
  reactions: Reaction[];
  mentions: string[];
}

/** An item as a user writes it. Fields that the kind does not have are `null`. */
export interface NewItem extends UserAction {
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

/** Changes to an item; omitted fields are kept. */
export interface ItemChanges {
  title?: string | null;
  body?: string | null;
  /** Editing the text of a message removes its blocks. */
  blocks?: null;
  dueAt?: number | null;
  priority?: Priority | null;
  status?: TodoStatus;
  assigneeId?: string | null;
}

export interface ItemUpdate extends UserAction {
  itemId: string;
  at: number;
  /** The user who edits or completes the item; `null` for the local admin. */
  personId: string | null;
  /** Written only if something changes. */
  audit?: AuditRecord | undefined;
  changes: ItemChanges;
  baseVersion?: number | undefined;
}

export interface ItemDeletion extends UserAction {
  itemId: string;
  at: number;
  audit: AuditRecord;
}

export interface ReactionChange extends UserAction {
  itemId: string;
  emoji: string;
  personId: string;
  at: number;
  isOn: boolean;
}

export interface Conversion {
  messageId: string;
  /** The item to create. It takes its Hub and its source from the message. */
  item: NewItem;
}

/** A cursor before every item: a list `after` this cursor begins with the oldest item. */
export const BEFORE_ALL_ITEMS = `item_${'0'.repeat(26)}`;

export interface ItemQuery {
  /** The Hubs to list; the caller has already checked access to them. */
  hubIds: readonly string[];
  kinds: readonly ItemRowKind[];
  limit: number;
  /** Item ids: only items older than `before`, or newer than `after`, are listed. At most one may be given. */
  before?: string | undefined;
  after?: string | undefined;
  keyId?: string | undefined;
  authorId?: string | undefined;
  status?: TodoStatus | undefined;
  /** `null`: unassigned. */
  assigneeId?: string | null | undefined;
  /** Maximum text size of the page in bytes (1 MiB by default). A single item may exceed it. */
  maxBytes?: number | undefined;
  /** Only items after this user's read marks. */
  unreadBy?: string | undefined;
}

/** One page, newest first, and the sequence number that it reflects for each Hub, read in one snapshot. */
export interface ItemPage {
  items: ItemRecord[];
  next: string | null;
  seqs: Record<string, number>;
  epoch: string;
}

/** A page of mentions; `unreadIds` are the items in it that the user has not read. */
export interface MentionPage extends ItemPage {
  unreadIds: string[];
}

/**
 * Items, and what users do with them. Each method that writes adds its events in the same transaction. It rejects with
 * `not_found` if the Hub or the item is gone, with `conflict` if `baseVersion` is not the current version, and with the
 * error for non-members if the writer (`actingUser`) is no longer a member of the Hub.
 */
export interface ItemStore {
  create(item: NewItem): Promise<ItemRecord>;
  /** Also finds deleted items until they are erased. */
  find(itemId: string): Promise<ItemRecord | null>;
  /** Returns the origin of an item posted with a key; `null` for items written by users. */
  findOrigin(itemId: string): Promise<{ keyId: string; address: string; requestId: string } | null>;
  list(query: ItemQuery): Promise<ItemPage>;
  listReplies(query: {
    parentId: string;
    limit: number;
    before?: string | undefined;
    after?: string | undefined;
  }): Promise<ItemPage>;
  /** Lists the items in these Hubs that are assigned to this user. */
  listAssigned(query: ItemQuery & { assigneeId: string }): Promise<ItemPage>;
  /** Counts a user's open to-dos by Hub, among the newest 5,000 assigned to them. */
  countAssigned(personId: string): Promise<ReadonlyMap<string, number>>;
  /** Lists items by others in these Hubs that mention this user or reply in their threads. */
  listMentioning(query: {
    personId: string;
    hubIds: readonly string[];
    limit: number;
    before?: string | undefined;
  }): Promise<MentionPage>;
  /** Lists the items with these ranks that exist, are not deleted and belong to these Hubs, newest first. */
  listByRank(ranks: readonly number[], hubIds: readonly string[]): Promise<ItemRecord[]>;
  /**
   * A change without effect writes no event. Rejects with `invalid` if the assignee is not an active member of the Hub.
   */
  change(change: ItemUpdate): Promise<ItemRecord>;
  /** Deleting a deleted item changes nothing. */
  delete(deletion: ItemDeletion): Promise<ItemRecord>;
  /** Rejects with `conflict` if the message has the maximum number of different reactions. */
  react(change: ReactionChange): Promise<ItemRecord>;
  /** `isNew` is false if the message was already converted; `item` is then the existing result. */
  convert(conversion: Conversion): Promise<{ item: ItemRecord; isNew: boolean }>;
}

export interface EventRecord {
  hubId: string;
  seq: number;
  at: number;
  event: string;
  itemId: string | null;
  /** The data of an event that is not about an item, or the assigner and the assignee if a to-do was assigned. */
  data: Record<string, unknown> | null;
  /** The item as it is now; `null` if it was erased, or the event is not about an item. */
  item: ItemRecord | null;
}

/**
 * The event log of each Hub, for its followers. Reads are synchronous, so that reading and subscribing are one step.
 */
export interface EventLog {
  /** Returns the sequence number of the newest event in every Hub. */
  heads(): Map<string, number>;
  /**
   * Returns the sequence numbers of the oldest kept event (`seq` + 1 if none is kept) and of the newest event; `null`
   * for an unknown Hub.
   */
  span(hubId: string): { oldest: number; seq: number; deletedAt: number | null } | null;
  /** Returns at most `limit` events after `after`, in order. */
  read(hubId: string, after: number, limit: number): EventRecord[];
}
