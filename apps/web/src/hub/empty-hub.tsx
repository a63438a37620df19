import type { Hub } from '@hub/contract';
import { FirstCommands } from '../frame/first-commands.tsx';
import { EmptyArt } from '../icons/empty-art.tsx';
import { openIssueKey } from '../settings/issue-key/open-issue-key.ts';
import { useWorkspace } from '../workspace/workspace.ts';
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
        <p>Issue a key so a program can post here, or write the first message.</p>
        <div class="actions">
          <button class="btn is-main" type="button" onClick={() => openIssueKey(hub.id)}>
            Issue a key
          </button>
          <button class="btn" type="button" onClick={() => focusComposer(scope)}>
            Write a message
          </button>
        </div>
        {isAdmin && <FirstCommands hub={hub} />}
      </div>
    </div>
  );
}
