import type { ErasedItem, ServerFrame, WireKind } from '@hub/contract';
import { itemView } from '../items/item-view.ts';
import type { EventRecord } from '../store/item-store.ts';
import { isoTime } from '../time.ts';

/** An event as it goes over the wire. Its item is told as it is now, and one that was erased by what is left of it. */
export function eventFrame({ hubId, seq, event, at, itemId, item, data }: EventRecord): string {
  const notified = itemId === null ? (data ?? {}) : item ? itemView(item) : erasedItem(event, hubId, itemId, at);
  return JSON.stringify({ type: 'event', hubId, seq, event, data: notified });
}

function erasedItem(event: string, hubId: string, id: string, at: number): ErasedItem {
  const kind = event.slice(0, event.indexOf('.')) as WireKind;
  return { kind, id, hubId, deletedAt: isoTime(at) };
}

/** Every other frame. */
export function frame(value: Exclude<ServerFrame, { type: 'event' }>): string {
  return JSON.stringify(value);
}
