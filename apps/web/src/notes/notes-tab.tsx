import type { Hub, Item } from '@hub/contract';
import { useEffect, useMemo } from 'preact/hooks';
import { path, request } from '../api/request.ts';
import { ItemList } from '../items/item-list.ts';
import { bySeq } from '../items/order.ts';
import { withPanel } from '../router/location.ts';
import { useWorkspace } from '../workspace/workspace.ts';

interface ItemPage {
  items: Item[];
  next: string | null;
  seq: number;
}

export function NotesTab({ hub }: { hub: Hub }) {
  const { items } = useWorkspace();
  const list = useMemo(
    () =>
      new ItemList(items, {
        holds: (item) => item.kind === 'note' && item.hubId === hub.id,
        order: bySeq,
        load: async (before) => {
          const page = await request<ItemPage>('GET', path`/hubs/${hub.id}/notes`, { query: { before, limit: 50 } });
          return { ...page, asOf: () => page.seq };
        },
      }),
    [items, hub.id],
  );
  useEffect(() => () => list.dispose(), [list]);
  return (
    <ul class="scroll">
      {list.items.value.toReversed().map((item) => (
        <li key={item.id}>
          <a href={withPanel(item.id)}>{'title' in item ? item.title : ''}</a>
        </li>
      ))}
    </ul>
  );
}
