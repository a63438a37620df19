import type { Hub } from '@hub/contract';
import { CircleDot, Shapes, X } from 'icons';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ItemList } from '../../data/items/item-list.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { KIND_CHOICES } from '../../lib/items.ts';
import { navigate, route, withQuery } from '../../lib/router/location.ts';
import { Button } from '../../ui/button.tsx';
import { KeyChoice } from '../../ui/items/key-choice.tsx';
import { Choice } from '../../ui/menu.tsx';
import { type StreamFilter, writeFilter } from './stream-filter.ts';

const PILLS = ['isUnread', 'hubId', 'kind', 'keyId'] as const;

interface StreamToolbarProps {
  filter: StreamFilter;
  list: ItemList;
  /** The filter that was just set here. Each filter has a toolbar of its own, and the focus moves to the new one. */
  lastSet: { current: keyof StreamFilter | null };
  hub?: Hub;
}

/** The filters of the Stream, kept in the URL so that they can be shared. */
export function StreamToolbar({ filter, list, lastSet, hub }: StreamToolbarProps) {
  const { hubs } = useWorkspace();
  const show = (change: Partial<StreamFilter>) => {
    lastSet.current = PILLS.find((name) => name in change) ?? null;
    const next = { ...filter, ...change, ...(hub && { hubId: null, kind: null }) };
    navigate(withQuery(writeFilter(route.peek().query, next)));
  };
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const pills = [...(bar.current?.querySelectorAll<HTMLElement>('.pill') ?? [])];
    const own = PILLS.filter((name) => !hub || !['hubId', 'kind'].includes(name));
    if (lastSet.current) pills[own.indexOf(lastSet.current)]?.focus({ preventScroll: true });
    lastSet.current = null;
    // On a phone, the filters scroll, and the one that was just set must not be out of view.
    const last = pills.findLast((pill) => pill.matches('.is-set'));
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
      {!hub && (
        <>
          <Choice
            label="Hub"
            icon={<CircleDot />}
            all="All Hubs"
            chosen={filter.hubId}
            options={hubs.mine.value.map(({ id, name }) => ({ value: id, label: name }))}
            unknown={(filter.hubId && hubs.find(filter.hubId)?.name) ?? 'Unknown Hub'}
            onChoose={(hubId) => show({ hubId })}
          />
          <Choice
            label="Kind"
            icon={<Shapes />}
            all="All kinds"
            chosen={filter.kind}
            options={KIND_CHOICES.map(({ kind, label }) => ({ value: kind, label }))}
            onChoose={(kind) => show({ kind })}
          />
        </>
      )}
      <KeyChoice
        hubId={filter.hubId}
        chosen={filter.keyId}
        items={list.items.value}
        onChoose={(keyId) => show({ keyId })}
      />
      {hub && (
        <Button variant="is-bare is-small" icon={<X />} label="Close" onClick={() => navigate(`/hubs/${hub.id}`)} />
      )}
    </div>
  );
}
