import type { EventFrame, Item, ServerFrame } from '@hub/contract';

/** The number of parsed frames cached for other readers that receive the same frame. */
const SHARED_FRAMES = 4_000;
/** Longer strings are represented in memory by their length and hash. */
const LONG_CHARACTERS = 1_000;
/** Longer frames are not cached, since few readers receive them. */
const SHARED_CHARACTERS = 8_000;

let young = new Map<string, ServerFrame>();
let old = new Map<string, ServerFrame>();

/**
 * Parses a frame. A thousand readers in one process receive the same text a thousand times. They share the parsed
 * object, which nobody changes, so that their views fit in memory.
 */
export function readFrame(text: string): ServerFrame {
  const cached = young.get(text) ?? old.get(text);
  if (cached) return cached;
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

/** Returns the item with long strings replaced by a fingerprint. */
export function slim(item: Item): Item {
  const entries = Object.entries(item).map(([name, value]) =>
    typeof value === 'string' && value.length > LONG_CHARACTERS
      ? [name, `${value.slice(0, 20)}… ${value.length} characters, hash ${Bun.hash(value)}`]
      : [name, value],
  );
  return Object.fromEntries(entries) as Item;
}
