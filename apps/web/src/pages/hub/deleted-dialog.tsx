import type { Hub, Item } from '@hub/contract';
import { useState } from 'preact/hooks';
import { usePages } from '../../data/live/use-pages.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/forms/form.tsx';
import { ItemQuote, restoreItem, textOfItem } from '../../ui/items/deletion.tsx';
import { When } from '../../ui/items/when.tsx';

/** The deleted items of a Hub that the user can restore. */
export function DeletedDialog({ hub, onClose }: { hub: Hub; onClose: () => void }) {
  const { items, me } = useWorkspace();
  const isAdmin = me.value.role !== 'member';
  const [restored, setRestored] = useState<ReadonlySet<string>>(new Set());
  const { pages, loadMore } = usePages<Item>(
    (before, signal) => request('GET /hubs/{hubId}/deleted-items', { hubId: hub.id, query: { before }, signal }),
    { key: hub.id, topics: [] },
  );
  const restore = async (item: Item, button: Element) => {
    if (!(await restoreItem(items, item))) return;
    // The button goes with its row: the next one gets the focus, or Close after the last.
    const row = button.closest('li');
    const next = row?.nextElementSibling ?? row?.previousElementSibling ?? row?.closest('dialog');
    Array.from(next?.querySelectorAll('button') ?? [])
      .at(-1)
      ?.focus();
    setRestored((ids) => new Set(ids).add(item.id));
  };
  const remaining = pages.items.filter(({ id }) => !restored.has(id));
  return (
    <Dialog
      title={`Deleted items in ${hub.name}`}
      description={
        isAdmin
          ? 'Everything that was deleted in the last 30 days. Other members see only what they wrote or deleted.'
          : 'What you wrote or deleted in the last 30 days. Others can’t see it, except for admins.'
      }
      onClose={onClose}
      actions={<Button label="Close" onClick={onClose} />}
    >
      {remaining.length === 0 && pages.status === 'ready' && <p>No deleted items.</p>}
      <ul class="deleted-items">
        {remaining.map((item) => (
          <li key={item.id}>
            <ItemQuote item={item} />
            <span class="sub">
              Deleted <When at={item.deletedAt ?? item.createdAt} />
            </span>
            <Button
              variant="is-small"
              label="Restore"
              aria-label={`Restore ${textOfItem(item)}`}
              onClick={({ currentTarget }) => void restore(item, currentTarget)}
            />
          </li>
        ))}
      </ul>
      {pages.next !== null && <Button variant="is-small" label="Load more" onClick={loadMore} />}
      <Problem text={pages.status === 'failed' ? pages.text : ''} />
    </Dialog>
  );
}
