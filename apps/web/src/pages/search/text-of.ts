import type { Item } from '@hub/contract';
import { wholeText } from '../../lib/posts/plain-text.ts';

/** Returns the searchable text of an item on one line. */
export function textOf(item: Item): string {
  const title = item.kind === 'message' ? null : item.title;
  return [title, wholeText(item)].filter((text) => text !== null && text !== '').join(' — ');
}
