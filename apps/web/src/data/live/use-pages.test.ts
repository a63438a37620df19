import { expect, test } from 'bun:test';
import { Pages } from './use-pages.ts';

/** A list of entries on the server, two on a page. */
function start(ids: number[]) {
  const server = { ids, isAway: false, asked: 0 };
  const pages = new Pages(async (before) => {
    server.asked += 1;
    if (server.isAway) throw new Error('The server is away');
    const left = server.ids.filter((id) => before === null || id < Number(before));
    const shown = left.slice(0, 2);
    return { items: shown.map((id) => ({ id: String(id) })), next: left.length > 2 ? String(shown.at(-1)) : null };
  });
  const shown = () => {
    const { items, status, next } = pages.state.peek();
    return [items.map(({ id }) => id).join(' '), status, next];
  };
  return { pages, server, shown };
}

test('loads one page after another, and nothing after the end', async () => {
  const { pages, server, shown } = start([5, 4, 3, 2, 1]);
  expect(shown()).toEqual(['', 'loading', null]);
  await Promise.all([pages.loadMore(), pages.loadMore()]);
  expect([shown(), server.asked]).toEqual([['5 4', 'ready', '4'], 1]);
  await pages.loadMore();
  await pages.loadMore();
  expect(shown()).toEqual(['5 4 3 2 1', 'ready', null]);
  await pages.loadMore();
  expect(server.asked).toBe(3);
});

test('keeps the loaded pages when the next one fails, and loads that one again', async () => {
  const { pages, server, shown } = start([5, 4, 3]);
  await pages.loadMore();
  server.isAway = true;
  await pages.loadMore();
  expect([shown(), pages.state.peek().text]).toEqual([['5 4', 'failed', '4'], 'The server is away']);
  server.isAway = false;
  await pages.loadMore();
  expect(shown()).toEqual(['5 4 3', 'ready', null]);
});

test('refresh adds newer items once, and keeps everything if it fails', async () => {
  const { pages, server, shown } = start([3, 2, 1]);
  await pages.loadMore();
  await pages.loadMore();
  server.ids = [4, 3, 2, 1];
  await pages.refresh();
  await pages.refresh();
  expect(shown()).toEqual(['4 3 2 1', 'ready', null]);
  server.isAway = true;
  await pages.refresh();
  expect(shown()).toEqual(['4 3 2 1', 'ready', null]);
});

test('refresh while a page is loading adds the newer items afterwards', async () => {
  const { pages, server, shown } = start([3, 2, 1]);
  await pages.loadMore();
  const older = pages.loadMore();
  server.ids = [4, 3, 2, 1];
  await Promise.all([older, pages.refresh()]);
  expect(shown()).toEqual(['4 3 2 1', 'ready', null]);
});

test('refresh starts over if there may be items between the newest page and the loaded ones', async () => {
  const { pages, server, shown } = start([3, 2, 1]);
  await pages.loadMore();
  server.ids = [7, 6, 5, 4, 3, 2, 1];
  await pages.refresh();
  expect(shown()).toEqual(['7 6', 'ready', '6']);
});
