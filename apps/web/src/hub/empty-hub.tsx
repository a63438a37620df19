import type { Hub } from '@hub/contract';
import { FirstCommands } from '../frame/first-commands.tsx';
import { EmptyArt } from '../icons/empty-art.tsx';
import { openIssueKey } from '../settings/issue-key/open-issue-key.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { focusComposer } from './row-keys.ts';
import type { RowScope } from './row-scope.ts';

/** A Hub that waits for its first post. */
export function EmptyHub({ hub, scope }: { hub: Hub; scope: RowScope }) {
  // Others may be kept from issuing keys.
  const isAdmin = useWorkspace().me.value.role !== 'member';
  return (
    <div class="feed-cover">
      <div class="empty">
        <EmptyArt />
        <h2>Nothing has arrived yet</h2>
        <p>Issue a key and let a program post here, or write the first message yourself.</p>
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
