import Plus from 'icon:plus';
import type { ApiKey } from '@hub/contract';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { hasAttention } from '../../hub/attention.ts';
import { EmptyArt } from '../../icons/empty-art.tsx';
import { navigate, route, withQuery } from '../../router/location.ts';
import { now } from '../../time/now.ts';
import { useWorkspaceChanges } from '../../workspace/use-workspace-changes.ts';
import { useWorkspace } from '../../workspace/workspace.ts';
import { PageHead } from '../page-head.tsx';
import { useFresh } from '../use-fresh.ts';
import { useRowFocus } from '../use-row-focus.ts';
import type { KeyAction, StartAction } from './actions.ts';
import { groupKeys, type KeyFilter, readKeyFilter } from './group-keys.ts';
import { HubKeysTable } from './hub-keys-table.tsx';
import { KeyActions } from './key-actions.tsx';
import type { TableActions } from './key-detail.tsx';
import { KeyDoctor } from './key-doctor.tsx';
import { KeyFilters } from './key-filters.tsx';
import { KeyList, type KeyListState } from './key-list.ts';
import { maxLifetime } from './successor-body.ts';

const ABOUT = 'A key lets one program post to one Hub. It can’t read, change or delete anything.';

/** The keys that the user manages, grouped by Hub and updated live, with their actions. */
export function KeysPage() {
  const { me } = useWorkspace();
  const isAdmin = me.value.role !== 'member';
  const list = useKeyList();
  const [action, setAction] = useState<KeyAction | null>(null);
  const state = list.state.value;
  useRowFocus({
    subject: action && 'key' in action ? action.key : null,
    isOpen: action !== null,
    list: state.status === 'ready' ? state.keys : null,
  });
  const filter = readKeyFilter(route.value.query);
  const onChanged = (key: ApiKey | null) => {
    if (key) list.put(key);
    void list.load({ withUse: false });
  };
  const take = (next: KeyAction | null) => {
    setAction(next);
    // A test post may have been the first use of a new key.
    if (next === null) void list.load({ withUse: true });
  };
  const issue = () => setAction({ kind: 'issue', ...(filter.hubId === null ? {} : { hubId: filter.hubId }) });
  return (
    <div class="settings-in">
      <div class="keys-page">
        <PageHead title="API keys" about={ABOUT}>
          {state.status === 'ready' && (
            <button class="btn is-main" type="button" onClick={issue}>
              <Plus size="s" /> Issue a key
            </button>
          )}
        </PageHead>
        <Body
          state={state}
          filter={filter}
          startAction={setAction}
          isAdmin={isAdmin}
          onRetry={() => void list.load({ withUse: true })}
        />
        <KeyActions action={action} onAction={take} onChanged={onChanged} isAdmin={isAdmin} />
      </div>
    </div>
  );
}

/** Loads keys with daily usage at first and every minute while the page is visible; without usage after each change. */
function useKeyList(): KeyList {
  const list = useMemo(() => new KeyList(), []);
  const minute = now.value;
  const isWatched = hasAttention.value;
  useEffect(() => {
    if (isWatched || list.state.peek().status === 'loading') void list.load({ withUse: true });
  }, [minute, isWatched]);
  useWorkspaceChanges(['keys', 'hubs', 'people', 'workspace'], () => void list.load({ withUse: false }));
  return list;
}

/** Returns the maximum lifetime in days; `null` for no limit and until it is loaded. */
function useMaxLifetime(): number | null {
  const { state } = useFresh(maxLifetime, ['workspace']);
  return state.status === 'ready' ? state.value : null;
}

interface BodyProps {
  state: KeyListState;
  filter: KeyFilter;
  startAction: StartAction;
  isAdmin: boolean;
  onRetry: () => void;
}

function Body({ state, filter, startAction, isAdmin, onRetry }: BodyProps) {
  if (state.status === 'loading') return <Loading what="Loading keys" />;
  if (state.status === 'failed') return <ErrorNotice text={state.text} onRetry={onRetry} />;
  if (state.status === 'forbidden') return <AdminsOnly />;
  return <Keys keys={state.keys} filter={filter} startAction={startAction} isAdmin={isAdmin} onRetry={onRetry} />;
}

function Keys({ keys, filter, startAction, isAdmin, onRetry }: Omit<BodyProps, 'state'> & { keys: readonly ApiKey[] }) {
  const maxDays = useMaxLifetime();
  const openId = route.value.query.get('key');
  const minute = now.value;
  const filterKey = JSON.stringify(filter);
  const groups = useMemo(() => groupKeys(keys, filter, Date.now()), [keys, filterKey, minute]);
  const [openCount, setOpenCount] = useState(0);
  const open = (id: string | null) => {
    openKey(id, keys, filter);
    setOpenCount((last) => last + 1);
  };
  const byId = useMemo(() => new Map(keys.map((key) => [key.id, key])), [keys]);
  const find = (id: string | null) => (id === null ? undefined : byId.get(id));
  const actions: TableActions = { startAction, isAdmin, openId, open, openCount, find, onEnd: onRetry, maxDays };
  const inHub = filter.hubId === null ? keys : keys.filter(({ hubId }) => hubId === filter.hubId);
  return (
    <>
      <KeyDoctor keys={inHub} maxDays={maxDays} startAction={startAction} open={open} />
      {(keys.length > 0 || filter.hubId !== null) && <KeyFilters keys={keys} filter={filter} />}
      {groups.map((hub) => (
        <HubKeysTable key={hub.hubId} hub={hub} actions={actions} />
      ))}
      {groups.length === 0 && <EmptyList isFiltered={inHub.length > 0} filter={filter} startAction={startAction} />}
    </>
  );
}

/** Opens the details of a key, kept in the URL. Widens the filter if it hides the key. */
function openKey(id: string | null, keys: readonly ApiKey[], filter: KeyFilter): void {
  const query = new URLSearchParams(route.peek().query);
  if (id === null) query.delete('key');
  else query.set('key', id);
  const key = keys.find((each) => each.id === id);
  const isShown =
    key &&
    groupKeys(keys, filter, Date.now()).some(({ lines }) =>
      lines.some((line) => line.key === key || line.old.includes(key)),
    );
  if (key && !isShown) {
    for (const name of ['state', 'name', 'hub']) query.delete(name);
    query.set('over', 'true');
  }
  navigate(withQuery(query), { replace: true });
}

function EmptyList({
  isFiltered,
  filter,
  startAction,
}: {
  isFiltered: boolean;
  filter: KeyFilter;
  startAction: StartAction;
}) {
  const { hubs } = useWorkspace();
  const hubName = filter.hubId === null ? undefined : hubs.find(filter.hubId)?.name;
  if (isFiltered) {
    return (
      <div class="empty">
        <h2>No matching keys</h2>
        <p>{filter.isWithOver ? 'Change the filters.' : 'Revoked and expired keys are hidden.'}</p>
        <div class="actions">
          <a class="btn" href={`/settings/keys?over=true${filter.hubId === null ? '' : `&hub=${filter.hubId}`}`}>
            Show all keys
          </a>
        </div>
      </div>
    );
  }
  return (
    <div class="empty">
      <EmptyArt />
      <h2>{hubName === undefined ? 'No keys yet' : `No keys for ${hubName} yet`}</h2>
      <p>Issue a key and give it to a program. Its posts appear in the Hub.</p>
      <div class="actions">
        <button
          class="btn"
          type="button"
          onClick={() => startAction({ kind: 'issue', ...(filter.hubId === null ? {} : { hubId: filter.hubId }) })}
        >
          Issue a key
        </button>
      </div>
    </div>
  );
}

function AdminsOnly() {
  return (
    <div class="empty">
      <EmptyArt />
      <h2>Only admins can manage keys</h2>
      <p>Ask an admin of this workspace to issue, rotate or revoke a key.</p>
    </div>
  );
}
