import { useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { navigate, route, withQuery } from '../../lib/router/location.ts';
import { EmptyArt } from '../../ui/icons/empty-art.tsx';
import { FirstCommands } from '../../ui/items/first-commands.tsx';
import { lazy } from '../../ui/page/lazy.tsx';
import { isFiltering, readFilter, type StreamFilter, writeFilter } from './stream-filter.ts';

const NewHubDialog = lazy(async () => (await import('../new-hub/new-hub-dialog.tsx')).NewHubDialog);

/** The empty states of the Stream. */
export function EmptyStream({ filter }: { filter: StreamFilter }) {
  const { hubs } = useWorkspace();
  if (isFiltering(filter)) return <NoMatches isUnreadOnly={filter.isUnread} />;
  if (hubs.isLoaded.value && hubs.mine.value.length === 0) return <NoHubs />;
  return (
    <div class="empty">
      <EmptyArt />
      <h2>No posts yet</h2>
      <p>New posts from all your Hubs appear here.</p>
      <FirstCommands hub={hubs.mine.value[0]} />
    </div>
  );
}

function NoMatches({ isUnreadOnly }: { isUnreadOnly: boolean }) {
  const showAll = () => {
    navigate(withQuery(writeFilter(route.peek().query, readFilter(new URLSearchParams()))));
  };
  return (
    <div class="empty">
      <h2>{isUnreadOnly ? "You're all caught up" : 'No posts match these filters'}</h2>
      <div class="actions">
        <button class="btn" type="button" onClick={showAll}>
          Show all posts
        </button>
      </div>
    </div>
  );
}

function NoHubs() {
  const { me } = useWorkspace();
  const [isCreating, setCreating] = useState(false);
  const canCreate = me.value.role !== 'member';
  return (
    <>
      <div class="empty">
        <EmptyArt />
        <h2>You're not in any Hubs yet</h2>
        <p>
          {canCreate
            ? 'Create the first one, for a team, a product or a kind of alert.'
            : 'An admin can add you to one.'}
        </p>
        {canCreate && (
          <div class="actions">
            <button class="btn is-main" type="button" onClick={() => setCreating(true)}>
              Create Hub
            </button>
          </div>
        )}
      </div>
      {/* Outside the box, whose text styles are for an empty page. */}
      {isCreating && <NewHubDialog onClose={() => setCreating(false)} />}
    </>
  );
}
