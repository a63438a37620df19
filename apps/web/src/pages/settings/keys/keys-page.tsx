import type { ApiKey } from '@hub/contract';
import { KEY_PREFIX } from '@hub/contract/key-token';
import { Activity, CircleDot, Plus, X } from 'icons';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useWorkspace, useWorkspaceSettings } from '../../../data/live/workspace.ts';
import { naturalOrder } from '../../../lib/names.ts';
import { route } from '../../../lib/router/location.ts';
import { now } from '../../../lib/time/format.ts';
import { Button } from '../../../ui/button.tsx';
import { TogglePill } from '../../../ui/forms/choices.tsx';
import { PageBody } from '../../../ui/forms/page-body.tsx';
import { EmptyArt } from '../../../ui/icons/art.tsx';
import { Choice } from '../../../ui/menu.tsx';
import { EmptyState, ErrorNotice, Loading } from '../../../ui/page/load-states.tsx';
import { groupKeys, isUrgent, type KeyFilter, keyFilters, STATES } from './group-keys.ts';
import { KeyActions } from './key-actions.tsx';
import { KEY_STATES } from './key-cells.tsx';
import type { KeyAction, KeysView } from './key-commands.tsx';
import { openKey, setQuery, useKeyList } from './key-list.ts';
import { HubKeysTable } from './keys-table.tsx';

const ALL_KEYS = keyFilters.read(new URLSearchParams());
const ABOUT = 'A key lets one program post to one Hub. It can’t read, change or delete anything.';

/** The keys that the user manages, grouped by Hub and updated live, with their actions. */
export function KeysPage() {
  const { me } = useWorkspace();
  const isAdmin = me.value.role !== 'member';
  const { state, keys, reload, reloadWithUsage } = useKeyList();
  const [action, setAction] = useState<KeyAction | null>(null);
  const filter = keyFilters.read(route.value.query);
  const issue = () => setAction({ kind: 'issue', ...(filter.hubId === null ? {} : { hubId: filter.hubId }) });
  return (
    <PageBody
      title="API keys"
      about={ABOUT}
      variant="keys-page"
      action={keys && <Button variant="is-main" icon={<Plus />} label="Issue a key" onClick={issue} />}
    >
      {state.status === 'loading' && <Loading what="Loading keys" />}
      {state.status === 'failed' && <ErrorNotice text={state.text} onRetry={reloadWithUsage} />}
      {keys === null && (
        <EmptyState
          art={<EmptyArt />}
          title="Only admins can manage keys"
          text="Ask an admin of this workspace to issue, rotate or revoke a key."
        />
      )}
      {keys && (
        <Keys
          keys={keys}
          filter={filter}
          startAction={setAction}
          onChanged={() => void reload()}
          issue={issue}
          isAdmin={isAdmin}
          onEnd={() => void reloadWithUsage()}
        />
      )}
      <KeyActions
        action={action}
        onAction={(next) => {
          setAction(next);
          // A test post may have been the first use of a new key.
          if (next === null) void reloadWithUsage();
        }}
        onChanged={() => void reload()}
        isAdmin={isAdmin}
      />
    </PageBody>
  );
}

interface KeysProps extends Pick<KeysView, 'startAction' | 'onChanged' | 'isAdmin' | 'onEnd'> {
  keys: readonly ApiKey[];
  filter: KeyFilter;
  issue: () => void;
}

function Keys({ keys, filter, issue, ...shared }: KeysProps) {
  const maxDays = useWorkspaceSettings()?.longestKeyLifetimeDays ?? null;
  const minute = now.value;
  const group = (chosen: KeyFilter) => groupKeys(keys, chosen, Date.now(), maxDays);
  const groups = useMemo(() => group(filter), [keys, JSON.stringify(filter), minute, maxDays]);
  const urgentCount = useMemo(
    () => group({ ...ALL_KEYS, hubId: filter.hubId }).flatMap(({ lines }) => lines.filter(isUrgent)).length,
    [keys, filter.hubId, minute, maxDays],
  );
  const byId = useMemo(() => new Map(keys.map((key) => [key.id, key])), [keys]);
  const [openCount, setOpenCount] = useState(0);
  const view: KeysView = {
    ...shared,
    maxDays,
    openId: route.value.query.get('key'),
    open: (id) => {
      openKey(id, keys, groups);
      setOpenCount((last) => last + 1);
    },
    openCount,
    find: (id) => (id === null ? undefined : byId.get(id)),
  };
  useEffect(() => {
    // The filter may hide the key that a link opens.
    if (view.openId !== null) openKey(view.openId, keys, groups);
  }, []);
  const inHub = filter.hubId === null ? keys : keys.filter(({ hubId }) => hubId === filter.hubId);
  return (
    <>
      {(keys.length > 0 || filter.hubId !== null) && (
        <KeyFilters keys={keys} filter={filter} urgentCount={urgentCount} />
      )}
      {groups.map((hub) => (
        <HubKeysTable key={hub.hubId} hub={hub} view={view} />
      ))}
      {groups.length === 0 &&
        (inHub.length > 0 ? <NoMatches filter={filter} /> : <NoKeys filter={filter} issue={issue} />)}
    </>
  );
}

function NoMatches({ filter: { hubId, includeInactive } }: { filter: KeyFilter }) {
  return (
    <EmptyState
      title="No matching keys"
      text={includeInactive ? 'Change the filters.' : 'Revoked and expired keys are hidden.'}
    >
      <a class="btn" href={`/settings/keys?over=true${hubId === null ? '' : `&hub=${hubId}`}`}>
        Show all keys
      </a>
    </EmptyState>
  );
}

function NoKeys({ filter: { hubId }, issue }: Pick<KeysProps, 'filter' | 'issue'>) {
  const { hubs } = useWorkspace();
  const hubName = hubId === null ? undefined : hubs.find(hubId)?.name;
  return (
    <EmptyState
      art={<EmptyArt />}
      title={hubName === undefined ? 'No keys yet' : `No keys for ${hubName} yet`}
      text="Issue a key and give it to a program. Its posts appear in the Hub."
    >
      <Button label="Issue a key" onClick={issue} />
    </EmptyState>
  );
}

const MANY = 6;
/** How many characters of a key its hint shows. */
const HINT_LENGTH = 4;

function KeyFilters(props: { keys: readonly ApiKey[]; filter: KeyFilter; urgentCount: number }) {
  const { keys, filter, urgentCount } = props;
  const { hubs } = useWorkspace();
  const names = hubNames(keys, hubs.all.value);
  const set = (change: Partial<KeyFilter>) => {
    setQuery(keyFilters.write(route.peek().query, { ...filter, ...change }));
  };
  return (
    <div class="filters">
      {filter.issuerId !== null && (
        <button class="pill is-set" type="button" onClick={() => set({ issuerId: null })}>
          <span class="sr">Remove the filter: </span>Issued by {issuerName(keys, filter.issuerId)} <X size="xs" />
        </button>
      )}
      {(keys.length >= MANY || filter.text !== '') && (
        <input
          class="find"
          type="search"
          aria-label="Find a key by name or last characters"
          placeholder="Find a key"
          autoComplete="off"
          value={filter.text}
          onInput={({ currentTarget }) => {
            currentTarget.value = withoutKey(currentTarget.value);
            set({ text: currentTarget.value });
          }}
        />
      )}
      <Choice
        label="Hub"
        icon={<CircleDot />}
        all="All Hubs"
        chosen={filter.hubId}
        options={names.map(([value, label]) => ({ value, label }))}
        unknown="Unknown Hub"
        onChoose={(hubId) => set({ hubId })}
      />
      <Choice
        label="State"
        icon={<Activity />}
        all="Any state"
        chosen={filter.state}
        options={STATES.map((value) => ({ value, label: KEY_STATES[value].text }))}
        onChoose={(state) => set({ state })}
      />
      {(urgentCount > 0 || filter.isUrgent) && (
        <TogglePill
          label="Needs attention"
          count={urgentCount}
          isOn={filter.isUrgent}
          onChange={(isOn) => set({ isUrgent: isOn })}
        />
      )}
      <button
        class={filter.includeInactive ? 'pill is-set' : 'pill'}
        type="button"
        aria-pressed={filter.includeInactive}
        title="Includes keys whose Hub was deleted"
        onClick={() => set({ includeInactive: !filter.includeInactive })}
      >
        Show revoked and expired {filter.includeInactive && <X size="xs" />}
      </button>
    </div>
  );
}

function issuerName(keys: readonly ApiKey[], issuerId: string): string {
  return keys.find(({ createdBy }) => createdBy.id === issuerId)?.createdBy.name ?? 'an unknown user';
}

/** Reduces a pasted key to its last characters, which are enough to find it: the URL must never contain a key. */
function withoutKey(input: string): string {
  const text = input.trim();
  return text.startsWith(KEY_PREFIX) && text.length > KEY_PREFIX.length + HINT_LENGTH
    ? text.slice(-HINT_LENGTH)
    : input;
}

function hubNames(
  keys: readonly ApiKey[],
  hubs: readonly { id: string; name: string; deletedAt: string | null }[],
): (readonly [string, string])[] {
  const names = new Map(
    keys.map(({ hubId, hubName, isHubDeleted }) => [hubId, isHubDeleted ? `${hubName}, deleted` : hubName]),
  );
  for (const { id, name, deletedAt } of hubs) if (deletedAt === null) names.set(id, name);
  return [...names].sort(([, one], [, other]) => naturalOrder(one, other));
}
