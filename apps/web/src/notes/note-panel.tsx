import { useItem } from '../items/use-item.ts';
import { Panel } from '../panels/panel.tsx';
import { PostBody } from '../posts/post-body.tsx';
import { useWorkspace } from '../workspace/workspace.ts';

export function NotePanel({ id }: { id: string }) {
  const { hubs } = useWorkspace();
  const found = useItem(id);
  if (found.status !== 'found' || found.item.kind !== 'note') return null;
  return (
    <Panel title="Note" hubName={hubs.find(found.item.hubId)?.name ?? ''}>
      <h3>{found.item.title}</h3>
      <PostBody item={found.item} />
    </Panel>
  );
}
