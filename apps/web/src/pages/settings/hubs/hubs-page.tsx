import type { Hub } from '@hub/contract';
import { ArchiveRestore, CircleDot, Plus, Trash2 } from 'icons';
import { useEffect, useState } from 'preact/hooks';
import { useResource } from '../../../data/live/use-resource.ts';
import { useWorkspace } from '../../../data/live/workspace.ts';
import { countOf } from '../../../lib/count-text.ts';
import { withName } from '../../../lib/names.ts';
import { navigate, route, withQuery } from '../../../lib/router/location.ts';
import { withParameters } from '../../../lib/router/query.ts';
import { Button } from '../../../ui/button.tsx';
import { TogglePill } from '../../../ui/forms/choices.tsx';
import { FindField } from '../../../ui/forms/find-field.tsx';
import { PageBody } from '../../../ui/forms/page-body.tsx';
import { type Column, Named, RowButton, Table } from '../../../ui/forms/table.tsx';
import { focusHead } from '../../../ui/forms/use-row-focus.ts';
import { When } from '../../../ui/items/when.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { ErrorNotice, Loading } from '../../../ui/page/load-states.tsx';
import { NewHubDialog } from '../../new-hub/new-hub-dialog.tsx';
import { HubSettings, RestoreHubDialog } from './hub-settings.tsx';
import { loadSettingsHubs, retentionLabel } from './hubs-list.ts';

/** The list of Hubs that the user can see, or one Hub with `?hub=hub_…`. */
export function HubsPage() {
  const isAdmin = useWorkspace().me.value.role !== 'member';
  const hubId = route.value.query.get('hub');
  const { state, reload } = useResource((signal) => loadSettingsHubs(isAdmin, signal), {
    key: String(isAdmin),
    topics: ['hubs', 'users', 'keys'],
  });
  useHeadFocus(hubId ?? '');
  if (state.status === 'loading') return <Loading />;
  if (state.status === 'failed') {
    return (
      <PageBody title="Hubs">
        <ErrorNotice text={state.text} onRetry={reload} />
      </PageBody>
    );
  }
  if (hubId === null) return <AllHubs hubs={state.value} onChanged={reload} />;
  const hub = state.value.find(({ id }) => id === hubId);
  if (hub) return <HubSettings key={hub.id} hub={hub} onChanged={reload} />;
  return (
    <PageBody
      title="Hub not found"
      about="The Hub may have been deleted, or you may no longer be a member. Ask an admin."
    >
      <a class="btn" href="/settings/hubs">
        All Hubs
      </a>
    </PageBody>
  );
}

/** From this number on, the list has a field to find a Hub. */
const MANY = 6;

function AllHubs({ hubs, onChanged }: { hubs: readonly Hub[]; onChanged: () => Promise<void> }) {
  const isAdmin = useWorkspace().me.value.role !== 'member';
  const [isCreating, setCreating] = useState(false);
  const areDeletedShown = route.value.query.get('deleted') === 'true';
  const showDeleted = (isOn: boolean) => {
    const query = withParameters(route.peek().query, { deleted: isOn ? 'true' : null });
    navigate(withQuery(query), { replace: true });
  };
  useEffect(() => {
    if (areDeletedShown) document.querySelector('.hubs .is-quiet')?.scrollIntoView({ block: 'nearest' });
  }, [areDeletedShown]);
  const [text, setText] = useState('');
  const live = hubs.filter(({ deletedAt }) => deletedAt === null);
  const deleted = hubs.filter(({ deletedAt }) => deletedAt !== null);
  const rows = areDeletedShown ? [...live, ...deleted] : live;
  const matches = withName(rows, text);
  const hasFind = hubs.length >= MANY || text !== '';
  const about = isAdmin
    ? 'All Hubs in this workspace. You manage all of them and can read the ones you’re a member of.'
    : 'The Hubs you’re a member of. Admins create Hubs and add members.';
  return (
    <PageBody
      title="Hubs"
      about={about}
      action={isAdmin && <Button variant="is-main" icon={<Plus />} label="New Hub" onClick={() => setCreating(true)} />}
    >
      {(hasFind || deleted.length > 0) && (
        <div class="filters" role="group" aria-label="Filters">
          {hasFind && <FindField label="Find a Hub" value={text} onValue={setText} />}
          {deleted.length > 0 && (
            <TogglePill label="Show deleted" count={deleted.length} isOn={areDeletedShown} onChange={showDeleted} />
          )}
        </div>
      )}
      <p class="sr" role="status">
        {text.trim() !== '' && `${matches.length} found`}
      </p>
      {matches.length === 0 && rows.length > 0 && <EmptyState title="No matching Hubs" />}
      {rows.length === 0 ? (
        <EmptyState
          title={isAdmin ? 'No Hubs yet' : 'You’re not in any Hubs yet'}
          text={isAdmin ? 'Create the first one.' : 'Ask an admin to add you.'}
        />
      ) : (
        matches.length > 0 && <HubsTable hubs={matches} onChanged={onChanged} />
      )}
      {isCreating && <NewHubDialog onClose={() => setCreating(false)} />}
    </PageBody>
  );
}

function HubsTable({ hubs, onChanged }: { hubs: readonly Hub[]; onChanged: () => Promise<void> }) {
  const isAdmin = useWorkspace().me.value.role !== 'member';
  const [restored, setRestored] = useState<Hub | null>(null);
  const columns: readonly Column<Hub>[] = [
    {
      title: 'Hub',
      isTitleHidden: true,
      at: 'name',
      cell: ({ id, name, isMember }) => (
        <Named
          image={<CircleDot size="m" />}
          name={
            <a class="row-link" href={`/settings/hubs?hub=${id}`}>
              {name}
            </a>
          }
          sub={isAdmin && (isMember ? 'You’re a member' : 'You’re not a member')}
        />
      ),
    },
    {
      title: 'Members and keys',
      at: 'state',
      cell: ({ memberCount = 0, keyCount = null }) => (
        <>
          {countOf(memberCount, 'member')}
          {keyCount !== null && <span class="sub">{countOf(keyCount, 'key')}</span>}
        </>
      ),
    },
    {
      title: 'Keep items',
      at: 'used',
      cell: ({ retentionDays }) => (
        <>
          <span class="narrow-label">Keep items: </span>
          {retentionLabel(retentionDays)}
        </>
      ),
    },
    {
      title: 'State',
      isTitleHidden: true,
      at: 'actions',
      cell: (hub) => hub.deletedAt !== null && <Deleted hub={hub} onRestore={() => setRestored(hub)} />,
    },
  ];
  return (
    <>
      <h2 class="hub-head">
        Hubs <span class="num">{hubs.length}</span>
      </h2>
      <Table
        class="keys hubs"
        label="Hubs"
        columns={columns}
        rows={hubs}
        keyOf={({ id }) => id}
        attributes={({ deletedAt }) => ({ class: deletedAt === null ? '' : 'is-quiet' })}
      />
      {restored && <RestoreHubDialog hub={restored} onChanged={onChanged} onClose={() => setRestored(null)} />}
    </>
  );
}

function Deleted({ hub: { name, deletedAt }, onRestore }: { hub: Hub; onRestore: () => void }) {
  return (
    <div class="actions">
      <span class="with-time">
        <span class="state is-over">
          <Trash2 /> Deleted
        </span>{' '}
        <When at={deletedAt ?? ''} />
      </span>
      <RowButton label={`Restore ${name}`} onClick={onRestore}>
        <ArchiveRestore /> Restore
      </RowButton>
    </div>
  );
}

/** Moves the focus to the heading after navigation within a page, unless something already has it. */
function useHeadFocus(key: string): void {
  useEffect(() => {
    if (route.peek().key === 'first' || document.activeElement !== document.body) return;
    focusHead('#main h1');
  }, [key]);
}
