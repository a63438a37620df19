import { CheckCheck } from 'icons';
import { useMemo } from 'preact/hooks';
import { useWorkspace, type Workspace } from '../../data/live/workspace.ts';
import { errorMessage } from '../../data/request.ts';
import { route } from '../../lib/router/location.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyArt } from '../../ui/icons/empty-art.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { PageBar } from '../../ui/page/page-bar.tsx';
import { toast } from '../../ui/toast.tsx';
import { Feed } from '../stream/feed.tsx';
import { takeFeed } from '../stream/kept-feed.ts';
import { mentionsOf } from '../stream/stream-list.ts';

/** Mentions of the signed-in user and replies in their threads, newest first. */
export function MentionsPage() {
  const workspace = useWorkspace();
  const { key } = route.value;
  const feed = useMemo(
    () =>
      takeFeed(workspace, {
        name: 'mentions',
        locationKey: key,
        isForBackOnly: false,
        make: () => ({
          ...mentionsOf(workspace),
          isNew: ({ id }) => workspace.hubs.mentions.has(id),
          holdsAllNew: (items) => workspace.hubs.mentions.ids.value.isSubsetOf(new Set(items.map(({ id }) => id))),
        }),
      }),
    [workspace],
  );
  feed.locationKey = key;
  return (
    <main class="main" id="main">
      <PageBar title="Mentions">
        {feed.list.items.value.length > 0 && (
          <Button
            look="is-bare is-small"
            icon={<CheckCheck />}
            label="Mark all read"
            onClick={() => {
              feed.held.value = new Set();
              void markAllRead(workspace);
            }}
          />
        )}
      </PageBar>
      <Feed
        feed={feed}
        label="Mentions and replies to you"
        empty={
          <EmptyState
            art={<EmptyArt />}
            title="No mentions yet"
            text={`Posts with @${workspace.me.value.name} and replies in your threads appear here.`}
          />
        }
      />
    </main>
  );
}

async function markAllRead({ hubs }: Workspace): Promise<void> {
  try {
    await hubs.mentions.markAllRead();
  } catch (error) {
    toast(`Couldn’t mark everything as read. ${errorMessage(error)}`, { isBad: true });
  }
}
