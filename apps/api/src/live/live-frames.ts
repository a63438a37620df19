import type { ErasedItem, ServerFrame, WireKind } from '@hub/contract';
import { isoTime } from '../core/time.ts';
import { itemView } from '../items/item-view.ts';
import type { CommittedPost } from '../storage/commit-report.ts';
import type { EventRecord } from '../storage/event-store.ts';
import type { ItemRecord } from '../storage/item-store.ts';

/** Sends to the subscribers of a topic on every listener. Returns false if a slow subscriber did not get the frame. */
export type Publish = (topic: string, text: string) => boolean;

/** Returns the frame of an event. It contains the item in its current state, or what remains of an erased item. */
export function eventFrame({ hubId, seq, event, at, itemId, item, data }: EventRecord): string {
  const shown = itemId === null ? (data ?? {}) : item ? itemView(item) : erasedItem(event, hubId, itemId, at);
  return JSON.stringify({ type: 'event', hubId, seq, event, data: shown });
}

function erasedItem(event: string, hubId: string, id: string, at: number): ErasedItem {
  const kind = event.slice(0, event.indexOf('.')) as WireKind;
  return { kind, id, hubId, deletedAt: isoTime(at) };
}

export interface Bot {
  id: string;
  name: string;
}

/** Returns the event of a post as the log has it right after the commit. The post must not mention anyone. */
export function postEvent(post: CommittedPost, bot: Bot): EventRecord {
  const { id, hubId, kind, seq, rank, createdAt, keyId, keyName, title, body, blocks, dueAt, priority } = post;
  const item: ItemRecord = {
    ...{ id, hubId, kind, seq, rank, createdAt, keyId, keyName, title, body, blocks, dueAt, priority },
    authorKind: 'bot',
    authorId: bot.id,
    authorName: bot.name,
    status: kind === 'todo' ? 'open' : null,
    assigneeId: null,
    assigneeName: null,
    finishedAt: null,
    finishedById: null,
    finishedByName: null,
    parentId: null,
    replyCount: 0,
    lastReplyAt: null,
    repliers: [],
    conversionId: null,
    conversionKind: null,
    sourceId: null,
    version: 1,
    editedAt: null,
    editedByKind: null,
    editedById: null,
    editedByName: null,
    deletedAt: null,
    reactions: [],
    mentions: [],
  };
  return { hubId, seq, at: createdAt, event: `${kind}.created`, itemId: id, data: null, item };
}

/** Returns the JSON text of any other frame. */
export function frame(value: Exclude<ServerFrame, { type: 'event' }>): string {
  return JSON.stringify(value);
}
