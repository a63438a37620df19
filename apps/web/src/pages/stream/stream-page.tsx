import type { Hub, Item, WireKind } from '@hub/contract';
import { MAX_UNREAD_COUNT } from '@hub/contract/common-limits';
import { ITEM_KINDS } from '@hub/contract/item-kinds';
import { CheckCheck, Shapes, X } from 'icons';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Hubs } from '../../data/hubs/hubs.ts';
import { markMentionsRead } from '../../data/hubs/mark-mentions-read.ts';
import type { ItemList } from '../../data/items/item-list.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { errorMessage } from '../../data/request.ts';
import { countText } from '../../lib/count-text.ts';
import { KIND_CHOICES } from '../../lib/items.ts';
import { navigate, route, withQuery } from '../../lib/router/location.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyArt } from '../../ui/icons/art.tsx';
import { FirstCommands } from '../../ui/items/commands.tsx';
import { HubChoice, KeyChoice } from '../../ui/items/source-choices.tsx';
import { Choice } from '../../ui/menu.tsx';
import { lazy } from '../../ui/page/lazy.tsx';
import { EmptyState } from '../../ui/page/load-states.tsx';
import { Page } from '../../ui/page/navigation.tsx';
import { toast } from '../../ui/toast.tsx';
import { StreamFeed } from './stream-feed.tsx';
import { type StreamFilter, streamFilters } from './stream-filter.ts';
import { type KeptFeed, streamFeed } from './stream-list.ts';

/** The Stream with the filter of the URL, of which some fields can be fixed. */
function useFilteredStream(fixed: Partial<StreamFilter> = {}) {
  const workspace = useWorkspace();
  const { query, key } = route.value;
  const filter: StreamFilter = { ...streamFilters.read(query), ...fixed };
  const name = JSON.stringify(filter);
  const feed = useMemo(() => streamFeed(workspace, filter), [workspace, name]);
  feed.locationKey = key;
  const lastSet = useRef<keyof StreamFilter | null>(null);
  return { filter, name, feed, lastSet };
}

/** The items of all the user's Hubs, newest first. */
export function StreamPage() {
  const { hubs } = useWorkspace();
  const { filter, name, feed, lastSet } = useFilteredStream();
  return (
    <Page
      title="Stream"
      // Read markers know nothing about keys.
      bar={
        hubs.mine.value.length > 0 &&
        filter.keyId === null && (
          <Button
            variant="is-bare is-small"
            icon={<CheckCheck />}
            label="Mark all read"
            disabled={!hasUnread(hubs, filter)}
            onClick={() => void markAllRead(hubs, feed, filter)}
          />
        )
      }
    >
      <StreamFeed
        key={name}
        feed={feed}
        label="Posts from your Hubs"
        holdsAllNew={(items) => holdsAllUnread(hubs, filter, items)}
        toolbar={<StreamToolbar filter={filter} list={feed.list} lastSet={lastSet} />}
        empty={<EmptyStream filter={filter} />}
      />
      <ResultCount list={streamFilters.isSet(filter) ? feed.list : null} noun="post" />
    </Page>
  );
}

const isPart = ({ hubId, kind }: StreamFilter) => hubId !== null || kind !== null;
const hubsIn = (hubs: Hubs, { hubId }: StreamFilter) =>
  hubs.mine.value.filter(({ id }) => hubId === null || id === hubId);
const kindsIn = ({ kind }: StreamFilter) => (kind === null ? ITEM_KINDS : [kind]);

function hasUnread(hubs: Hubs, filter: StreamFilter): boolean {
  if (!isPart(filter)) return hubs.unreadCount.value > 0 || hubs.mentions.count.value > 0;
  return hubsIn(hubs, filter).some(({ unreadCounts }) => kindsIn(filter).some((kind) => unreadCounts?.[kind]));
}

/** Marks what the filter shows as read: without one for a Hub or a kind, everything. */
async function markAllRead(hubs: Hubs, { held }: KeptFeed, filter: StreamFilter): Promise<void> {
  held.value = new Set();
  const before = hubsIn(hubs, filter);
  const marks = before.map(({ id, seq }) => hubs.markRead(id, seq, filter.kind ?? undefined));
  const mentions = isPart(filter) ? Promise.resolve() : markMentionsRead(hubs.mine);
  const undo = async () => {
    // If it arrived later, they would be read again.
    await mentions.catch(() => {});
    await expectAll('mark everything as unread again', markedUnread(hubs, before, filter));
  };
  const what = isPart(filter) ? 'Everything in this view' : 'Everything';
  toast(`${what} is marked as read.`, { action: { label: 'Undo', run: () => void undo() } });
  await expectAll('mark everything as read', [...marks, mentions]);
}

/** Moves the read markers of each Hub back to where they were, and makes the same mentions and replies unread. */
function markedUnread(hubs: Hubs, before: readonly Hub[], filter: StreamFilter): Promise<void>[] {
  return before.flatMap(({ id, readSeqs, unreadCounts, unreadMentionIds }) => {
    const mentionIds = unreadMentionIds ?? [];
    const kinds = kindsIn(filter).filter((kind) => unreadCounts?.[kind]);
    if (!readSeqs || (kinds.length === 0 && mentionIds.length === 0)) return [];
    const [first = 'message', ...others] = kinds;
    return [
      hubs.markUnread(id, readSeqs[first], first, mentionIds),
      ...others.map((kind) => hubs.markUnread(id, readSeqs[kind], kind, [])),
    ];
  });
}

async function expectAll(what: string, marks: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(marks)).find((mark) => mark.status === 'rejected');
  if (failed) toast(`Couldn’t ${what}. ${errorMessage(failed.reason)}`, { isError: true });
}

const NewHubDialog = lazy(async () => (await import('../new-hub/new-hub-dialog.tsx')).NewHubDialog);

function EmptyStream({ filter }: { filter: StreamFilter }) {
  const { hubs } = useWorkspace();
  if (streamFilters.isSet(filter)) return <NoMatches isUnreadOnly={filter.isUnread} />;
  if (hubs.isLoaded.value && hubs.mine.value.length === 0) return <NoHubs />;
  return (
    <div class="empty">
      <EmptyArt />
      <h2>No posts yet</h2>
      <p>New posts from all your Hubs appear here.</p>
      <FirstCommands hub={hubs.mine.value[0]} />
    </div>
  );
}

function NoMatches({ isUnreadOnly }: { isUnreadOnly: boolean }) {
  const showAll = () => {
    navigate(withQuery(streamFilters.write(route.peek().query, streamFilters.read(new URLSearchParams()))));
  };
  return (
    <EmptyState title={isUnreadOnly ? 'You’re all caught up' : 'No matching posts'} isStatus>
      <Button label="Show all posts" onClick={showAll} />
    </EmptyState>
  );
}

function NoHubs() {
  const { me } = useWorkspace();
  const [isCreating, setCreating] = useState(false);
  const canCreate = me.value.role !== 'member';
  return (
    <>
      <EmptyState
        art={<EmptyArt />}
        title="You’re not in any Hubs yet"
        text={
          canCreate
            ? 'Create one for a team, a product or a kind of alert, or add yourself to one that exists.'
            : 'An admin can add you to one.'
        }
      >
        {canCreate && (
          <>
            <Button variant="is-main" label="Create Hub" onClick={() => setCreating(true)} />
            <a class="btn" href="/settings/hubs">
              All Hubs
            </a>
          </>
        )}
      </EmptyState>
      {/* Outside the box, whose text styles are for an empty page. */}
      {isCreating && <NewHubDialog onClose={() => setCreating(false)} />}
    </>
  );
}

/** The messages of a Hub that pass a filter, newest first: unread ones, or those of one key. */
export function FilteredTab({ hub }: { hub: Hub }) {
  const { hubs } = useWorkspace();
  const { filter, name, feed, lastSet } = useFilteredStream({ hubId: hub.id, kind: 'message' });
  return (
    <>
      <StreamFeed
        key={name}
        feed={feed}
        label={`Messages in ${hub.name}`}
        holdsAllNew={(items) => holdsAllUnread(hubs, filter, items)}
        toolbar={<StreamToolbar filter={filter} list={feed.list} lastSet={lastSet} hub={hub} />}
        empty={<EmptyState title={filter.isUnread ? 'You’re all caught up' : 'No matching messages'} isStatus />}
      />
      <ResultCount list={feed.list} noun="message" />
    </>
  );
}

/**
 * Tells screen readers once how many items a filter has found; an empty list says so itself. It outlasts the feed of
 * the filter, or they would not notice that its text changes.
 */
function ResultCount({ list, noun }: { list: ItemList | null; noun: string }) {
  const isReady = list?.state.value.status === 'ready';
  const text = useMemo(() => {
    const count = isReady ? list.items.peek().length : 0;
    return count > 0 && `${list?.hasOlder.peek() ? 'More than ' : ''}${countText(count, noun)}`;
  }, [list, isReady]);
  return (
    <p class="sr" role="status">
      {text}
    </p>
  );
}

/**
 * Whether these items include everything unread that passes the filter. The server does not count per key: with a
 * filter for a key, false may only mean that the remaining unread items belong to other keys.
 */
function holdsAllUnread(hubs: Hubs, filter: StreamFilter, items: readonly Item[]): boolean {
  const ids = new Set(items.map(({ id }) => id));
  const counts = new Map<string, number>();
  for (const item of items) {
    const of = `${item.hubId} ${item.kind}`;
    if (hubs.isUnread(item)) counts.set(of, (counts.get(of) ?? 0) + 1);
  }
  return hubsIn(hubs, filter).every(({ id, unreadCounts, unreadMentionIds }) => {
    const areHeld = (each: WireKind) => {
      const count = unreadCounts?.[each] ?? 0;
      return count < MAX_UNREAD_COUNT && count <= (counts.get(`${id} ${each}`) ?? 0);
    };
    return kindsIn(filter).every(areHeld) && (unreadMentionIds ?? []).every((mention) => ids.has(mention));
  });
}

const PILLS = ['isUnread', 'hubId', 'kind', 'keyId'] as const;

interface StreamToolbarProps {
  filter: StreamFilter;
  list: ItemList;
  /** The filter that was just set here. Each filter has a toolbar of its own, and the focus moves to the new one. */
  lastSet: { current: keyof StreamFilter | null };
  hub?: Hub;
}

/** The filters of the Stream, kept in the URL so that they can be shared. */
function StreamToolbar({ filter, list, lastSet, hub }: StreamToolbarProps) {
  const show = (change: Partial<StreamFilter>) => {
    lastSet.current = PILLS.find((name) => name in change) ?? null;
    const next = { ...filter, ...change, ...(hub && { hubId: null, kind: null }) };
    navigate(withQuery(streamFilters.write(route.peek().query, next)));
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
          <HubChoice chosen={filter.hubId} onChoose={(hubId) => show({ hubId })} />
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
