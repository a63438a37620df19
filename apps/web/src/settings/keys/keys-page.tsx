import Plus from 'icon:plus';
import type { ApiKey } from '@hub/contract';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { hasAttention } from '../../hub/attention.ts';
import { EmptyArt } from '../../icons/empty-art.tsx';
import { navigate, place, withQuery } from '../../router/location.ts';
import { now } from '../../time/now.ts';
import { useWorkspaceChanges } from '../../workspace/use-workspace-changes.ts';
import { useWorkspace } from '../../workspace/workspace.ts';
import { PageHead } from '../page-head.tsx';
import { useFresh } from '../use-fresh.ts';
import { useRowFocus } from '../use-row-focus.ts';
import type { Begin, KeyAction } from './actions.ts';
import { groupKeys, type KeyFilter, readKeyFilter } from './group-keys.ts';
import { HubKeysTable, type TableActions } from './hub-keys-table.tsx';
import { KeyActions } from './key-actions.tsx';
import { KeyDoctor } from './key-doctor.tsx';
import { KeyFilters } from './key-filters.tsx';
import { KeyList, type KeyListState } from './key-list.ts';
import { maxLifetime } from './successor-body.ts';

const ABOUT =
  'A key lets one program post into one Hub. It can only create: it cannot read, change or delete anything.';

/** Every key that the reader manages, by Hub; live, with all that can be done with them. */
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
  const filter = readKeyFilter(place.value.query);
  const onChanged = (key: ApiKey | null) => {
    if (key) list.put(key);
    void list.load({ withUse: false });
  };
  const take = (next: KeyAction | null) => {
    setAction(next);
    // A test post was the first use of a new key.
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
          begin={setAction}
          isAdmin={isAdmin}
          onAgain={() => void list.load({ withUse: true })}
        />
        <KeyActions action={action} onAction={take} onChanged={onChanged} isAdmin={isAdmin} />
      </div>
    </div>
  );
}

/** Loaded at first with the use by day, and so again each minute that somebody looks; without it whenever somebody did something. */
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

/** `null` for no limit, and until it is known. */
function useMaxLifetime(): number | null {
  const { state } = useFresh(maxLifetime, ['workspace']);
  return state.status === 'ready' ? state.value : null;
}

interface BodyProps {
  state: KeyListState;
  filter: KeyFilter;
  begin: Begin;
  isAdmin: boolean;
  onAgain: () => void;
}

function Body({ state, filter, begin, isAdmin, onAgain }: BodyProps) {
  if (state.status === 'loading') return <Loading what="Loading the keys" />;
  if (state.status === 'failed') return <ErrorNotice text={state.text} onAgain={onAgain} />;
  if (state.status === 'forbidden') return <NotYours />;
  return <Keys keys={state.keys} filter={filter} begin={begin} isAdmin={isAdmin} onAgain={onAgain} />;
}

function Keys({ keys, filter, begin, isAdmin, onAgain }: Omit<BodyProps, 'state'> & { keys: readonly ApiKey[] }) {
  const maxDays = useMaxLifetime();
  const openId = place.value.query.get('key');
  const minute = now.value;
  const filterKey = JSON.stringify(filter);
  const groups = useMemo(() => groupKeys(keys, filter, Date.now()), [keys, filterKey, minute]);
  const [askedCount, setAskedCount] = useState(0);
  const open = (id: string | null) => {
    openKey(id, keys, filter);
    setAskedCount((last) => last + 1);
  };
  const byId = useMemo(() => new Map(keys.map((key) => [key.id, key])), [keys]);
  const find = (id: string | null) => (id === null ? undefined : byId.get(id));
  const actions: TableActions = { begin, isAdmin, openId, open, askedCount, find, onEnd: onAgain, maxDays };
  const inHub = filter.hubId === null ? keys : keys.filter(({ hubId }) => hubId === filter.hubId);
  return (
    <>
      <KeyDoctor keys={inHub} maxDays={maxDays} begin={begin} open={open} />
      {(keys.length > 0 || filter.hubId !== null) && <KeyFilters keys={keys} filter={filter} />}
      {groups.map((hub) => (
        <HubKeysTable key={hub.hubId} hub={hub} actions={actions} />
      ))}
      {groups.length === 0 && <Nothing isFiltered={inHub.length > 0} filter={filter} begin={begin} />}
    </>
  );
}

/** Its details stand in the address. What the filter hides is not hidden for it. */
function openKey(id: string | null, keys: readonly ApiKey[], filter: KeyFilter): void {
  const query = new URLSearchParams(place.peek().query);
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

function Nothing({ isFiltered, filter, begin }: { isFiltered: boolean; filter: KeyFilter; begin: Begin }) {
  const { hubs } = useWorkspace();
  const hubName = filter.hubId === null ? undefined : hubs.find(filter.hubId)?.name;
  if (isFiltered) {
    return (
      <div class="empty">
        <h2>No key is like that</h2>
        <p>{filter.isWithOver ? 'Choose other filters.' : 'Those that have ended are hidden.'}</p>
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
      <h2>{hubName === undefined ? 'No keys yet' : `Nothing posts into ${hubName} yet`}</h2>
      <p>Issue a key, give it to a program, and what it posts appears here and in its Hub.</p>
      <div class="actions">
        <button
          class="btn"
          type="button"
          onClick={() => begin({ kind: 'issue', ...(filter.hubId === null ? {} : { hubId: filter.hubId }) })}
        >
          Issue a key
        </button>
      </div>
    </div>
  );
}

function NotYours() {
  return (
    <div class="empty">
      <EmptyArt />
      <h2>Only admins manage keys here</h2>
      <p>The owners and admins of this workspace issue, rotate and revoke its keys. Ask one of them.</p>
    </div>
  );
}
