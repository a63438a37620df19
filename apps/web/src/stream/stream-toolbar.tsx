import CircleDot from 'icon:circle-dot';
import KeyRound from 'icon:key-round';
import Shapes from 'icon:shapes';
import type { ItemList } from '../items/item-list.ts';
import { navigate, place, withQuery } from '../router/location.ts';
import { KIND_CHOICES } from '../search/kind-choices.ts';
import { Choice } from '../ui/choice.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { keysIn } from './keys-in.ts';
import { type StreamFilter, writeFilter } from './stream-filter.ts';

/** What of the Stream is shown. It stands in the address, so that it can be come back to and passed on. */
export function StreamToolbar({ filter, list }: { filter: StreamFilter; list: ItemList }) {
  const { hubs } = useWorkspace();
  const show = (change: Partial<StreamFilter>) =>
    navigate(withQuery(writeFilter(place.peek().query, { ...filter, ...change })));
  const keys = keysIn(list.items.value, filter.keyId);
  const hubName = filter.hubId === null ? null : (hubs.find(filter.hubId)?.name ?? 'Another Hub');
  return (
    <div class="toolbar" role="group" aria-label="Filters">
      <button
        class="pill is-plain"
        type="button"
        aria-pressed={filter.isUnread}
        onClick={() => show({ isUnread: !filter.isUnread })}
      >
        Unread
      </button>
      <Choice
        label="Hub"
        icon={<CircleDot />}
        all="All Hubs"
        chosen={hubName}
        items={() => [
          { label: 'All Hubs', isChosen: filter.hubId === null, run: () => show({ hubId: null }) },
          ...hubs.mine.peek().map(({ id, name }) => ({
            label: name,
            isChosen: filter.hubId === id,
            run: () => show({ hubId: id }),
          })),
        ]}
      />
      <Choice
        label="Kind"
        icon={<Shapes />}
        all="Every kind"
        chosen={KIND_CHOICES.find(({ kind }) => kind === filter.kind)?.label ?? null}
        items={() => [
          { label: 'Every kind', isChosen: filter.kind === null, run: () => show({ kind: null }) },
          ...KIND_CHOICES.map(({ kind, label }) => ({
            label,
            isChosen: filter.kind === kind,
            run: () => show({ kind }),
          })),
        ]}
      />
      {keys.length > 0 && (
        <Choice
          label="Key"
          icon={<KeyRound />}
          all="Every key"
          chosen={filter.keyId && (keys.find(({ id }) => id === filter.keyId)?.name ?? 'One key')}
          items={() => [
            { label: 'Every key', isChosen: filter.keyId === null, run: () => show({ keyId: null }) },
            ...keys.map(({ id, name }) => ({
              label: name,
              isChosen: filter.keyId === id,
              run: () => show({ keyId: id }),
            })),
          ]}
        />
      )}
    </div>
  );
}
