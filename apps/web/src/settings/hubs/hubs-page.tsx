import Plus from 'icon:plus';
import type { Hub } from '@hub/contract';
import { useState } from 'preact/hooks';
import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { NewHubDialog } from '../../frame/new-hub-dialog.tsx';
import { place } from '../../router/location.ts';
import { useWorkspace } from '../../workspace/workspace.ts';
import { PageHead } from '../page-head.tsx';
import { useFresh } from '../use-fresh.ts';
import { useHeadFocus } from '../use-head-focus.ts';
import { HubSettings } from './hub-settings.tsx';
import { loadSettingsHubs } from './hubs-list.ts';
import { HubsTable } from './hubs-table.tsx';

/** Every Hub that one may know of, or one of them: `?hub=hub_…`. */
export function HubsPage() {
  const isAdmin = useWorkspace().me.value.role !== 'member';
  const hubId = place.value.query.get('hub');
  const { state, reload } = useFresh(() => loadSettingsHubs(isAdmin), ['hubs', 'people', 'keys'], String(isAdmin));
  useHeadFocus(hubId ?? '');
  if (state.status === 'loading') return <Loading />;
  if (state.status === 'failed') {
    return (
      <div class="settings-in">
        <PageHead title="Hubs" />
        <ErrorNotice text={state.text} onAgain={reload} />
      </div>
    );
  }
  if (hubId === null) return <AllHubs hubs={state.value} onChanged={reload} />;
  const hub = state.value.find(({ id }) => id === hubId);
  return hub ? <HubSettings key={hub.id} hub={hub} onChanged={reload} /> : <NoSuchHub />;
}

function AllHubs({ hubs, onChanged }: { hubs: readonly Hub[]; onChanged: () => Promise<void> }) {
  const isAdmin = useWorkspace().me.value.role !== 'member';
  const [isMaking, setMaking] = useState(false);
  const [areDeletedShown, setDeletedShown] = useState(false);
  const live = hubs.filter(({ deletedAt }) => deletedAt === null);
  const deleted = hubs.filter(({ deletedAt }) => deletedAt !== null);
  const about = isAdmin
    ? 'Every Hub of the workspace. You manage them all, and read those to which you belong.'
    : 'The Hubs to which you belong. Admins make Hubs and add people.';
  return (
    <div class="settings-in">
      <PageHead title="Hubs" about={about}>
        {isAdmin && (
          <button class="btn is-main" type="button" onClick={() => setMaking(true)}>
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
            With deleted <span class="num">{deleted.length}</span>
          </button>
        </div>
      )}
      {live.length === 0 && !areDeletedShown ? (
        <div class="empty">
          <p>
            {isAdmin
              ? 'There is no Hub yet. Make the first one.'
              : 'You belong to no Hub yet. Ask an admin to add you.'}
          </p>
        </div>
      ) : (
        <HubsTable hubs={areDeletedShown ? [...live, ...deleted] : live} onChanged={onChanged} />
      )}
      {isMaking && <NewHubDialog onClose={() => setMaking(false)} />}
    </div>
  );
}

function NoSuchHub() {
  return (
    <div class="settings-in">
      <PageHead
        title="There is no such Hub"
        about="It may have been deleted, or you do not belong to it any more. An admin knows."
      />
      <a class="btn" href="/settings/hubs">
        All Hubs
      </a>
    </div>
  );
}
