import type { ErasedItem, Item } from '../items.ts';

/** The name of an item event. The part before the dot is the kind of item. */
export type ItemEventName = `${Item['kind']}.${'created' | 'changed' | 'deleted' | 'restored'}`;

/**
 * A change in a Hub. The events of a Hub are numbered consecutively. `data` has the item as it was when the event was
 * sent, which may be newer than the event, so you can always replace your copy with it.
 */
export type EventFrame = { type: 'event'; hubId: string; seq: number } & (
  | { event: ItemEventName; data: Item | ErasedItem }
  | { event: 'items.pruned'; data: { before: string } }
  | {
      event: 'hub.changed';
      /** `pinnedIds`: only after an item was pinned or unpinned. */
      data: { name: string; topic: string | null; retentionDays: number | null; pinnedIds?: string[] };
    }
  | { event: 'hub.deleted' | 'hub.restored'; data: { name: string } }
  | { event: 'member.added' | 'member.removed'; data: { id: string; name: string } }
  | { event: 'member.changed'; data: { id: string; name: string; avatarVersion: string | null } }
);

/** The events of one kind of item. The content of a deleted item is blank, or gone. */
type ItemEventOf<Of extends Item> = Of extends Item
  ? { type: 'event'; hubId: string; seq: number } & (
      | { event: `${Of['kind']}.created` | `${Of['kind']}.changed` | `${Of['kind']}.restored`; data: Of }
      | { event: `${Of['kind']}.deleted`; data: Of | (ErasedItem & { kind: Of['kind'] }) }
    )
  : never;

/** An event of `events`: `event.event` tells the type of `event.data`. */
export type HubEvent = Exclude<EventFrame, { event: ItemEventName }> | ItemEventOf<Item>;

/** The reason why a Hub cannot be followed, or no longer is. */
export type LiveErrorCode = 'invalid' | 'forbidden' | 'not_found' | 'hub_deleted' | 'not_member' | 'unavailable';

/** The topics of changes to workspace lists. The items in Hubs have their own events. */
export type WorkspaceTopic = 'keys' | 'users' | 'hubs' | 'workspace' | 'audit';

/** The unread state of a Hub for the user, as of its event `seq`. Each count stops at 100. */
export interface UnreadState {
  hubId: string;
  seq: number;
  isFavorite: boolean;
  /** The keys whose posts are not counted. */
  mutedKeyIds: string[];
  /** The event up to which each kind was read. */
  readSeqs: { message: number; note: number; todo: number };
  /** The smallest of `readSeqs`. */
  readSeq: number;
  /** Rises by one each time the user marks something as unread: markers with a higher number replace others. */
  readVersion: number;
  unreadCounts: { message: number; note: number; todo: number };
  unreadCount: number;
  /** The IDs of the newest unread items that mention the user or are replies in the user's threads. */
  unreadMentionIds: string[];
}

/** A notification for the user, in the form that a browser page shows. It is not replayed. */
export interface HubNotification {
  kind: 'mention' | 'assignment' | 'reply' | 'post' | 'several' | 'test';
  title: string;
  body: string;
  /** The path on the server that the notification links to. */
  to: string;
  /** A newer notification replaces an older one with the same tag. */
  tag: string;
  /** The first two choices of a question that the user may answer. */
  choices?: string[];
}
