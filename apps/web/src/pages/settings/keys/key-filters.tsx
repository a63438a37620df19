import Activity from 'icon:activity';
import Circle from 'icon:circle-dot';
import X from 'icon:x';
import type { ApiKey } from '@hub/contract';
import { KEY_PREFIX } from '@hub/contract/key-token';
import { useWorkspace } from '../../../data/live/workspace.ts';
import { naturalOrder } from '../../../lib/natural-order.ts';
import { navigate, route, withQuery } from '../../../lib/router/location.ts';
import { Choice } from '../../../ui/choice.tsx';
import { type KeyFilter, STATES, writeKeyFilter } from './group-keys.ts';
import { KEY_STATES } from './key-cells.tsx';

/** The search field appears once there are this many keys. */
const MANY = 6;
/** How many characters of a key its hint shows. */
const HINT_LENGTH = 4;

/** Filters for the list of keys, kept in the URL. */
export function KeyFilters({ keys, filter }: { keys: readonly ApiKey[]; filter: KeyFilter }) {
  const { hubs } = useWorkspace();
  const names = hubNames(keys, hubs.all.value);
  const set = (change: Partial<KeyFilter>) => {
    navigate(withQuery(writeKeyFilter(route.peek().query, { ...filter, ...change })), { replace: true });
  };
  const hubItems = [[null, 'All Hubs'] as const, ...names].map(([hubId, label]) => ({
    label,
    isChosen: hubId === filter.hubId,
    run: () => set({ hubId }),
  }));
  const stateItems = [null, ...STATES].map((state) => ({
    label: state === null ? 'Any state' : KEY_STATES[state].text,
    isChosen: state === filter.state,
    run: () => set({ state }),
  }));
  return (
    <div class="filters">
      <Choice
        label="Hub"
        icon={<Circle size="s" />}
        all="All Hubs"
        chosen={filter.hubId === null ? null : (names.find(([id]) => id === filter.hubId)?.[1] ?? 'Unknown Hub')}
        items={() => hubItems}
      />
      <Choice
        label="State"
        icon={<Activity size="s" />}
        all="Any state"
        chosen={filter.state === null ? null : KEY_STATES[filter.state].text}
        items={() => stateItems}
      />
      <button
        class={filter.isWithOver ? 'pill is-set' : 'pill'}
        type="button"
        aria-pressed={filter.isWithOver}
        title="Includes keys whose Hub was deleted"
        onClick={() => set({ isWithOver: !filter.isWithOver })}
      >
        Show revoked and expired {filter.isWithOver && <X size="xs" />}
      </button>
      {(keys.length >= MANY || filter.text !== '') && (
        <input
          class="key-search"
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
    </div>
  );
}

/** Reduces a pasted key to its last characters, which are enough to find it: the URL must never contain a key. */
function withoutKey(typed: string): string {
  const text = typed.trim();
  return text.startsWith(KEY_PREFIX) && text.length > KEY_PREFIX.length + HINT_LENGTH
    ? text.slice(-HINT_LENGTH)
    : typed;
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
