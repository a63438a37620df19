import { useMemo } from 'preact/hooks';
import { PageBar } from '../frame/page-bar.tsx';
import { EmptyArt } from '../icons/empty-art.tsx';
import { place } from '../router/location.ts';
import { Feed } from '../stream/feed.tsx';
import { takeFeed } from '../stream/kept-feed.ts';
import { mentionsOf } from '../stream/stream-list.ts';
import { useWorkspace } from '../workspace/workspace.ts';

/** What names whoever is signed in, newest first. */
export function MentionsPage() {
  const workspace = useWorkspace();
  const { key } = place.value;
  const feed = useMemo(
    () =>
      takeFeed(workspace, {
        name: 'mentions',
        placeKey: key,
        isForBackOnly: false,
        make: () => mentionsOf(workspace),
      }),
    [workspace],
  );
  feed.placeKey = key;
  return (
    <main class="main" id="main">
      <PageBar title="Mentions" />
      <Feed
        feed={feed}
        label="What names you"
        empty={
          <div class="empty">
            <EmptyArt />
            <h2>Nobody has named you yet</h2>
            <p>Where somebody writes @{workspace.me.value.name}, you find it here.</p>
          </div>
        }
      />
    </main>
  );
}
