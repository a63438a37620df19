import type { KeyTimes } from '@hub/contract/key-state';
import type { ItemRecord, NewPost } from './item-store.ts';

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

/** How many events are read at a time, so that a long gap does not fill up memory. */
export const MAX_READ_EVENTS = 200;

/** The committed events of each Hub, for its followers. Within a Hub, they become visible in the order of their numbers. */
export interface EventLog {
  /** Returns the sequence number of the newest event in each of these Hubs; by default, in every Hub. */
  heads(hubIds?: readonly string[]): Promise<Map<string, number>>;
  /**
   * Returns the sequence numbers of the oldest kept event (`seq` + 1 if none is kept) and of the newest event; `null`
   * for an unknown Hub.
   */
  span(hubId: string): Promise<{ oldest: number; seq: number; deletedAt: number | null } | null>;
  /** Returns at most `limit` events after `after`, in order. `limit` is at most `MAX_READ_EVENTS`. */
  read(hubId: string, after: number, limit: number): Promise<EventRecord[]>;
}

export interface NewEvent {
  hubId: string;
  at: number;
  event: string;
  itemId: string | null;
  /** The data of the event if it is not about an item. */
  data?: Record<string, unknown>;
  /** The change in the number of items in the Hub. */
  addedItems?: number;
}

/** The state of the Hub after its newest event. */
export interface SequencedHub {
  seq: number;
  deletedAt: number | null;
  conversationId: string;
  notesBucketId: string;
  todosBucketId: string;
}

export interface EventRepository {
  /** Takes the next sequence number of the Hub, and writes the event. Returns `undefined` if there is no such Hub. */
  append(event: NewEvent): Promise<SequencedHub | undefined>;
}

/** Decides on a post inside its transaction. Its functions may be called twice. */
export interface PostRule {
  /**
   * Throws if the post must not be written. `key` is `null` if it has not changed since it was authenticated, and `hub`
   * is `undefined` if there is none.
   */
  check(key: KeyTimes | null, hub: Pick<SequencedHub, 'deletedAt'> | undefined): void;
  /** Returns which of the active members of the Hub the post mentions. Absent if it cannot mention anyone. */
  mentioned?: (members: readonly { id: string; name: string }[]) => Iterable<string>;
}

/** Writes the posts of programs, those of several requests together. */
export interface PostWriter {
  /**
   * Writes a post with its event and its mentions, unless its rule rejects it. Resolves with the state of its Hub once
   * everything is on disk.
   */
  write(post: NewPost, rule: PostRule): Promise<SequencedHub>;
}
