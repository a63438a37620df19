import type { ErasedItem, ServerFrame, WireKind } from '@hub/contract';
import { itemView } from '../items/item-view.ts';
import type { EventRecord } from '../storage/item-store.ts';
import { isoTime } from '../time.ts';

/** Returns the frame of an event. It contains the item in its current state, or what remains of an erased item. */
export function eventFrame({ hubId, seq, event, at, itemId, item, data }: EventRecord): string {
  const shown = itemId === null ? (data ?? {}) : item ? itemView(item) : erasedItem(event, hubId, itemId, at);
  return JSON.stringify({ type: 'event', hubId, seq, event, data: shown });
}

function erasedItem(event: string, hubId: string, id: string, at: number): ErasedItem {
  const kind = event.slice(0, event.indexOf('.')) as WireKind;
  return { kind, id, hubId, deletedAt: isoTime(at) };
}

/** Returns the JSON text of any other frame. */
export function frame(value: Exclude<ServerFrame, { type: 'event' }>): string {
  return JSON.stringify(value);
}
