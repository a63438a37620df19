import type { ErasedItem, ServerFrame, WireKind } from '@hub/contract';
import { isoTime } from '../platform/time.ts';
import type { CommittedPost } from '../storage/commit-report.ts';
import type { EventRecord } from '../storage/events.ts';
import { FIRST_STATUS, type ItemRecord } from '../storage/items.ts';
import { itemView } from '../workspace/items/item-view.ts';

/** Sends to the subscribers of a topic on every listener. */
export type Publish = (topic: string, text: string) => void;

/** Returns the frame of an event. It contains the item in its current state, or what remains of an erased item. */
export function eventFrame({ hubId, seq, event, at, itemId, item, data }: EventRecord): string {
  const view = itemId === null ? (data ?? {}) : item ? itemView(item) : erasedItem(event, hubId, itemId, at);
  return JSON.stringify({ type: 'event', hubId, seq, event, data: view });
}

function erasedItem(event: string, hubId: string, id: string, at: number): ErasedItem {
  const kind = event.slice(0, event.indexOf('.')) as WireKind;
  return { kind, id, hubId, deletedAt: isoTime(at) };
}

interface Bot {
  id: string;
  name: string;
}

/** The author of posts, as last read from the log. */
export class KnownBot {
  /** `null` if nothing has been read since the bot may have been renamed. */
  current: Bot | null = null;
  /** Increases whenever the bot may have been renamed. */
  version = 0;

  forget(): void {
    this.current = null;
    this.version += 1;
  }

  /** Learns the bot from an event that was read from the log, unless it was renamed since `version`, when the read began. */
  learn({ item }: EventRecord, version: number): void {
    if (item?.authorKind !== 'bot' || version !== this.version) return;
    this.current = { id: item.authorId, name: item.authorName };
  }
}

/** Returns the event of a post as the log has it right after the commit. The post must not mention anyone. */
export function postEvent(post: CommittedPost, bot: Bot): EventRecord {
  const { id, hubId, kind, seq, createdAt } = post;
  const item: ItemRecord = {
    ...post,
    authorKind: 'bot',
    authorId: bot.id,
    authorName: bot.name,
    status: FIRST_STATUS[kind],
    assigneeId: null,
    assigneeName: null,
    finishedAt: null,
    finishedById: null,
    finishedByName: null,
    question: null,
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
    deletedById: null,
    reactions: [],
    mentions: [],
  };
  return { hubId, seq, at: createdAt, event: `${kind}.created`, itemId: id, data: null, item };
}

/** Returns the JSON text of any other frame. */
export function frame(value: Exclude<ServerFrame, { type: 'event' }>): string {
  return JSON.stringify(value);
}

/** How many characters of frames are cached, across all Hubs. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

export interface ReplayedFrame {
  readonly seq: number;
  readonly text: string;
}

/** Caches replayed frames: after a restart, all clients have missed the same events. A changed item drops its own. */
export class ReplayedFrames {
  readonly #byHub = new Map<string, Map<number, string>>();
  readonly #byItem = new Map<string, number[]>();
  #characters = 0;
  #version = 0;

  /** Increases whenever frames become stale, also those of events that are being read at that moment. */
  get version(): number {
    return this.#version;
  }

  /** Returns up to `limit` cached frames that directly follow this event, without gaps. */
  after(hubId: string, seq: number, limit: number): ReplayedFrame[] {
    const frames = this.#byHub.get(hubId);
    const replay: ReplayedFrame[] = [];
    for (let next = seq + 1; frames && replay.length < limit; next += 1) {
      const text = frames.get(next);
      if (text === undefined) break;
      replay.push({ seq: next, text });
    }
    return replay;
  }

  /** Creates the frame of an event that was just read, and caches it unless it may be stale already. */
  add(event: EventRecord, { isFresh }: { isFresh: boolean }): ReplayedFrame {
    const { hubId, seq, itemId } = event;
    const text = eventFrame(event);
    if (!isFresh) return { seq, text };
    if (this.#characters + text.length > MAX_CHARACTERS) this.clear();
    const frames = this.#byHub.get(hubId) ?? new Map<number, string>();
    this.#byHub.set(hubId, frames);
    this.#characters += text.length - (frames.get(seq)?.length ?? 0);
    frames.set(seq, text);
    if (itemId !== null) this.#byItem.set(itemId, [...(this.#byItem.get(itemId) ?? []), seq]);
    return { seq, text };
  }

  /** Drops the frames that an event makes stale: those of its item, or all if it concerns a whole Hub. */
  invalidate({ hubId, itemId, event }: EventRecord): void {
    // No frame of a new item has been read yet. Otherwise, nothing that is read would be cached while posts arrive.
    if (event.endsWith('.created')) return;
    this.#version += 1;
    if (itemId === null) this.clear();
    else this.#drop(hubId, itemId);
  }

  /** Clears the cache. This happens often, since no event reports that a user, a key or the bot has a new name. */
  clear(): void {
    this.#version += 1;
    this.#byHub.clear();
    this.#byItem.clear();
    this.#characters = 0;
  }

  #drop(hubId: string, itemId: string): void {
    const frames = this.#byHub.get(hubId);
    for (const seq of this.#byItem.get(itemId) ?? []) {
      this.#characters -= frames?.get(seq)?.length ?? 0;
      frames?.delete(seq);
    }
    this.#byItem.delete(itemId);
  }
}
