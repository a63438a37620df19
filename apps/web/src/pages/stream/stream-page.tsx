import CheckCheck from 'icon:check-check';
import { useMemo } from 'preact/hooks';
import type { Hubs } from '../../data/hubs/hubs.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { errorMessage } from '../../data/request.ts';
import { route } from '../../lib/router/location.ts';
import { PageBar } from '../../ui/page/page-bar.tsx';
import { toast } from '../../ui/toast.tsx';
import { EmptyStream } from './empty-stream.tsx';
import { Feed } from './feed.tsx';
import { type KeptFeed, takeFeed } from './kept-feed.ts';
import { readFilter } from './stream-filter.ts';
import { holdsAllUnread, streamOf } from './stream-list.ts';
import { StreamToolbar } from './stream-toolbar.tsx';

/** The items of all the user's Hubs, newest first. */
export function StreamPage() {
  const workspace = useWorkspace();
  const { hubs } = workspace;
  const { query, key } = route.value;
  const filter = readFilter(query);
  const name = `stream ${JSON.stringify(filter)}`;
  const feed = useMemo(
    () =>
      takeFeed(workspace, {
        name,
        locationKey: key,
        isForBackOnly: filter.isUnread,
        make: (known) => ({
          list: streamOf(workspace, filter, known),
          isNew: (item) => hubs.isUnread(item) || hubs.mentions.has(item.id),
          holdsAllNew: (items) => holdsAllUnread(hubs, filter, items),
        }),
      }),
    [workspace, name],
  );
  feed.locationKey = key;
  return (
    <main class="main" id="main">
      <PageBar title="Stream">
        <button class="btn is-bare is-small" type="button" onClick={() => void markAllRead(hubs, feed)}>
          <CheckCheck /> Mark all read
        </button>
      </PageBar>
      <Feed
        key={name}
        feed={feed}
        label="Posts from your Hubs"
        toolbar={<StreamToolbar filter={filter} list={feed.list} />}
        empty={<EmptyStream filter={filter} />}
      />
    </main>
  );
}

async function markAllRead(hubs: Hubs, { held }: KeptFeed): Promise<void> {
  held.value = new Set();
  const marks = hubs.mine.peek().map(({ id, seq }) => hubs.markRead(id, seq));
  marks.push(hubs.mentions.markAllRead());
  const failed = (await Promise.allSettled(marks)).find((mark) => mark.status === 'rejected');
  if (failed) toast(`Couldn't mark everything as read. ${errorMessage(failed.reason)}`, { isBad: true });
}
