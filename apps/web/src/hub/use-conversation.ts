import type { Hub, Item } from '@hub/contract';
import { useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { path, request } from '../api/request.ts';
import type { ItemList } from '../items/item-list.ts';
import { navigate, openItemId, place, withPanel } from '../router/location.ts';
import { toast } from '../ui/toast.tsx';
import { useWorkspace, type Workspace } from '../workspace/workspace.ts';
import { hasAttention } from './attention.ts';
import { conversationOf } from './conversation.ts';
import { firstAfter } from './feed-rows.ts';
import type { Spot } from './feed-scroll.ts';
import { FeedView } from './feed-view.ts';
import { findFirstUnread } from './first-unread.ts';
import { LINE_TOP } from './jump-to-newest.tsx';
import { focusRow } from './row-keys.ts';
import { newRowScope, type RowScope } from './row-scope.ts';
import { saveSpot, spotOf } from './saved-spots.ts';
import { UnreadLine } from './unread-line.ts';

/** So far back the unread line is looked for from the newest; what is further is loaded from there on. */
const MAX_UNREAD_ROWS = 150;
const MARKED_TOP = 120;

export interface Conversation {
  list: ItemList;
  view: FeedView;
  scope: RowScope;
  line: UnreadLine;
  onMove: (spot: Spot) => void;
}

/** All that belongs to the feed of a Hub while it is shown: where it begins, how far it was read, where one stands in it. */
export function useConversation(hub: Hub): Conversation {
  const workspace = useWorkspace();
  const { items, hubs } = workspace;
  const conversation = useMemo(() => {
    const spot = spotOf(place.peek().key);
    const marked = spot === undefined ? place.peek().query.get('at') : null;
    const list = conversationOf(items, hub.id, marked ?? (spot === undefined || spot === 'end' ? null : spot.id));
    const line = new UnreadLine(hubs, hub);
    // Whoever begins elsewhere than at the unread line has seen nothing of what is below it.
    const beginsElsewhere = marked !== null || (spot !== undefined && spot !== 'end');
    const view = new FeedView(list, (beginsElsewhere ? line.after.peek() : null) ?? hub.seq);
    const scope = newRowScope('conversation');
    scope.isQuiet = view.isQuiet;
    scope.ids = () => list.items.peek().map(({ id }) => id);
    scope.reveal = (id) => view.reveal(id);
    scope.toNewest = () => {
      if (list.hasNewer.peek()) void list.reload(null).then(() => view.goTo('end'));
      else view.goTo('end');
    };
    list.readerAt = () => (view.spot === 'end' ? null : (view.spot as { id: string }).id);
    return { hub, list, view, scope, line, spot, isMarked: marked !== null };
  }, [items, hub.id]);
  const { list, view, scope, line } = conversation;

  useLayoutEffect(() => openAt(workspace, conversation), [conversation]);
  useEffect(() => line.watch(() => hasAttention.peek() && view.isAtEnd.peek()), [conversation]);
  useMarkedMessage(workspace, conversation);
  useEffect(
    () => () => {
      list.readerAt = () => null;
    },
    [list],
  );

  useSignalEffect(() => {
    const isRead = hasAttention.value && view.isAtEnd.value && list.state.value.status === 'ready';
    const { seq = 0, readSeqs = null } = hubs.find(hub.id) ?? {};
    // What is not told to the server now is told with what comes next.
    if (isRead && readSeqs && seq > readSeqs.message) hubs.markRead(hub.id, seq, 'message').catch(() => {});
  });
  // A panel that opens is an entry of the history, too, and the feed behind it stays where it is.
  const { key } = place.value;
  useEffect(() => saveSpot(key, view.spot), [key, view]);
  const onMove = useMemo(() => (spot: Spot) => saveSpot(place.peek().key, spot), [view]);
  return { list, view, scope, line, onMove };
}

interface Opening extends Pick<Conversation, 'list' | 'view' | 'scope' | 'line'> {
  hub: Hub;
  /** Where one was, if this is come back to. */
  spot: Spot | undefined;
  /** The address names a message to begin with. */
  isMarked: boolean;
}

/**
 * Goes to where one was, or to the unread line, or to the end, as soon as that is loaded, unless one has gone elsewhere by then. The
 * result gives it up.
 */
function openAt({ me }: Workspace, { hub, list, view, line, spot, isMarked }: Opening): () => void {
  let isGivenUp = false;
  const isOver = () => isGivenUp || view.isPlaced.peek();
  const open = async () => {
    await isReady(list);
    const after = line.after.peek();
    // Whoever comes back to the end has not seen what came there meanwhile.
    const isWanted = after !== null && (spot === undefined || spot === 'end') && !isMarked;
    if (isWanted) await loadLine(list, { hub, after, isOver });
    if (isOver() || isMarked) return;
    const items = list.items.peek();
    // Where the line could not be loaded, nothing is passed over: not the end either, with which all would be read.
    const place = !isWanted ? -1 : hasLine(list, after) ? firstAfter(items, after, me.peek().id) : 0;
    const first = items[place];
    view.goTo(first ? { id: first.id, top: LINE_TOP } : (spot ?? 'end'));
  };
  void open();
  return () => {
    isGivenUp = true;
  };
}

/** Whether what was read last is loaded, or all that there is. */
function hasLine(list: ItemList, after: number): boolean {
  return (list.items.peek()[0]?.seq ?? 0) <= after || !list.hasOlder.peek();
}

/** Page by page from the newest, as long as that may be near; or else in the middle of what there is. */
async function loadLine(
  list: ItemList,
  { hub, after, isOver }: { hub: Hub; after: number; isOver: () => boolean },
): Promise<void> {
  while (!isOver() && !hasLine(list, after) && list.items.peek().length < MAX_UNREAD_ROWS) {
    const { length } = list.items.peek();
    await list.loadOlder();
    // It has failed, or the list begins anew: to ask at once again would leave no time for any answer.
    if (list.items.peek().length === length) break;
  }
  if (isOver() || hasLine(list, after)) return;
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

/** `?at=` an item: brings it into view, wherever it is, and chooses it. Of a reply, the message it answers, with the thread. */
function useMarkedMessage(workspace: Workspace, { list, view, scope, isMarked }: Opening): void {
  const { key, query } = place.value;
  const at = query.get('at');
  const open = openItemId.value;
  const keyOf = useRef(key);
  const done = useRef(isMarked ? null : { at, open });
  useEffect(() => {
    // A panel that opens or closes is another address of the same place.
    const isSamePlace = done.current?.at === at && done.current?.open !== open;
    const isFirst = done.current === null;
    const isOld = !isFirst && done.current?.at === at && key === keyOf.current;
    done.current = { at, open };
    keyOf.current = key;
    if (at === null || isSamePlace || isOld) return;
    const stop = new AbortController();
    void goToMarked(workspace, { list, view, scope }, { at, signal: stop.signal });
    return () => stop.abort();
  }, [at, key, open]);
}

async function goToMarked(
  { items }: Workspace,
  { list, view, scope }: Pick<Conversation, 'list' | 'view' | 'scope'>,
  { at, signal }: { at: string; signal: AbortSignal },
): Promise<void> {
  const item = items.get(at).peek() ?? (await request<Item>('GET', path`/items/${at}`).catch(() => null));
  const parentId = item?.kind === 'message' ? item.parentId : null;
  const id = parentId ?? at;
  const isLoaded = () => list.items.peek().some((each) => each.id === id);
  await isReady(list);
  if (!signal.aborted && !isLoaded()) await list.reload(id);
  if (signal.aborted) return;
  if (!isLoaded()) {
    toast('That message is not there any more.');
    view.goTo('end');
    return;
  }
  view.goTo({ id, top: MARKED_TOP }, { outlastsArrivals: true });
  requestAnimationFrame(() => focusRow(scope, id));
  if (parentId !== null) navigate(`${withPanel(parentId)}&reply=${encodeURIComponent(at)}`, { replace: true });
}
