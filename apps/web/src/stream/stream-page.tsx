import type { Item } from '@hub/contract';
import { useEffect, useMemo } from 'preact/hooks';
import { request } from '../api/request.ts';
import { MessageRow } from '../hub/message-row.tsx';
import { ItemList } from '../items/item-list.ts';
import type { ItemStore } from '../items/item-store.ts';
import { byMaking } from '../items/order.ts';
import { useWorkspace } from '../workspace/workspace.ts';

interface StreamAnswer {
  items: Item[];
  next: string | null;
  seqs: Record<string, number>;
}

function streamOf(store: ItemStore): ItemList {
  return new ItemList(store, {
    holds: () => true,
    order: byMaking,
    load: async (before) => {
      const { items, next, seqs } = await request<StreamAnswer>('GET', '/stream', { query: { before, limit: 50 } });
      return { items, next, asOf: (hubId) => seqs[hubId] ?? 0 };
    },
  });
}

/** Everything of all one's Hubs, newest first. */
export function StreamPage() {
  const { items } = useWorkspace();
  const list = useMemo(() => streamOf(items), [items]);
  useEffect(() => () => list.dispose(), [list]);
  return (
    <main class="main" id="main">
      <header class="bar">
        <h1 class="bar-title">
          <span>Stream</span>
        </h1>
      </header>
      <div class="scroll" tabIndex={0} role="log" aria-label="Stream: everything from your Hubs">
        {list.items.value.toReversed().map(({ id }) => (
          <MessageRow key={id} id={id} />
        ))}
      </div>
    </main>
  );
}
