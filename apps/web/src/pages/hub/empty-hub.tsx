import type { Hub } from '@hub/contract';
import { useWorkspace } from '../../data/live/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyArt } from '../../ui/icons/empty-art.tsx';
import { FirstCommands } from '../../ui/items/commands.tsx';
import { openIssueKey } from '../settings/issue-key/issue-key-overlay.tsx';
import { focusComposer } from './row-keys.ts';
import type { RowScope } from './row-scope.ts';

/** The empty state of a Hub without posts. */
export function EmptyHub({ hub, scope }: { hub: Hub; scope: RowScope }) {
  // The workspace may not allow members to issue keys.
  const isAdmin = useWorkspace().me.value.role !== 'member';
  return (
    <div class="feed-cover">
      <div class="empty">
        <EmptyArt />
        <h2>No posts yet</h2>
        <p>Programs post here with a key.</p>
        <div class="actions">
          <Button variant="is-main" label="Issue a key" onClick={() => openIssueKey(hub.id)} />
          <Button label="Write a message" onClick={() => focusComposer(scope)} />
        </div>
        {isAdmin && <FirstCommands hub={hub} />}
      </div>
    </div>
  );
}
