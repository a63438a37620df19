import CircleDot from 'icon:circle-dot';
import KeyRound from 'icon:key-round';
import Shapes from 'icon:shapes';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { keysIn } from '../../data/items/item.ts';
import type { ItemList } from '../../data/items/item-list.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { KIND_CHOICES } from '../../lib/item-kinds.ts';
import { navigate, route, withQuery } from '../../lib/router/location.ts';
import { Choice } from '../../ui/choice.tsx';
import { type StreamFilter, writeFilter } from './stream-filter.ts';

/** The filters of the Stream, kept in the URL so that they can be shared. */
export function StreamToolbar({ filter, list }: { filter: StreamFilter; list: ItemList }) {
  const { hubs } = useWorkspace();
  const show = (change: Partial<StreamFilter>) =>
    navigate(withQuery(writeFilter(route.peek().query, { ...filter, ...change })));
  const keys = keysIn(list.items.value, filter.keyId);
  const hubName = filter.hubId === null ? null : (hubs.find(filter.hubId)?.name ?? 'Unknown Hub');
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // On a phone, the filters scroll, and the one that was just set must not be out of view.
    const last = [...(bar.current?.querySelectorAll<HTMLElement>('.pill.is-set') ?? [])].at(-1);
    last?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, []);
  return (
    <div class="toolbar" role="group" aria-label="Filters" ref={bar}>
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
        all="All kinds"
        chosen={KIND_CHOICES.find(({ kind }) => kind === filter.kind)?.label ?? null}
        items={() => [
          { label: 'All kinds', isChosen: filter.kind === null, run: () => show({ kind: null }) },
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
          all="All keys"
          chosen={filter.keyId && (keys.find(({ id }) => id === filter.keyId)?.name ?? 'Unknown key')}
          items={() => [
            { label: 'All keys', isChosen: filter.keyId === null, run: () => show({ keyId: null }) },
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
