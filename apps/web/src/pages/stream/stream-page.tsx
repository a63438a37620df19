import type { Hub, Item, WireKind } from '@hub/contract';
import { MAX_UNREAD_COUNT } from '@hub/contract/common-limits';
import { ITEM_KINDS } from '@hub/contract/item-kinds';
import { CheckCheck } from 'icons';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Hubs } from '../../data/hubs/hubs.ts';
import { markMentionsRead } from '../../data/hubs/mark-mentions-read.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { errorMessage } from '../../data/request.ts';
import { navigate, route, withQuery } from '../../lib/router/location.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyArt } from '../../ui/icons/art.tsx';
import { FirstCommands } from '../../ui/items/commands.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { lazy } from '../../ui/page/lazy.tsx';
import { PageBar } from '../../ui/page/navigation.tsx';
import { toast } from '../../ui/toast.tsx';
import { StreamFeed } from './stream-feed.tsx';
import { isFiltering, readFilter, type StreamFilter, writeFilter } from './stream-filter.ts';
import { type KeptFeed, streamFeed } from './stream-list.ts';
import { StreamToolbar } from './stream-toolbar.tsx';

/** The items of all the user's Hubs, newest first. */
export function StreamPage() {
  const workspace = useWorkspace();
  const { hubs } = workspace;
  const { query, key } = route.value;
  const filter = readFilter(query);
  const name = JSON.stringify(filter);
  const feed = useMemo(() => streamFeed(workspace), [workspace, name]);
  feed.locationKey = key;
  const lastSet = useRef<keyof StreamFilter | null>(null);
  return (
    <main class="main" id="main">
      <PageBar title="Stream">
        {/* Read markers know nothing about keys. */}
        {hubs.mine.value.length > 0 && filter.keyId === null && (
          <Button
            variant="is-bare is-small"
            icon={<CheckCheck />}
            label="Mark all read"
            disabled={!hasUnread(hubs, filter)}
            onClick={() => void markAllRead(hubs, feed, filter)}
          />
        )}
      </PageBar>
      <StreamFeed
        key={name}
        feed={feed}
        label="Posts from your Hubs"
        holdsAllNew={(items) => holdsAllUnread(hubs, filter, items)}
        toolbar={<StreamToolbar filter={filter} list={feed.list} lastSet={lastSet} />}
        empty={<EmptyStream filter={filter} />}
      />
    </main>
  );
}

/** Whether the filter leaves out Hubs or kinds of items. */
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
  if (isFiltering(filter)) return <NoMatches isUnreadOnly={filter.isUnread} />;
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
    navigate(withQuery(writeFilter(route.peek().query, readFilter(new URLSearchParams()))));
  };
  return (
    <EmptyState title={isUnreadOnly ? 'You’re all caught up' : 'No matching posts'}>
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
          canCreate ? 'Create the first one, for a team, a product or a kind of alert.' : 'An admin can add you to one.'
        }
      >
        {canCreate && <Button variant="is-main" label="Create Hub" onClick={() => setCreating(true)} />}
      </EmptyState>
      {/* Outside the box, whose text styles are for an empty page. */}
      {isCreating && <NewHubDialog onClose={() => setCreating(false)} />}
    </>
  );
}

/** The messages of a Hub that pass a filter, newest first: unread ones, or those of one key. */
export function FilteredTab({ hub }: { hub: Hub }) {
  const workspace = useWorkspace();
  const { query, key } = route.value;
  const filter: StreamFilter = { ...readFilter(query), hubId: hub.id, kind: 'message' };
  const name = JSON.stringify(filter);
  const feed = useMemo(() => streamFeed(workspace, filter), [workspace, name]);
  feed.locationKey = key;
  const lastSet = useRef<keyof StreamFilter | null>(null);
  return (
    <StreamFeed
      key={name}
      feed={feed}
      label={`Messages in ${hub.name}`}
      holdsAllNew={(items) => holdsAllUnread(workspace.hubs, filter, items)}
      toolbar={<StreamToolbar filter={filter} list={feed.list} lastSet={lastSet} hub={hub} />}
      empty={<EmptyState title={filter.isUnread ? 'You’re all caught up' : 'No matching messages'} />}
    />
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
