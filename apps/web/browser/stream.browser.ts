import { expect, test } from 'bun:test';
import type { Hub, Message } from '@hub/contract';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { readAll, startBackdatedTeam, teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { painted, seen, show } from '@hub/testkit/browser/steps';
import { post } from '@hub/testkit/in-process/test-hub';
import { addMember, type UserCaller } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';

const sessions = await teamSessions(startBackdatedTeam());
const { open } = sessions;

const entry = (page: Page, { id }: { id: string }) => page.locator(`[data-item="${id}"]`);
const ids = (page: Page) =>
  page.locator('.entry').evaluateAll((entries) => entries.map((each) => (each as HTMLElement).dataset.item));
const scrollTo = (page: Page, top: number) =>
  page.locator('.scroll').evaluate((scroller, to) => scroller.scrollTo({ top: to }), top);
const isAtEnd = (page: Page) =>
  page.locator('.scroll').evaluate((s) => s.scrollTop + s.clientHeight >= s.scrollHeight - 2);
const sideCount = (page: Page, name: string) => page.locator('.side .nav-row', { hasText: name }).locator('.count');

/** How long an item must be in view to count as read. */
const READ_MS = 3_000;
/** Opens the Stream with a clock that can end this time. */
const openReading = (caller: UserCaller) => open(caller, '/stream', { now: new Date().toISOString() });

let otherId: string | null = null;
/** Replaces the Hubs by an empty one. */
async function newHub() {
  if (otherId) await sessions.team.hub.admin.deleteHub(otherId);
  otherId = null;
  return sessions.newHub();
}

/** Replaces the Hubs by an empty one, and a second one, which has its own key. */
async function newHubs() {
  const team = await newHub();
  const { id } = await team.hub.admin.createHub('Website');
  for (const { user } of [team.ada, team.bob]) await addMember(team.hub, id, user);
  const { key: otherKey } = await team.hub.admin.issueKey({ hubId: id, name: 'website-forms' });
  otherId = id;
  return { ...team, otherId: id, otherKey };
}

test('posts by members and keys in any Hub appear immediately, newest on top, and replies show what they reply to; filters are kept in the URL and apply to items that arrive later', async () => {
  const team = await newHubs();
  const page = await open(team.ada, '/stream');
  await page.getByText('No posts yet').waitFor();
  const first = await team.message(team.bob, 'from a user');
  await entry(page, first).waitFor();
  await post(team.hub, 'todos', team.otherKey, { title: 'from a program', priority: 'HIGH' });
  await page.getByText('from a program').waitFor();
  const note = await team.note(team.bob, { title: 'A note', content: '**with** words' });
  await entry(page, note).waitFor();
  expect(await page.locator('.entry .top').allTextContents()).toEqual([
    'Bob Kahnwrote a note',
    'website-formsbotadded a to-do',
    'Bob Kahn',
  ]);
  expect(await page.locator('.entry .hub .cut').allTextContents()).toEqual(['Releases', 'Website', 'Releases']);
  expect(await page.locator('.entry .avatar').allTextContents()).toEqual(['BK', 'wf', 'BK']);
  const reply = await team.reply(team.ada, first, 'We shall.');
  await seen(entry(page, reply).getByText('Bob Kahn from a user'), entry(page, first).getByText('1 reply'));
  await page.getByRole('link', { name: 'In Website' }).click();
  await page.waitForURL(`**/hubs/${team.otherId}/todos?open=todo_*`);

  // Filters apply to items that arrive later.
  const message = await team.message(team.bob, 'in Releases');
  await post(team.hub, 'messages', team.otherKey, { text: 'from the form' });
  await show(page, '/stream', entry(page, message));
  await page.getByRole('button', { name: 'Hub: All Hubs' }).click();
  await page.getByRole('menuitemradio', { name: 'Website' }).click();
  await entry(page, message).waitFor({ state: 'detached' });
  await page.locator('.entry', { hasText: 'from the form' }).waitFor();
  expect(new URL(page.url()).search).toBe(`?hub=${team.otherId}`);
  await team.message(team.bob, 'still in Releases');
  await post(team.hub, 'todos', team.otherKey, { title: 'a to-do in Website' });
  await page.locator('.entry', { hasText: 'a to-do in Website' }).waitFor();
  expect(await page.locator('.entry').count()).toBe(3);

  await page.getByRole('button', { name: 'Kind: All kinds' }).click();
  await page.getByRole('menuitemradio', { name: 'Messages' }).click();
  await page.locator('.entry', { hasText: 'a to-do in Website' }).waitFor({ state: 'detached' });
  // Also keys of which no post is loaded: those of the chosen Hub, or of all.
  await page.getByRole('button', { name: 'Key: All keys' }).click();
  await page.getByRole('combobox', { name: 'Key' }).fill('FORMS');
  await page.getByRole('option', { name: 'website-forms' }).click();
  await page.waitForURL((url) => url.searchParams.has('key'));
  await page.locator('.entry', { hasText: 'from the form' }).waitFor();
  await page.reload();
  await page.locator('.entry', { hasText: 'from the form' }).waitFor();
  expect(await page.locator('.entry').count()).toBe(1);
});

test('a divider marks the end of the new items, Mark all read marks them as read, Undo makes the same items of each kind unread again, and the unread items contain only replies that are addressed to the user', async () => {
  const team = await newHub();
  const old = await team.message(team.bob, 'seen before');
  await readAll(team);
  const page = await open(team.ada, '/stream');
  await entry(page, old).waitFor();
  expect(await page.locator('.new-divider').count()).toBe(0);
  for (const text of ['one', 'two', 'three']) await team.message(team.bob, text);
  await page.getByRole('separator', { name: '3 new above' }).waitFor();
  expect(await page.locator('.entry.is-fresh').count()).toBe(3);
  await page.getByRole('button', { name: 'Unread' }).click();
  await entry(page, old).waitFor({ state: 'detached' });
  expect(await page.locator('.entry').count()).toBe(3);
  await page.getByRole('button', { name: 'Mark all read' }).click();
  await page.locator('.side .count').waitFor({ state: 'detached' });
  expect(await page.locator('.entry').count()).toBe(3);
  await page.getByRole('button', { name: 'Unread' }).click();
  await entry(page, old).waitFor();
  expect(await page.locator('.new-divider, .is-fresh').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Mark all read' }).isDisabled()).toBe(true);
  // As they arrive and after a reload.
  await page.getByRole('button', { name: 'Unread' }).click();
  await page.locator('.empty').waitFor();
  await team.reply(team.bob, old, 'to nobody');
  const reply = await team.reply(team.bob, old, 'to @Ada');
  await entry(page, reply).waitFor();
  expect(await ids(page)).toEqual([reply.id]);
  await page.reload();
  await entry(page, reply).waitFor();
  expect(await ids(page)).toEqual([reply.id]);

  await page.getByRole('button', { name: 'Mark all read' }).click();
  await page.locator('.side .count').first().waitFor({ state: 'detached' });
  // The conversation is read, and the reply in its thread is not.
  await team.reply(team.bob, await team.message(team.ada, 'Who?'), 'Bob');
  await team.message(team.bob, 'seen before, too');
  await readAll(team);
  await team.message(team.bob, `Hello @${team.ada.user.name}`);
  const { id: looked } = await team.message(team.bob, `Seen under For you, @${team.ada.user.name}`);
  await team.ada.json('PUT', '/mentions/read', { itemIds: [looked] });
  await team.todo(team.bob, { title: 'Ask' });
  await team.note(team.bob, { content: 'Read' });
  await page.goto('/stream');
  const [stream, mentions] = [sideCount(page, 'Stream'), sideCount(page, 'For you')];
  await seen(stream.getByText('4'), mentions.getByText('2'));
  const stateOf = async () => (await team.ada.json<Hub>('GET', `/hubs/${team.hubId}`)).body;
  const before = await stateOf();
  await page.getByRole('button', { name: 'Mark all read' }).click();
  await Promise.all([stream.waitFor({ state: 'detached' }), mentions.waitFor({ state: 'detached' })]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await seen(stream.getByText('4'), mentions.getByText('2'));
  const { unreadCounts, unreadMentionIds } = await stateOf();
  expect([unreadCounts, unreadMentionIds]).toEqual([before.unreadCounts, before.unreadMentionIds]);
  expect(unreadCounts).toEqual({ message: 2, note: 1, todo: 1 });
});

test('with a filter, items are not marked as read beyond those that it leaves out', async () => {
  const team = await newHubs();
  const hidden = await team.message(team.bob, 'by Bob');
  const shown = await team.post('messages', { text: 'by the key' });
  const page = await open(team.ada, `/stream?key=${team.keyId}`, { now: new Date().toISOString() });
  await entry(page, shown).waitFor();
  await page.clock.fastForward(READ_MS);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await page.goto('/stream');
  expect(await entry(page, hidden).locator('.time').textContent()).toEndWith(', new');
});

test('items seen for long enough are marked as read, for each kind up to the first unseen item, and look new while in view', async () => {
  const team = await newHubs();
  for (let n = 1; n <= 40; n++) await post(team.hub, 'messages', team.otherKey, { text: '-o'.repeat(n) });
  await team.todo(team.bob, { title: 'A to-do' });
  const note = await team.note(team.bob, { content: 'A note' });
  const page = await openReading(team.ada);
  await entry(page, note).waitFor();
  const unread = async () => {
    const { items } = (await team.ada.json<{ items: Hub[] }>('GET', '/hubs')).body;
    return Object.fromEntries(items.map(({ id, unreadCount }) => [id, unreadCount]));
  };
  const side = page.locator('.side');
  await side.getByRole('link', { name: 'Website 40 unread' }).waitFor();
  await page.clock.fastForward(READ_MS);
  await side.getByRole('link', { name: 'Releases', exact: true }).waitFor();
  expect(await unread()).toEqual({ [team.hubId]: 0, [team.otherId]: 40 });
  expect(await entry(page, note).locator('.time').textContent()).toEndWith(', new');
  // Scrolling past the others is not enough, and leaving the page does not mark the visible items as read.
  await page.locator('.scroll').evaluate(async (scroller) => {
    while (scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight) {
      scroller.scrollBy({ top: 300 });
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
  await side.getByRole('link', { name: 'For you' }).click();
  await page.waitForURL('**/mentions');
  await page.goBack();
  await page.locator('[data-item^="msg_"].is-fresh').first().waitFor();
  await page.mouse.move(640, 400);
  // Only the rows in view are in the page.
  const fresh = new Set<string | undefined>();
  const scroller = page.locator('.scroll');
  for (let top = Number.POSITIVE_INFINITY; top > 0; top = await scroller.evaluate(({ scrollTop }) => scrollTop)) {
    const rows = page.locator('[data-item^="msg_"].is-fresh');
    for (const id of await rows.evaluateAll((all) => all.map((row) => (row as HTMLElement).dataset.item)))
      fresh.add(id);
    await page.mouse.wheel(0, -300);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await entry(page, note).waitFor();
  expect([fresh.size, await unread()]).toEqual([40, { [team.hubId]: 0, [team.otherId]: 40 }]);
  await page.getByRole('button', { name: 'Mark all read' }).click();
  await side.locator('.count').waitFor({ state: 'detached' });
});

test('messages that a key repeats are one row, live, which opens in place and stands for each of them, in the Stream and the Hub', async () => {
  const team = await newHub();
  const made: string[] = [];
  const alert = async () =>
    made.push((await team.post('messages', { text: `Disk ${made.length} is full after ${made.length} min` })).id);
  for (let n = 0; n < 4; n++) await alert();
  const page = await openReading(team.ada);
  const toggle = (name: RegExp) => page.getByRole('button', { name });
  await toggle(/^and 3 similar since \d\d:\d\d$/).waitFor();
  await expectAccessible(page);
  // After a leak, posts are removed from the oldest that the row stands for.
  expect(await page.locator('.entry .via-key').getAttribute('href')).toContain(`open=${made[0]}`);
  await alert();
  await toggle(/^and 4 similar/).click();
  const [first, second, third, , last] = made as [string, string, string, string, string];
  expect(await ids(page)).toEqual(made.toReversed());
  // A message with a reaction keeps its row.
  await team.bob.json('PUT', `/messages/${second}/reactions/${encodeURIComponent('🎉')}`);
  await toggle(/^Hide 2 similar/).click();
  expect(await ids(page)).toEqual([last, second, first]);
  await page.clock.fastForward(READ_MS);
  await page.locator('.side').getByRole('link', { name: 'Releases', exact: true }).waitFor();
  expect((await team.ada.json<Hub>('GET', `/hubs/${team.hubId}`)).body.unreadCount).toBe(0);

  const rows = () =>
    page.locator('.feed .msg').evaluateAll((all) => all.map((row) => (row as HTMLElement).dataset.row));
  await page.locator('.side').getByRole('link', { name: 'Releases' }).click();
  await toggle(/^and 2 similar/).waitFor();
  expect(await rows()).toEqual([first, second, last]);
  await show(page, `/p/${third}`, `[data-row="${third}"].is-current`);
  expect(await rows()).toEqual(made);
});

test('older items load while scrolling, each once and in order, and a returning reader keeps their position', async () => {
  const team = await newHub();
  const made: Message[] = [];
  for (let n = 0; n < 120; n++) {
    made.push(await team.message(team.bob, `message ${n}`));
    if (n % 60 === 59) team.hub.clock.advance(3_600_000);
  }
  const page = await open(team.ada, '/stream');
  await page.getByText('message 119', { exact: true }).waitFor();
  const drawn = new Set<string | undefined>();
  while ((await page.getByText('You’ve reached the end.').count()) === 0 || !(await isAtEnd(page))) {
    for (const id of await ids(page)) drawn.add(id);
    await page.locator('.scroll').evaluate((scroller) => scroller.scrollBy({ top: 600 }));
    await painted(page);
  }
  for (const id of await ids(page)) drawn.add(id);
  expect([...drawn]).toEqual(made.map(({ id }) => id).toReversed());
  await page.getByRole('button', { name: 'Newest' }).click();
  await page.waitForFunction(() => document.querySelector('.scroll')?.scrollTop === 0);
  await page.getByRole('button', { name: 'Newest' }).waitFor({ state: 'detached' });

  await scrollTo(page, 3_000);
  const inSight = () => document.elementFromPoint(700, 400)?.closest<HTMLElement>('.entry')?.dataset.item;
  await painted(page);
  const id = (await (await page.waitForFunction(inSight)).jsonValue()) ?? '';
  const topOf = (itemId: string) =>
    document.querySelector(`.entry[data-item="${itemId}"]`)?.getBoundingClientRect().top ?? Number.NaN;
  const top = await page.evaluate(topOf, id);
  await entry(page, { id }).locator('a.hub').dispatchEvent('click');
  await page.getByRole('log').locator('.msg').first().waitFor();
  for (const n of [1, 2, 3]) await team.message(team.bob, `while away ${n}`);
  await page.goBack();
  await entry(page, { id }).waitFor();
  const isSamePosition = (wanted: { id: string; top: number }) => {
    const row = document.querySelector(`.entry[data-item="${wanted.id}"]`);
    return row !== null && Math.abs(row.getBoundingClientRect().top - wanted.top) < 4;
  };
  await page.waitForFunction(isSamePosition, { id, top });
  await page.getByRole('button', { name: '3 new' }).waitFor();
});

test("a mention and a reply in the reader's thread are counted under For you until they are opened or seen", async () => {
  const team = await newHub();
  const page = await openReading(team.ada);
  const own = await team.message(team.ada, 'Who is on call?');
  await show(page, '/mentions', '.empty');
  const side = page.locator('.side');
  await side.getByRole('link', { name: 'My to-dos' }).click();
  await team.message(team.bob, 'nobody in particular');
  const reply = await team.reply(team.bob, own, 'I am.');
  await side.getByRole('link', { name: 'For you 1 unread' }).click();
  await entry(page, reply).and(page.locator('.is-fresh')).waitFor();
  await entry(page, reply).locator('a.hub').click();
  await seen(page.locator('#panel').getByText('I am.'), side.getByRole('link', { name: 'For you', exact: true }));
  // A reply that arrives while the end of the thread is in view is marked as read there.
  const isRead = page.waitForResponse((response) => response.url().endsWith(`/items/${own.id}/replies/read`));
  const until = await team.reply(team.bob, own, 'Until six.');
  expect((await (await isRead).json()).unreadIds).toEqual({});
  await side.getByRole('link', { name: 'For you', exact: true }).click();

  const named = await team.message(team.bob, 'Look at this, @Ada Lovelace');
  await entry(page, named).and(page.locator('.is-fresh')).waitFor();
  expect(await ids(page)).toEqual([named.id, until.id, reply.id]);
  await side.getByRole('link', { name: 'For you 1 unread' }).waitFor();
  await page.clock.fastForward(READ_MS);
  await side.getByRole('link', { name: 'For you', exact: true }).waitFor();
  expect(await entry(page, named).and(page.locator('.is-fresh')).count()).toBe(1);
  const responded = await team.reply(team.bob, own, 'And then Cy.');
  await side.getByRole('link', { name: 'For you 1 unread' }).waitFor();
  await page.getByRole('button', { name: 'Mark all read' }).click();
  await side.getByRole('link', { name: 'For you', exact: true }).waitFor();
  await page.reload();
  await entry(page, responded).waitFor();
  expect([(await ids(page)).length, await page.locator('.is-fresh').count()]).toEqual([4, 0]);
});

test('nothing moves under the pointer, the focus, a selection or a menu: new items wait until they are asked for', async () => {
  const team = await newHub();
  const rows: Message[] = [];
  for (let n = 0; n < 4; n++) rows.push(await team.message(team.bob, `message ${n}`));
  const [older, newest] = [rows[1] as Message, rows[3] as Message];
  const page = await open(team.ada, '/stream');
  await entry(page, newest).waitFor();
  const topOf = (row: Message) => entry(page, row).evaluate((element) => element.getBoundingClientRect().top);
  const top = await topOf(older);
  const pill = (count: number) => page.getByRole('button', { name: `${count} new`, exact: true });
  /** Posts one more, and expects that it waits and that no row has moved. */
  let waiting = 0;
  const expectStill = async () => {
    await team.message(team.bob, 'one more');
    waiting += 1;
    await pill(waiting).waitFor();
    expect([await topOf(older), await page.locator('.entry').count()]).toEqual([top, 4]);
  };
  await entry(page, older).hover();
  await expectStill();
  await entry(page, older).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Copy link' }).hover();
  await expectStill();
  await page.mouse.move(0, 0);
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await expectStill();
  expect(await page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-item]')?.dataset.item)).toBe(
    older.id,
  );
  await entry(page, older).getByText('message 1').selectText();
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await expectStill();
  await pill(4).hover();
  await expectStill();
  await pill(5).click();
  await page.waitForFunction(() => document.querySelectorAll('.entry').length === 9);
});
