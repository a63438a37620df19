import type { ErasedItem, Item } from './items.ts';

/** What happened to an item; the part before the point is its kind. */
export type ItemEventName = `${Item['kind']}.${'created' | 'changed' | 'deleted' | 'restored'}`;

/**
 * A change of a Hub. The numbers of a Hub's events rise by one. The item in `data` is as it was when the event was sent,
 * which may be later than the event: putting it in the place of what one has is right.
 */
export type EventFrame = { type: 'event'; hubId: string; seq: number } & (
  | { event: ItemEventName; data: Item | ErasedItem }
  | { event: 'items.pruned'; data: { before: string } }
  | { event: 'hub.changed'; data: { name: string; retentionDays: number | null } }
  | { event: 'hub.deleted' | 'hub.restored'; data: { name: string } }
  | { event: 'member.added' | 'member.removed'; data: { id: string; name: string } }
  | { event: 'member.changed'; data: { id: string; name: string; pictureVersion: string | null } }
);

/** Why a Hub is not followed (any more). */
export type LiveErrorCode = 'invalid' | 'forbidden' | 'not_found' | 'hub_deleted' | 'not_member' | 'unavailable';

/** What lists of the workspace show, outside of the items of its Hubs. */
export type WorkspaceTopic = 'keys' | 'people' | 'hubs' | 'workspace' | 'audit';

/** What the person has not read of a Hub, as of its event `seq`; of the counts each stops at 100. */
export interface UnreadState {
  hubId: string;
  seq: number;
  /** Up to which event each kind was read. */
  readSeqs: { message: number; note: number; todo: number };
  /** The least of them. */
  readSeq: number;
  unreadCounts: { message: number; note: number; todo: number };
  unreadCount: number;
  /** What names the person, and replies in that person's threads: the ids of the newest. */
  unreadMentionIds: string[];
}

/** Something that the person wants to be told of, as the page of a browser gets it. It is not repeated. */
export interface HubNotification {
  kind: 'mention' | 'assignment' | 'reply' | 'post' | 'several' | 'test';
  title: string;
  body: string;
  /** The path at the server that it leads to. */
  to: string;
  /** Of two with the same, the later takes the place of the earlier. */
  tag: string;
}
