import type { Priority, Reaction, TodoStatus } from '@hub/contract';

export type ItemKind = 'message' | 'note' | 'todo';

/** The kinds of rows. A reply is a message under another message, and appears in none of its Hub's lists. */
export type ItemRowKind = ItemKind | 'reply';

/** The content of an item. Fields that its kind does not have are `null`. */
export interface ItemContent {
  title: string | null;
  body: string | null;
  /** JSON, as it was sent. Only messages posted with a key have blocks. */
  blocks: string | null;
  dueAt: number | null;
  priority: Priority | null;
}

export const NO_CONTENT: ItemContent = { title: null, body: null, blocks: null, dueAt: null, priority: null };

/** An item with everything its view shows. */
export interface ItemRecord extends ItemContent {
  rank: number;
  id: string;
  hubId: string;
  kind: ItemRowKind;
  seq: number;
  createdAt: number;
  authorKind: 'bot' | 'user';
  authorId: string;
  authorName: string;
  keyId: string | null;
  keyName: string | null;
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
  editedByKind: 'user' | 'local' | null;
  editedById: string | null;
  editedByName: string | null;
  deletedAt: number | null;
  /** The user who deleted the item on its own; `null` for the local admin and for removals. */
  deletedById: string | null;
  reactions: Reaction[];
  mentions: string[];
}

/** An item as a user writes it. */
export interface NewItem extends ItemContent {
  id: string;
  kind: ItemRowKind;
  hubId: string;
  createdAt: number;
  authorId: string;
  assigneeId: string | null;
  parentId: string | null;
  sourceId: string | null;
}

/** A cursor before every item: a list `after` this cursor begins with the oldest item. */
export const BEFORE_ALL_ITEMS = `item_${'0'.repeat(26)}`;

/**
 * Maximum text size of one page in bytes; a single item may exceed it. Everyone else waits while it is read and serialized,
 * which takes about as long as twenty posts. A hundred long notes would be 20 MB.
 */
export const MAX_PAGE_BYTES = 256 * 1024;

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
  /** Instead of `MAX_PAGE_BYTES`. */
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

export interface ItemReads {
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
  /**
   * Lists the items of a Hub that were deleted one by one since this time: by or from this user, or all for `null`.
   */
  listDeleted(query: {
    hubId: string;
    userId: string | null;
    since: number;
    limit: number;
    before?: string | undefined;
  }): Promise<ItemPage>;
  /** Lists the items in these Hubs that are assigned to this user. */
  listAssigned(query: ItemQuery & { assigneeId: string }): Promise<ItemPage>;
  /** Counts a user's open to-dos by Hub, among the newest 5,000 assigned to them. */
  countAssigned(userId: string): Promise<ReadonlyMap<string, number>>;
  /** Lists items by others in these Hubs that mention this user or reply in their threads. */
  listMentioning(query: {
    userId: string;
    hubIds: readonly string[];
    limit: number;
    before?: string | undefined;
  }): Promise<MentionPage>;
  /** Lists the items with these ranks that exist, are not deleted and belong to these Hubs, newest first. */
  listByRank(ranks: readonly number[], hubIds: readonly string[]): Promise<ItemRecord[]>;
}

/** An item as posted with a key. */
export interface NewPost extends ItemContent {
  id: string;
  kind: ItemKind;
  hubId: string;
  createdAt: number;
  keyId: string;
  /** Known here already, so that it need not be read again to show the post. */
  keyName: string;
  address: string;
  requestId: string;
}

export interface ItemRepository extends Pick<ItemReads, 'find'> {
  /**
   * Lists the user who wrote this message, and the users who wrote its newest replies, deleted or not. At most
   * `maxReplies` replies are examined.
   */
  listThreadWriters(messageId: string, maxReplies: number): Promise<string[]>;
  /** Inserts an item by a user, and returns its rank. A to-do is open. */
  insert(item: NewItem & { seq: number }): Promise<number>;
  /** If this concerns the search index, it reads the item again. */
  update(item: Pick<ItemRecord, 'id' | 'rank'>, changes: ItemUpdate, at: number): Promise<void>;
  /** Updates the number of replies to a message, and the time of the newest. */
  countReplies(messageId: string, added: 1 | -1): Promise<void>;
  /** Undoing a removal no longer restores this item. Returns false if no removal has deleted it. */
  leaveRemoval(itemId: string): Promise<boolean>;
  insertReaction(reaction: ReactionRecord & { at: number }): Promise<void>;
  deleteReaction(reaction: ReactionRecord): Promise<void>;
}

/** Fields of an item that can change; omitted ones are kept. */
export type ItemUpdate = Partial<
  ItemContent &
    Pick<
      ItemRecord,
      | 'status'
      | 'assigneeId'
      | 'finishedAt'
      | 'finishedById'
      | 'conversionId'
      | 'conversionKind'
      | 'version'
      | 'editedAt'
      | 'editedByKind'
      | 'editedById'
      | 'deletedAt'
      | 'deletedById'
    >
>;

export interface ReactionRecord {
  itemId: string;
  emoji: string;
  userId: string;
}
