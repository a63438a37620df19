import { useState } from 'preact/hooks';
import { FirstCommands } from '../frame/first-commands.tsx';
import { EmptyArt } from '../icons/empty-art.tsx';
import { navigate, place, withQuery } from '../router/location.ts';
import { later } from '../ui/lazy.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { isFiltering, readFilter, type StreamFilter, writeFilter } from './stream-filter.ts';

const NewHubDialog = later(async () => (await import('../frame/new-hub-dialog.tsx')).NewHubDialog);

/** Why the Stream is empty, and what one can do. */
export function NothingInStream({ filter }: { filter: StreamFilter }) {
  const { hubs } = useWorkspace();
  if (isFiltering(filter)) return <NothingFits isUnreadOnly={filter.isUnread} />;
  if (hubs.isLoaded.value && hubs.mine.value.length === 0) return <NoHubs />;
  return (
    <div class="empty">
      <EmptyArt />
      <h2>Nothing has arrived yet</h2>
      <p>What programs and people write into your Hubs stands here, newest on top.</p>
      <FirstCommands hub={hubs.mine.value[0]} />
    </div>
  );
}

function NothingFits({ isUnreadOnly }: { isUnreadOnly: boolean }) {
  const showAll = () => {
    navigate(withQuery(writeFilter(place.peek().query, readFilter(new URLSearchParams()))));
  };
  return (
    <div class="empty">
      <h2>{isUnreadOnly ? 'Nothing is unread here' : 'Nothing fits these filters'}</h2>
      <div class="actions">
        <button class="btn" type="button" onClick={showAll}>
          Show everything
        </button>
      </div>
    </div>
  );
}

function NoHubs() {
  const { me } = useWorkspace();
  const [isMaking, setMaking] = useState(false);
  const mayMake = me.value.role !== 'member';
  return (
    <>
      <div class="empty">
        <EmptyArt />
        <h2>You're not in any Hubs yet</h2>
        <p>
          {mayMake ? 'Create the first one, for a team, a product or a kind of alert.' : 'An admin can add you to one.'}
        </p>
        {mayMake && (
          <div class="actions">
            <button class="btn is-main" type="button" onClick={() => setMaking(true)}>
              Create Hub
            </button>
          </div>
        )}
      </div>
      {/* Outside, where its texts are not those of an empty page. */}
      {isMaking && <NewHubDialog onClose={() => setMaking(false)} />}
    </>
  );
}
