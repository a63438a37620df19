import type { Hub, Item } from '@hub/contract';
import { MessageSquare, Pin, SquareCheckBig, StickyNote } from 'icons';
import { useResource, useWorkspace } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { itemUrl, kindLabel } from '../../lib/items.ts';
import { withPanel } from '../../lib/router/location.ts';
import { textOfItem } from '../../ui/items/deletion.tsx';

const ICONS = { message: MessageSquare, note: StickyNote, todo: SquareCheckBig } as const;

export function PinnedItems({ hub }: { hub: Hub }) {
  const { items } = useWorkspace();
  const { id: hubId, pinnedIds } = hub;
  const { value } = useResource((signal) => request('GET /hubs/{hubId}/pins', { hubId, signal }), {
    key: `${hubId} ${pinnedIds?.join()}`,
  });
  return (
    <>
      <Pin />
      <ul>
        {value?.items.map(({ item, pinnedBy }) => {
          // The store has it as it is now, if an event or a list brought it.
          const current = items.get(item.id).value ?? (items.isGone(item.id) ? null : item);
          if (current === null || current.deletedAt !== null) return null;
          const Icon = ICONS[current.kind];
          return (
            <li key={item.id}>
              <a class="conversion" href={urlOf(current)} title={`Pinned by ${pinnedBy.name}`}>
                <Icon />
                <span class="sr">{kindLabel(current)}: </span>
                <span class="t cut">{textOfItem(current).slice(0, 120) || 'Untitled'}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** Notes and to-dos open beside the page that is shown. */
function urlOf(item: Item): string {
  return item.kind === 'message' ? itemUrl(item) : withPanel(item.id);
}
