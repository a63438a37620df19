import type { Hub } from '@hub/contract';
import { openIssueKey } from '../settings/issue-key/open-issue-key.ts';
import { focusComposer } from './row-keys.ts';
import type { RowScope } from './row-scope.ts';

/** A Hub that waits for its first post. */
export function EmptyHub({ hub, scope }: { hub: Hub; scope: RowScope }) {
  return (
    <div class="feed-cover">
      <div class="empty">
        <svg
          class="art"
          width="72"
          height="72"
          viewBox="0 0 72 72"
          fill="none"
          stroke="currentColor"
          stroke-width="1.5"
          aria-hidden="true"
        >
          <circle cx="36" cy="36" r="9" />
          <circle cx="36" cy="36" r="21" stroke-dasharray="3 5" />
          <circle cx="36" cy="36" r="33" stroke-dasharray="3 5" />
          <rect x="51" y="12" width="11" height="11" rx="3" class="fill" />
          <circle cx="14" cy="46" r="5.5" />
        </svg>
        <h2>Nothing has arrived yet</h2>
        <p>Issue a key and let a program post here, or write the first message yourself.</p>
        <div class="acts">
          <button class="btn is-main" type="button" onClick={() => openIssueKey(hub.id)}>
            Issue a key
          </button>
          <button class="btn" type="button" onClick={() => focusComposer(scope)}>
            Write a message
          </button>
        </div>
      </div>
    </div>
  );
}
