import type { ItemOrigin } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { path, request } from '../api/request.ts';
import { useItem } from '../items/use-item.ts';
import { Panel } from '../panels/panel.tsx';
import { useWorkspace } from '../workspace/workspace.ts';

/** Where a post by a key came from. */
export function OriginPanel({ id }: { id: string }) {
  const { hubs } = useWorkspace();
  const found = useItem(id);
  const [origin, setOrigin] = useState<ItemOrigin | null>(null);
  useEffect(() => {
    void request<ItemOrigin>('GET', path`/items/${id}/origin`).then(setOrigin);
  }, [id]);
  if (found.status !== 'found') return null;
  return (
    <Panel title="Where this came from" hubName={hubs.find(found.item.hubId)?.name ?? ''}>
      <dl>
        <dt>Key</dt>
        <dd>{found.item.key?.name}</dd>
        <dt>Address</dt>
        <dd>{origin?.address}</dd>
        <dt>Request</dt>
        <dd>{origin?.requestId}</dd>
      </dl>
    </Panel>
  );
}
