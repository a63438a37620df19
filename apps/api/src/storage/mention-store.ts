import type { WireKind } from '@hub/contract';
import type { ItemRowKind } from './items.ts';

/** The item of a mention. */
export interface MentioningItem {
  rank: number;
  id: string;
  hubId: string;
  kind: ItemRowKind;
}

export interface MentionRecord {
  userId: string;
  /** Whether the text of the item mentions the user. */
  isNamed: boolean;
  /** Whether the item is a reply in a thread that the user takes part in. */
  hasResponse: boolean;
}

/** Mentions of users, and replies in their threads. */
export interface MentionReads {
  /** Lists the ids of the unread items in this Hub, newest first, excluding deleted ones. */
  unreadIds(query: { userId: string; hubId: string; limit: number }): Promise<string[]>;
  /**
   * Returns the participants of this reply's thread: the users who had started the thread or written one of its newest
   * hundred replies when the reply was written, except the author of the reply.
   */
  threadParticipants(replyId: string): Promise<string[]>;
}

export interface MentionRepository {
  /** Lists the users whom this item concerns. */
  list(itemId: string): Promise<MentionRecord[]>;
  /** Returns the rank of an item if it concerns this user, otherwise `null`. */
  findRank(mention: { userId: string; itemId: string }): Promise<number | null>;
  insert(item: MentioningItem, mention: MentionRecord & { isUnread: boolean }): Promise<void>;
  /** Changes whether the text of the item mentions the user. */
  setNamed(mention: { userId: string; itemId: string; isNamed: boolean }): Promise<void>;
  delete(item: MentioningItem, userId: string): Promise<void>;
  /** Marks all mentions of and replies to this user in a Hub as read. */
  markHub(marked: { userId: string; hubId: string }): Promise<void>;
  /** Marks mentions of one kind in a Hub as read, up to this rank. Replies are marked in their threads. */
  markKind(marked: { userId: string; hubId: string; kind: WireKind; rank: number }): Promise<void>;
  /** Marks mentions of one kind in a Hub as unread again, those after this rank. Replies stay as they are. */
  unmarkKind(marked: { userId: string; hubId: string; kind: WireKind; rank: number }): Promise<void>;
  /** Marks these items of a Hub as unread again; ignores the user's own, and those that do not concern the user. */
  markUnread(marked: { userId: string; hubId: string; itemIds: readonly string[] }): Promise<void>;
  /** Marks these items as read; ignores those that do not concern the user. */
  markRead(marked: { userId: string; itemIds: readonly string[] }): Promise<void>;
  /** Marks everything up to this rank as read, in all Hubs. */
  markReadUpTo(marked: { userId: string; rank: number }): Promise<void>;
  /** Marks a message in this Hub as read, and the replies to it up to this event. */
  markThreadRead(marked: { userId: string; hubId: string; messageId: string; seq: number }): Promise<void>;
}
