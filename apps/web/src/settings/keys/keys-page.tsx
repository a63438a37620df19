import Plus from 'icon:plus';
import type { ApiKey } from '@hub/contract';
import { useMemo, useState } from 'preact/hooks';
import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { EmptyArt } from '../../icons/empty-art.tsx';
import { navigate, route, withQuery } from '../../router/location.ts';
import { now } from '../../time/now.ts';
import { useWorkspace } from '../../workspace/workspace.ts';
import { useWorkspaceSettings } from '../issue-key/use-issue-key.ts';
import { PageHead } from '../page-head.tsx';
import { useRowFocus } from '../use-row-focus.ts';
import type { KeyAction, StartAction } from './actions.ts';
import { groupKeys, type KeyFilter, readKeyFilter } from './group-keys.ts';
import { HubKeysTable } from './hub-keys-table.tsx';
import { KeyActions } from './key-actions.tsx';
import type { TableActions } from './key-detail.tsx';
import { KeyDoctor } from './key-doctor.tsx';
import { KeyFilters } from './key-filters.tsx';
import { useKeyList } from './key-list.ts';

const ABOUT = 'A key lets one program post to one Hub. It can’t read, change or delete anything.';

/** The keys that the user manages, grouped by Hub and updated live, with their actions. */
export function KeysPage() {
  const { me } = useWorkspace();
  const isAdmin = me.value.role !== 'member';
  const list = useKeyList();
  const [action, setAction] = useState<KeyAction | null>(null);
  useRowFocus({
    subject: action && 'key' in action ? action.key : null,
    isOpen: action !== null,
    list: list.keys,
  });
  const filter = readKeyFilter(route.value.query);
  const onChanged = (key: ApiKey | null) => {
    if (key) list.put(key);
    void list.reload();
  };
  const take = (next: KeyAction | null) => {
    setAction(next);
    // A test post may have been the first use of a new key.
    if (next === null) void list.reloadWithUsage();
  };
  const issue = () => setAction({ kind: 'issue', ...(filter.hubId === null ? {} : { hubId: filter.hubId }) });
  return (
    <div class="settings-in">
      <div class="keys-page">
        <PageHead title="API keys" about={ABOUT}>
          {list.keys && (
            <button class="btn is-main" type="button" onClick={issue}>
              <Plus size="s" /> Issue a key
            </button>
          )}
        </PageHead>
        <Body list={list} filter={filter} startAction={setAction} isAdmin={isAdmin} />
        <KeyActions action={action} onAction={take} onChanged={onChanged} isAdmin={isAdmin} />
      </div>
    </div>
  );
}

interface BodyProps {
  list: ReturnType<typeof useKeyList>;
  filter: KeyFilter;
  startAction: StartAction;
  isAdmin: boolean;
}

function Body({ list: { state, keys, reloadWithUsage }, ...props }: BodyProps) {
  if (state.status === 'loading') return <Loading what="Loading keys" />;
  if (state.status === 'failed') return <ErrorNotice text={state.text} onRetry={reloadWithUsage} />;
  if (!keys) return <AdminsOnly />;
  return <Keys {...props} keys={keys} onEnd={() => void reloadWithUsage()} />;
}

interface KeysProps extends Omit<BodyProps, 'list'> {
  keys: readonly ApiKey[];
  onEnd: () => void;
}

function Keys({ keys, filter, startAction, isAdmin, onEnd }: KeysProps) {
  const maxDays = useWorkspaceSettings(['workspace'])?.longestKeyLifetimeDays ?? null;
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
  const actions: TableActions = { startAction, isAdmin, openId, open, openCount, find, onEnd, maxDays };
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
