import type { Item } from '@hub/contract';
import { authorText, isItemEvent } from '../../data/items/item.ts';
import type { Workspace } from '../../data/live/workspace.ts';
import { watchNotifications } from '../../data/notifications/watch-notifications.ts';
import { match, openItemId, route } from '../../lib/router/location.ts';
import { textOfItem } from '../../ui/items/deletion.tsx';
import { passes, streamFilters } from '../stream/stream-filter.ts';

/** Shows notifications, and announces new posts to screen readers. Returns the stop function. */
export function watchPosts(workspace: Workspace): () => void {
  const stops = [watchNotifications(workspace), announcePosts(workspace)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Posts that arrive within this time are announced as one. */
const TOGETHER_MS = 1_000;
const MAX_CHARACTERS = 120;

/**
 * Announces new posts to screen readers, wherever the focus and the reader's position are: those of the open Hub,
 * thread or Stream, and mentions on every page. Returns the stop function.
 */
function announcePosts({ me, hubs }: Workspace): () => void {
  const region = document.createElement('div');
  region.className = 'sr';
  region.role = 'status';
  document.body.append(region);
  let arrived: Item[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const announce = () => {
    const [first] = arrived;
    region.textContent = arrived.length === 1 && first ? textFor(first) : `${arrived.length} new posts`;
    arrived = [];
    timer = undefined;
  };
  const stop = hubs.onEvent((event) => {
    if (!isItemEvent(event) || !event.event.endsWith('.created') || !('author' in event.data)) return;
    const item = event.data;
    const isOwn = item.key === null && item.author.id === me.peek().id;
    if (isOwn || !(item.mentions.includes(me.peek().id) || isOnPage(item))) return;
    arrived.push(item);
    // The same text again would not be announced.
    region.textContent = '';
    timer ??= setTimeout(announce, TOGETHER_MS);
  });
  return () => {
    stop();
    clearTimeout(timer);
    region.remove();
  };
}

function textFor(item: Item): string {
  const text = [...textOfItem(item)].slice(0, MAX_CHARACTERS).join('');
  return `${authorText(item)}: ${text}`;
}

function isOnPage(item: Item): boolean {
  const { path, query } = route.peek();
  const parentId = item.kind === 'message' ? item.parentId : null;
  if (parentId !== null && parentId === openItemId.peek()) return true;
  if (path === '/stream') return passes(item, streamFilters.read(query), () => true);
  const isInHub = match('/hubs/:hubId', path)?.hubId === item.hubId;
  return isInHub && item.kind === 'message' && parentId === null;
}
