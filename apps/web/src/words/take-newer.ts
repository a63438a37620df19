import type { Note, Todo } from '@hub/contract';
import type { ItemStore } from '../items/item-store.ts';

/** Takes the answer to a change of one's own, unless an event has brought a later version before it. */
export function takeNewer(items: ItemStore, answer: Note | Todo): void {
  const known = items.get(answer.id)?.peek();
  if (!known || known.version <= answer.version) items.takeAnswer(answer);
}
