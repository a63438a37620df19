import CheckCheck from 'icon:check-check';
import { useMemo } from 'preact/hooks';
import { errorMessage } from '../api/request.ts';
import { PageBar } from '../frame/page-bar.tsx';
import { EmptyArt } from '../icons/empty-art.tsx';
import { place } from '../router/location.ts';
import { Feed } from '../stream/feed.tsx';
import { takeFeed } from '../stream/kept-feed.ts';
import { mentionsOf } from '../stream/stream-list.ts';
import { toast } from '../ui/toast.tsx';
import { useWorkspace, type Workspace } from '../workspace/workspace.ts';

/** What is addressed to whoever is signed in, newest first. */
export function MentionsPage() {
  const workspace = useWorkspace();
  const { key } = place.value;
  const feed = useMemo(
    () =>
      takeFeed(workspace, {
        name: 'mentions',
        placeKey: key,
        isForBackOnly: false,
        make: () => ({
          ...mentionsOf(workspace),
          isNew: ({ id }) => workspace.hubs.mentions.has(id),
          holdsAllNew: (items) => workspace.hubs.mentions.ids.value.isSubsetOf(new Set(items.map(({ id }) => id))),
        }),
      }),
    [workspace],
  );
  feed.placeKey = key;
  return (
    <main class="main" id="main">
      <PageBar title="Mentions">
        <button
          class="btn is-bare is-small"
          type="button"
          onClick={() => {
            feed.held.value = new Set();
            void markAllRead(workspace);
          }}
        >
          <CheckCheck /> Mark all read
        </button>
      </PageBar>
      <Feed
        feed={feed}
        label="What names you, and replies in your threads"
        empty={
          <div class="empty">
            <EmptyArt />
            <h2>Nothing is addressed to you yet</h2>
            <p>Where somebody writes @{workspace.me.value.name}, or replies in a thread of yours, you find it here.</p>
          </div>
        }
      />
    </main>
  );
}

async function markAllRead({ hubs }: Workspace): Promise<void> {
  try {
    await hubs.mentions.markAllRead();
  } catch (error) {
    toast(`Not all is marked as read. ${errorMessage(error)}`, { isBad: true });
  }
}
