import type { Hub, Item } from '@hub/contract';
import { isId } from '@hub/contract/ids';
import { effect, type ReadonlySignal, signal, useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Hubs } from '../../data/hubs/hubs.ts';
import type { ItemList } from '../../data/items/item-list.ts';
import { allowMarkAsRead, keptUnread } from '../../data/live/kept-unread.ts';
import { useWorkspace, type Workspace } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { hasAttention } from '../../lib/attention.ts';
import { navigate, openItemId, route, withPanel } from '../../lib/router/location.ts';
import { showRepeat, withCollapsedRepeats } from '../../ui/items/repeats.tsx';
import { toast } from '../../ui/toast.tsx';
import { conversationOf } from '../feed/conversation.ts';
import { DIVIDER_TOP } from '../feed/feed-edges.tsx';
import { firstAfter } from '../feed/feed-rows.ts';
import { type Spot, spotOf } from '../feed/feed-scroll.ts';
import { FeedView } from '../feed/feed-view.ts';
import { focusRow } from '../feed/row-keys.ts';
import { newRowScope, type RowScope } from '../feed/row-scope.ts';

/** How many of the newest rows are loaded to find the divider; the list is loaded around one further back. */
const MAX_UNREAD_ROWS = 150;
const MARKED_TOP = 120;

interface Conversation {
  list: ItemList;
  view: FeedView;
  scope: RowScope;
  divider: UnreadDivider;
}

/** The state of the feed of a Hub while it is shown: its initial position, read state and scroll position. */
export function useConversation(hub: Hub): Conversation {
  const workspace = useWorkspace();
  const { items, hubs } = workspace;
  const conversation = useMemo(() => {
    const spot = spotOf(route.peek().key);
    const marked = spot === undefined ? route.peek().query.get('at') : null;
    const list = conversationOf(items, hub.id, marked ?? (spot === undefined || spot === 'end' ? null : spot.id));
    const divider = new UnreadDivider(hubs, hub);
    const beginsElsewhere = marked !== null || (spot !== undefined && spot !== 'end');
    // Nothing below the divider has been seen. A view that opens there says so, and one that opens elsewhere counts it.
    const seenSeq = divider.after.peek() ?? hub.seq;
    const scope = newRowScope('conversation');
    const rowsOf = (all: readonly Item[], heldId: string | null) => {
      const after = divider.after.value ?? Infinity;
      const ownRow = heldId ?? scope.chosen.peek();
      return withCollapsedRepeats(all, ({ id, seq }, next) => id === ownRow || (seq <= after && next.seq > after));
    };
    const view = new FeedView(list, { seq: beginsElsewhere ? seenSeq : hub.seq, seenSeq, rowsOf });
    scope.ids = () => view.drawn.peek().items.map(({ id }) => id);
    scope.reveal = (id) => view.reveal(id);
    scope.firstNew = () => {
      const after = divider.after.peek();
      const rows = view.drawn.peek().items;
      return after === null ? undefined : rows[firstAfter(rows, after, workspace.hubs.mayBeNew)]?.id;
    };
    scope.toNewest = () => {
      if (list.hasNewer.peek()) void list.reload(null).then(() => view.goTo('end'));
      else view.goTo('end');
    };
    list.readerAt = () => (view.spot === 'end' ? null : (view.spot as { id: string }).id);
    return { hub, list, view, scope, divider, spot, isMarked: marked !== null };
  }, [items, hub.id]);
  const { list, view, divider } = conversation;

  useLayoutEffect(() => openAt(workspace, conversation), [conversation]);
  useEffect(() => divider.watch(() => hasAttention.peek() && view.isAtEnd.peek()), [conversation]);
  useMarkedMessage(workspace, conversation);
  useEffect(
    () => () => {
      list.readerAt = () => null;
    },
    [list],
  );

  useSignalEffect(() => {
    if (keptUnread.value === hub.id && !view.isAtEnd.value) allowMarkAsRead();
    const isLooking = hasAttention.value && keptUnread.value !== hub.id;
    const isRead = isLooking && view.isAtEnd.value && list.state.value.status === 'ready';
    const { seq = 0, readSeqs = null } = hubs.find(hub.id) ?? {};
    // If this request fails, the next one also covers these messages.
    if (isRead && readSeqs && seq > readSeqs.message) hubs.markRead(hub.id, seq, 'message').catch(() => {});
  });
  return conversation;
}

interface Opening extends Pick<Conversation, 'list' | 'view' | 'scope' | 'divider'> {
  hub: Hub;
  spot: Spot | undefined;
  isMarked: boolean;
}

/** Scrolls to the saved position, the divider or the end once loaded, unless the user moves. Returns a stop. */
function openAt({ hubs }: Workspace, { hub, list, view, divider, spot, isMarked }: Opening): () => void {
  let isGivenUp = false;
  const isOver = () => isGivenUp || view.isPlaced.peek();
  const open = async () => {
    await isReady(list);
    const after = divider.after.peek();
    // A user who returns to the end has not seen messages that arrived since.
    const isWanted = after !== null && (spot === undefined || spot === 'end') && !isMarked;
    if (isWanted) await loadDivider(list, { hub, after, isOver });
    if (isOver() || isMarked) return;
    const items = list.items.peek();
    // If the divider could not be loaded, do not go to the end, which would mark everything as read.
    const index = !isWanted ? -1 : isDividerLoaded(list, after) ? firstAfter(items, after, hubs.mayBeNew) : 0;
    const first = items[index];
    view.goTo(first ? { id: first.id, top: DIVIDER_TOP } : (spot ?? 'end'));
  };
  void open();
  return () => {
    isGivenUp = true;
  };
}

/** Whether the last read message, or the whole conversation, is loaded. */
function isDividerLoaded(list: ItemList, after: number): boolean {
  return (list.items.peek()[0]?.seq ?? 0) <= after || !list.hasOlder.peek();
}

/** Loads page by page from the newest while the divider may be near, or else around the first unread message. */
async function loadDivider(
  list: ItemList,
  { hub, after, isOver }: { hub: Hub; after: number; isOver: () => boolean },
): Promise<void> {
  while (!isOver() && !isDividerLoaded(list, after) && list.items.peek().length < MAX_UNREAD_ROWS) {
    const { length } = list.items.peek();
    await list.loadOlder();
    // The load failed or the list was restarted: retrying immediately would leave no time for a response.
    if (list.items.peek().length === length) break;
  }
  if (isOver() || isDividerLoaded(list, after)) return;
  const first = await findFirstUnread(hub.id).catch(() => null);
  if (isOver() || first === null) return;
  await list.reload(first);
  await isReady(list);
}

async function isReady(list: ItemList): Promise<void> {
  if (list.state.peek().status === 'ready') return;
  await new Promise<void>((resolve) => {
    const stop = list.state.subscribe(({ status }) => {
      if (status !== 'ready') return;
      queueMicrotask(() => stop());
      resolve();
    });
  });
}

/** Handles `?at=`: scrolls to an item and selects it; for a reply, its message, and opens the thread. */
function useMarkedMessage(workspace: Workspace, { list, view, scope, isMarked }: Opening): void {
  const { key, query } = route.value;
  const at = query.get('at');
  const open = openItemId.value;
  const keyOf = useRef(key);
  const done = useRef(isMarked ? null : { at, open });
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  useEffect(() => {
    // Opening or closing a panel changes the URL but not the position.
    const isSamePosition = done.current?.at === at && done.current?.open !== open;
    const isFirst = done.current === null;
    const isOld = !isFirst && done.current?.at === at && key === keyOf.current;
    done.current = { at, open };
    keyOf.current = key;
    if (at === null || isSamePosition || isOld) return;
    stop.current.abort();
    stop.current = new AbortController();
    void goToMarked(workspace, { list, view, scope }, { at, signal: stop.current.signal });
  }, [at, key, open]);
}

async function goToMarked(
  { items }: Workspace,
  { list, view, scope }: Pick<Conversation, 'list' | 'view' | 'scope'>,
  { at, signal }: { at: string; signal: AbortSignal },
): Promise<void> {
  const canExist = isId(at);
  const show = () => request('GET /items/{itemId}', { itemId: at }).catch(() => null);
  const item = items.get(at).peek() ?? (canExist ? await show() : null);
  const parentId = item?.kind === 'message' ? item.parentId : null;
  const id = parentId ?? at;
  const isLoaded = () => list.items.peek().some((each) => each.id === id);
  await isReady(list);
  // If the server cannot be reached, once it is back.
  while (!signal.aborted && canExist && !isLoaded() && !(await list.reload(id))) await isReady(list);
  if (signal.aborted) return;
  if (!isLoaded()) {
    toast('That message no longer exists.');
    view.goTo('end');
    return;
  }
  showRepeat(id);
  view.goTo({ id, top: MARKED_TOP }, { outlastsArrivals: true });
  requestAnimationFrame(() => focusRow(scope, id));
  if (parentId !== null) navigate(`${withPanel(parentId)}&reply=${encodeURIComponent(at)}`, { replace: true });
}

/** An id that sorts before every item: a list requested `after` it begins with the oldest item. */
const BEFORE_ALL_ITEMS = `item_${'0'.repeat(26)}`;

/**
 * Returns the id around which to load the first unread message of a Hub: the id of that message, or of an earlier
 * unread item, such as a reply. `null` if nothing is unread.
 * @throws as `request` does.
 */
async function findFirstUnread(hubId: string): Promise<string | null> {
  const query = { hubId, kind: 'message', unread: 'true', after: BEFORE_ALL_ITEMS, limit: 1 } as const;
  const { items, next } = await request('GET /stream', { query });
  return items[0]?.id ?? next;
}

/**
 * The event after which the "New" divider is shown. Set when the Hub is opened or reloaded, and when messages are marked
 * as unread. It stays while the user reads. If something arrives while they are away, it moves to where they stopped.
 */
class UnreadDivider {
  readonly #after = signal<number | null>(null);
  readonly after: ReadonlySignal<number | null> = this.#after;
  readonly #hubs: Hubs;
  readonly #hubId: string;
  #mayMove = true;

  constructor(hubs: Hubs, hub: Hub) {
    this.#hubs = hubs;
    this.#hubId = hub.id;
    this.#begin(hub);
  }

  /** `isReading`: whether the user sees arriving messages. Returns a function that stops watching. */
  watch(isReading: () => boolean): () => void {
    const stopAttention = effect(() => {
      if (!hasAttention.value) this.#mayMove = true;
    });
    const stopEvents = this.#hubs.onEvent((event) => {
      if (event.hubId !== this.#hubId || event.event !== 'message.created' || !('author' in event.data)) return;
      if (!this.#hubs.isUnread(event.data) || isReading() || !this.#mayMove) return;
      this.#after.value = this.#hubs.find(this.#hubId)?.readSeqs?.message ?? null;
      this.#mayMove = false;
    });
    const stopResets = this.#hubs.onReset((hubId) => {
      const hub = this.#hubs.find(hubId);
      if (hubId === this.#hubId && hub) this.#begin(hub);
    });
    let version = this.#hubs.find(this.#hubId)?.readVersion;
    const stopBack = effect(() => {
      const hub = this.#hubs.find(this.#hubId);
      if (!hub || hub.readVersion === version) return;
      // The user has marked messages as unread, in any tab.
      version = hub.readVersion;
      this.#begin(hub);
    });
    return () => {
      stopBack();
      stopAttention();
      stopEvents();
      stopResets();
    };
  }

  #begin({ unreadCounts, readSeqs }: Hub): void {
    const hasUnread = unreadCounts !== null && unreadCounts.message > 0;
    this.#after.value = hasUnread ? (readSeqs?.message ?? null) : null;
    this.#mayMove = !hasUnread;
  }
}
