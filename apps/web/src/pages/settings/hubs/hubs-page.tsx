import type { Hub } from '@hub/contract';
import { ArchiveRestore, CircleDot, Plus, Trash2 } from 'icons';
import { useEffect, useState } from 'preact/hooks';
import { useResource, useWorkspace } from '../../../data/live/workspace.ts';
import { allPages } from '../../../data/request.ts';
import { countOf } from '../../../lib/count-text.ts';
import { withName } from '../../../lib/matching.ts';
import { byName } from '../../../lib/names.ts';
import { navigate, route, withQuery } from '../../../lib/router/location.ts';
import { withParameters } from '../../../lib/router/urls.ts';
import { Button } from '../../../ui/button.tsx';
import { Loaded, PageBody } from '../../../ui/forms/page-body.tsx';
import { type Column, Named, RowButton, SettingsList } from '../../../ui/forms/table.tsx';
import { When } from '../../../ui/items/when.tsx';
import { EmptyState } from '../../../ui/page/load-states.tsx';
import { NewHubDialog } from '../../new-hub/new-hub-dialog.tsx';
import { retentionLabel } from '../settings-texts.ts';
import { HubSettings, useRestoration } from './hub-settings.tsx';

/** The list of Hubs that the user can see, or one Hub with `?hub=hub_…`. */
export function HubsPage() {
  const isAdmin = useWorkspace().me.value.role !== 'member';
  const hubId = route.value.query.get('hub');
  // Admins also get deleted Hubs.
  const load = (signal: AbortSignal) =>
    allPages('GET /hubs', { query: { include: 'counts', state: isAdmin ? 'all' : null }, signal });
  const { state, reload } = useResource(async (signal) => (await load(signal)).sort(byName), {
    key: String(isAdmin),
    topics: ['hubs', 'users', 'keys'],
  });
  useHeadFocus(hubId ?? '');
  if (state.status !== 'ready') {
    return (
      <PageBody title="Hubs">
        <Loaded state={state} onRetry={reload}>
          {() => null}
        </Loaded>
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
  const { restore, dialog } = useRestoration(onChanged);
  const columns: readonly Column<Hub>[] = [
    {
      title: 'Hub',
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
      at: 'actions',
      cell: (hub) => hub.deletedAt !== null && <Deleted hub={hub} onRestore={() => restore(hub)} />,
    },
  ];
  return (
    <PageBody
      title="Hubs"
      about={
        isAdmin
          ? 'All Hubs in this workspace. You manage all of them and can read the ones you’re a member of.'
          : 'The Hubs you’re a member of. Admins create Hubs and add members.'
      }
      action={isAdmin && <Button variant="is-main" icon={<Plus />} label="New Hub" onClick={() => setCreating(true)} />}
    >
      <SettingsList
        title="Hubs"
        variant="hubs"
        find={hubs.length >= MANY || text !== '' ? { label: 'Find a Hub', value: text, onValue: setText } : undefined}
        toggle={{ label: 'Show deleted', count: deleted.length, isOn: areDeletedShown, onChange: showDeleted }}
        columns={columns}
        rows={withName(rows, text)}
        attributes={({ deletedAt }) => ({ class: deletedAt === null ? '' : 'is-quiet' })}
        empty={
          rows.length > 0 ? (
            <EmptyState title="No matching Hubs" />
          ) : (
            <EmptyState
              title={isAdmin ? 'No Hubs yet' : 'You’re not in any Hubs yet'}
              text={isAdmin ? 'Create the first one.' : 'Ask an admin to add you.'}
            />
          )
        }
      />
      {isCreating && <NewHubDialog onClose={() => setCreating(false)} />}
      {dialog}
    </PageBody>
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
    const head = document.querySelector<HTMLElement>('#main h1');
    if (head) head.tabIndex = -1;
    head?.focus({ preventScroll: true });
  }, [key]);
}
