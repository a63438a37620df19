import StickyNote from 'icon:sticky-note';
import { useItem } from '../items/use-item.ts';
import { withPanel } from '../router/location.ts';
import { noteTitle } from './note-title.ts';

/** What a message became, if it became a note, live. */
export function NoteBadge({ id }: { id: string }) {
  const found = useItem(id);
  if (found.status !== 'found' || found.item.kind !== 'note' || found.item.deletedAt !== null) return null;
  return (
    <a class="became" href={withPanel(id)}>
      <StickyNote />
      <span class="sr">Note: </span>
      <bdi class="t">{noteTitle(found.item)}</bdi>
      <span class="m">note</span>
    </a>
  );
}
