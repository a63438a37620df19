import Activity from 'icon:activity';
import Circle from 'icon:circle-dot';
import X from 'icon:x';
import type { ApiKey } from '@hub/contract';
import { KEY_PREFIX } from '@hub/contract/key-token';
import { navigate, route, withQuery } from '../../router/location.ts';
import { Choice } from '../../ui/choice.tsx';
import type { MenuItem } from '../../ui/menu.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { naturalOrder } from '../natural-order.ts';
import { KEY_STATES, type KeyFilter, writeKeyFilter } from './group-keys.ts';
import { stateText } from './state-label.tsx';

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
  const choice = <T,>(label: string, value: T, chosen: T, run: (value: T) => void): MenuItem => ({
    label,
    isChosen: value === chosen,
    run: () => run(value),
  });
  const hubItems = [[null, 'All Hubs'] as const, ...names].map(([id, name]) =>
    choice(name, id, filter.hubId, (hubId) => set({ hubId })),
  );
  const stateItems = [null, ...KEY_STATES].map((state) =>
    choice(state === null ? 'Any state' : stateText(state), state, filter.state, (chosen) => set({ state: chosen })),
  );
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
        chosen={filter.state === null ? null : stateText(filter.state)}
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
