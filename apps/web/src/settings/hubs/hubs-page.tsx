import Plus from 'icon:plus';
import type { Hub } from '@hub/contract';
import { useState } from 'preact/hooks';
import { useResource } from '../../data/use-resource.ts';
import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { NewHubDialog } from '../../frame/new-hub-dialog.tsx';
import { route } from '../../router/location.ts';
import { useWorkspace } from '../../workspace/workspace.ts';
import { PageHead } from '../page-head.tsx';
import { useHeadFocus } from '../use-head-focus.ts';
import { HubSettings } from './hub-settings.tsx';
import { loadSettingsHubs } from './hubs-list.ts';
import { HubsTable } from './hubs-table.tsx';

/** The list of Hubs that the user can see, or one Hub with `?hub=hub_…`. */
export function HubsPage() {
  const isAdmin = useWorkspace().me.value.role !== 'member';
  const hubId = route.value.query.get('hub');
  const { state, reload } = useResource((signal) => loadSettingsHubs(isAdmin, signal), {
    key: String(isAdmin),
    topics: ['hubs', 'people', 'keys'],
  });
  useHeadFocus(hubId ?? '');
  if (state.status === 'loading') return <Loading />;
  if (state.status === 'failed') {
    return (
      <div class="settings-in">
        <PageHead title="Hubs" />
        <ErrorNotice text={state.text} onRetry={reload} />
      </div>
    );
  }
  if (hubId === null) return <AllHubs hubs={state.value} onChanged={reload} />;
  const hub = state.value.find(({ id }) => id === hubId);
  return hub ? <HubSettings key={hub.id} hub={hub} onChanged={reload} /> : <HubNotFound />;
}

function AllHubs({ hubs, onChanged }: { hubs: readonly Hub[]; onChanged: () => Promise<void> }) {
  const isAdmin = useWorkspace().me.value.role !== 'member';
  const [isCreating, setCreating] = useState(false);
  const [areDeletedShown, setDeletedShown] = useState(false);
  const live = hubs.filter(({ deletedAt }) => deletedAt === null);
  const deleted = hubs.filter(({ deletedAt }) => deletedAt !== null);
  const about = isAdmin
    ? 'All Hubs in this workspace. You manage all of them and can read the ones you’re a member of.'
    : 'The Hubs you’re a member of. Admins create Hubs and add members.';
  return (
    <div class="settings-in">
      <PageHead title="Hubs" about={about}>
        {isAdmin && (
          <button class="btn is-main" type="button" onClick={() => setCreating(true)}>
            <Plus /> New Hub
          </button>
        )}
      </PageHead>
      {deleted.length > 0 && (
        <div class="filters" role="group" aria-label="Filters">
          <button
            class="pill"
            type="button"
            aria-pressed={areDeletedShown}
            onClick={() => setDeletedShown(!areDeletedShown)}
          >
            Show deleted <span class="num">{deleted.length}</span>
          </button>
        </div>
      )}
      {live.length === 0 && !areDeletedShown ? (
        <div class="empty">
          <p>
            {isAdmin ? 'No Hubs yet. Create the first one.' : 'You’re not in any Hubs yet. Ask an admin to add you.'}
          </p>
        </div>
      ) : (
        <HubsTable hubs={areDeletedShown ? [...live, ...deleted] : live} onChanged={onChanged} />
      )}
      {isCreating && <NewHubDialog onClose={() => setCreating(false)} />}
    </div>
  );
}

function HubNotFound() {
  return (
    <div class="settings-in">
      <PageHead
        title="Hub not found"
        about="The Hub may have been deleted, or you may no longer be a member. Ask an admin."
      />
      <a class="btn" href="/settings/hubs">
        All Hubs
      </a>
    </div>
  );
}
