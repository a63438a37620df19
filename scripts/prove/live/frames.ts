import type { EventFrame, Item, ServerFrame } from '../../../packages/contract/src/index.ts';

/** Frames that are kept for the next reader that gets the same. */
const SHARED_FRAMES = 4_000;
/** Longer texts stand in memory by their length and hash. */
const LONG_CHARACTERS = 1_000;
/** Longer frames go to few readers. */
const SHARED_CHARACTERS = 8_000;

let young = new Map<string, ServerFrame>();
let old = new Map<string, ServerFrame>();

/**
 * Reads a frame. A thousand readers in one process get the same text a thousand times: they share what it says, which nobody
 * changes, so that their views fit into the memory.
 */
export function readFrame(text: string): ServerFrame {
  const known = young.get(text) ?? old.get(text);
  if (known) return known;
  const frame = JSON.parse(text) as ServerFrame;
  if (frame.type === 'event' && isItem(frame.data)) frame.data = slim(frame.data);
  if (text.length > SHARED_CHARACTERS) return frame;
  if (young.size === SHARED_FRAMES) {
    old = young;
    young = new Map();
  }
  young.set(text, frame);
  return frame;
}

export function isItem(data: EventFrame['data']): data is Item {
  return 'kind' in data && 'createdAt' in data;
}

/** The same item, with long texts replaced by what tells them apart. */
export function slim(item: Item): Item {
  const entries = Object.entries(item).map(([name, value]) =>
    typeof value === 'string' && value.length > LONG_CHARACTERS
      ? [name, `${value.slice(0, 20)}… ${value.length} characters, hash ${Bun.hash(value)}`]
      : [name, value],
  );
  return Object.fromEntries(entries) as Item;
}

/** Stands at the begin of what is posted for measuring, before its number. */
const MARK = '@@';
export const marked = (serial: number, text: string): string => `${MARK}${serial} ${text}`;

/** The number of a measured post, if this event is its creation, and not that of what people have made of it. */
export function serialOf({ event, data }: EventFrame): number | undefined {
  if (!event.endsWith('.created') || !isItem(data) || data.key === null) return undefined;
  const text = data.kind === 'message' ? data.text : data.title;
  return text?.startsWith(MARK) ? Number.parseInt(text.slice(MARK.length), 10) : undefined;
}
