import type { Hub } from '@hub/contract';
import { useWorkspace } from '../../data/live/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyArt } from '../../ui/icons/art.tsx';
import { FirstCommands } from '../../ui/items/commands.tsx';
import { focusComposer } from '../feed/row-keys.ts';
import type { RowScope } from '../feed/row-scope.ts';
import { openIssueKey } from '../settings/keys/issue-key-overlay.tsx';

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

/** A line below the first message of a Hub: what is next. */
export function FirstPost() {
  if (useWorkspace().me.value.role === 'member') return null;
  return (
    <p class="feed-edge">
      <span>
        Next, <a href="/settings/members">invite your team</a>, or{' '}
        <a href="/settings/notifications">turn on notifications</a>.
      </span>
    </p>
  );
}
