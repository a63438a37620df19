import Activity from 'icon:activity';
import Circle from 'icon:circle-dot';
import X from 'icon:x';
import type { ApiKey } from '@hub/contract';
import { KEY_PREFIX } from '@hub/contract/key-token';
import { navigate, place, withQuery } from '../../router/location.ts';
import { Choice } from '../../ui/choice.tsx';
import type { MenuItem } from '../../ui/menu.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { naturalOrder } from '../natural-order.ts';
import { type KeyFilter, STANDINGS, writeKeyFilter } from './group-keys.ts';
import { standingText } from './state-label.tsx';

/** From so many keys on one looks for them by name. */
const MANY = 6;
/** How much of the end of a key is shown. */
const HINT_LENGTH = 4;

/** What of the keys is shown; it stands in the address. */
export function KeyFilters({ keys, filter }: { keys: readonly ApiKey[]; filter: KeyFilter }) {
  const { hubs } = useWorkspace();
  const names = hubNames(keys, hubs.all.value);
  const set = (change: Partial<KeyFilter>) => {
    navigate(withQuery(writeKeyFilter(place.peek().query, { ...filter, ...change })), { replace: true });
  };
  const choice = <T,>(label: string, value: T, chosen: T, run: (value: T) => void): MenuItem => ({
    label,
    isChosen: value === chosen,
    run: () => run(value),
  });
  const hubItems = [[null, 'All Hubs'] as const, ...names].map(([id, name]) =>
    choice(name, id, filter.hubId, (hubId) => set({ hubId })),
  );
  const stateItems = [null, ...STANDINGS].map((state) =>
    choice(state === null ? 'Any state' : standingText(state), state, filter.state, (chosen) => set({ state: chosen })),
  );
  return (
    <div class="filters">
      <Choice
        label="Hub"
        icon={<Circle size="s" />}
        all="All Hubs"
        chosen={filter.hubId === null ? null : (names.find(([id]) => id === filter.hubId)?.[1] ?? 'Another Hub')}
        items={() => hubItems}
      />
      <Choice
        label="State"
        icon={<Activity size="s" />}
        all="Any state"
        chosen={filter.state === null ? null : standingText(filter.state)}
        items={() => stateItems}
      />
      <button
        class={filter.isWithOver ? 'pill is-set' : 'pill'}
        type="button"
        aria-pressed={filter.isWithOver}
        title="Those that were revoked, have expired, or whose Hub was deleted"
        onClick={() => set({ isWithOver: !filter.isWithOver })}
      >
        With ended keys {filter.isWithOver && <X size="xs" />}
      </button>
      {(keys.length >= MANY || filter.text !== '') && (
        <input
          class="key-search"
          type="search"
          aria-label="Find a key by its name or its last characters"
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

/** What stands in the address must hold no key: of a whole one that was pasted, the end is what finds it. */
function withoutKey(words: string): string {
  const text = words.trim();
  return text.startsWith(KEY_PREFIX) && text.length > KEY_PREFIX.length + HINT_LENGTH
    ? text.slice(-HINT_LENGTH)
    : words;
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
