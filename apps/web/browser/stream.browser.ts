import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Hub, Message, Todo } from '@hub/contract';
import { TABLET, testBrowser, testSession, WIDE } from '@hub/testkit/browser/browser';
import { painted } from '@hub/testkit/browser/hub-test-sessions';
import { startTeam } from '@hub/testkit/in-process/team';
import { post } from '@hub/testkit/in-process/test-hub';
import { addMember } from '@hub/testkit/in-process/users';
import type { Browser, Page } from 'playwright-core';

let browser: Browser;
beforeAll(async () => {
  browser = await testBrowser();
});
afterAll(() => browser.close());

const entry = (page: Page, { id }: { id: string }) => page.locator(`[data-item="${id}"]`);
const ids = (page: Page) =>
  page.locator('.entry').evaluateAll((entries) => entries.map((each) => (each as HTMLElement).dataset.item));
const scrollTo = (page: Page, top: number) =>
  page.locator('.scroll').evaluate((scroller, to) => scroller.scrollTo({ top: to }), top);

/** Starts a team with a second Hub, which has its own key. */
async function startTwoHubs() {
  const team = await startTeam();
  const { id: otherId } = await team.hub.admin.createHub('Website');
  await addMember(team.hub, otherId, team.ada.user);
  await addMember(team.hub, otherId, team.bob.user);
  const { key: otherKey } = await team.hub.admin.issueKey({ hubId: otherId, name: 'website-forms' });
  return { ...team, otherId, otherKey };
}

test('posts by members and keys in any Hub appear immediately, newest on top', async () => {
  await using team = await startTwoHubs();
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  await page.goto('/stream');
  await page.getByText('No posts yet').waitFor();
  const first = await team.message(team.bob, 'from a user');
  await entry(page, first).waitFor();
  await post(team.hub, 'todos', team.otherKey, { title: 'from a program', priority: 'HIGH' });
  await page.getByText('from a program').waitFor();
  const note = await team.note(team.bob, { title: 'A note', content: '**with** words' });
  await entry(page, note).waitFor();
  expect(await page.locator('.entry .msg-name').allTextContents()).toEqual(['Bob Kahn', 'Bot', 'Bob Kahn']);
  expect(await page.locator('.entry .hub .cut').allTextContents()).toEqual(['Releases', 'Website', 'Releases']);
  expect(await page.locator('.entry').nth(1).locator('.top').textContent()).toContain('via website-forms');
  await page.getByRole('link', { name: 'In Website' }).click();
  await page.waitForURL(`**/hubs/${team.otherId}/todos?open=todo_*`);
  expect(problems).toEqual([]);
  await context.close();
});

test('a reply shows the message it replies to, and the message shows its reply count', async () => {
  await using team = await startTeam();
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  const message = await team.message(team.bob, 'Shall we **ship** it?');
  await page.goto('/stream');
  await entry(page, message).waitFor();
  const reply = await team.reply(team.ada, message, 'We shall.');
  await entry(page, reply).getByText('Bob Kahn Shall we ship it?').waitFor();
  await entry(page, message).getByText('1 reply').waitFor();
  await page.reload();
  await entry(page, reply).getByText('Bob Kahn Shall we ship it?').click();
  await page.locator('#panel', { hasText: 'We shall.' }).waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('the due date of a to-do stands beside its title, and below it where the page is narrow', async () => {
  await using team = await startTeam();
  const { page, context } = await testSession(browser, team.hub, { caller: team.ada });
  const { id } = await team.todo(team.bob, { title: 'Renew the certificate', dueDate: '2036-03-01T09:00:00Z' });
  await page.goto('/stream');
  const boxOf = async (part: string) => {
    const box = await page.locator(`[data-item="${id}"] ${part}`).boundingBox();
    if (!box) throw new Error(`${part} is not shown`);
    return box;
  };
  await page.locator('.todo-card .due').waitFor();
  for (const { width, height } of [WIDE, TABLET]) {
    await page.setViewportSize({ width, height });
    const [title, due] = [await boxOf('.todo-card .t'), await boxOf('.due')];
    expect(due.y >= title.y + title.height).toBe(width === TABLET.width);
  }
  await context.close();
});

test('changed items update in place, and deleted items disappear', async () => {
  await using team = await startTeam();
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  const message = await team.message(team.bob, 'a mistke');
  const todo = await team.todo(team.bob, { title: 'Check the lights' });
  await page.goto('/stream');
  await entry(page, message).waitFor();
  await team.bob.json('PATCH', `/messages/${message.id}`, { text: 'a mistake' });
  await entry(page, message).getByText('a mistake').waitFor();
  await team.ada.json('PUT', `/messages/${message.id}/reactions/${encodeURIComponent('👍')}`);
  await entry(page, message).locator('.chip', { hasText: '👍' }).waitFor();
  const { body: made } = await team.bob.json<Todo>('POST', `/messages/${message.id}/conversion`, { to: 'todo' });
  await entry(page, message).locator('.conversion', { hasText: 'a mistake' }).waitFor();
  await entry(page, made).waitFor();
  expect(await entry(page, message).locator('.edited').textContent()).toBe('edited');
  await team.ada.json('PATCH', `/todos/${todo.id}`, { title: 'Check all lights' });
  await entry(page, todo).getByText('edited by Ada Lovelace').waitFor();
  await team.bob.json('PATCH', `/todos/${todo.id}`, { status: 'done' });
  await entry(page, todo).getByText('done by Bob Kahn').waitFor();
  await team.bob.json('DELETE', `/messages/${message.id}`);
  await entry(page, message).waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
  await context.close();
});

test('filters are kept in the URL and apply to items that arrive later', async () => {
  await using team = await startTwoHubs();
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  const message = await team.message(team.bob, 'in Releases');
  await post(team.hub, 'messages', team.otherKey, { text: 'from the form' });
  await page.goto('/stream');
  await entry(page, message).waitFor();

  await page.getByRole('button', { name: 'Hub: All Hubs' }).click();
  await page.getByRole('menuitemradio', { name: 'Website' }).click();
  await entry(page, message).waitFor({ state: 'detached' });
  await page.getByText('from the form').waitFor();
  expect(new URL(page.url()).search).toBe(`?hub=${team.otherId}`);
  await team.message(team.bob, 'still in Releases');
  await post(team.hub, 'todos', team.otherKey, { title: 'a to-do in Website' });
  await page.getByText('a to-do in Website').waitFor();
  expect(await page.locator('.entry').count()).toBe(2);

  await page.getByRole('button', { name: 'Kind: All kinds' }).click();
  await page.getByRole('menuitemradio', { name: 'Messages' }).click();
  await page.getByText('a to-do in Website').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Key: All keys' }).click();
  await page.getByRole('menuitemradio', { name: 'website-forms' }).click();
  await page.waitForURL((url) => url.searchParams.has('key'));
  await page.getByText('from the form').waitFor();
  await page.reload();
  await page.getByText('from the form').waitFor();
  expect(await page.locator('.entry').count()).toBe(1);
  await page.goBack();
  await page.goBack();
  await page.getByText('a to-do in Website').waitFor();

  await page.goto('/stream?kind=note');
  await page.getByText('No matching posts').waitFor();
  await page.getByRole('button', { name: 'Show all posts' }).click();
  await entry(page, message).waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('a divider marks the end of the new items, and Mark all read marks them as read in every Hub', async () => {
  await using team = await startTeam();
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  const old = await team.message(team.bob, 'seen before');
  await team.ada.json('PUT', `/hubs/${team.hubId}/read`, { seq: await team.seq() });
  await page.goto('/stream');
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
  expect(problems).toEqual([]);
  await context.close();
});

test('the unread items contain only replies that are addressed to the user, as they arrive and after a reload', async () => {
  await using team = await startTeam();
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  const message = await team.message(team.bob, 'seen before');
  await team.ada.json('PUT', `/hubs/${team.hubId}/read`, { seq: await team.seq() });
  await page.goto('/stream?unread=true');
  await page.locator('.empty').waitFor();
  await team.reply(team.bob, message, 'to nobody');
  const reply = await team.reply(team.bob, message, 'to @Ada');
  await entry(page, reply).waitFor();
  expect(await ids(page)).toEqual([reply.id]);
  await page.reload();
  await entry(page, reply).waitFor();
  expect([await ids(page), problems]).toEqual([[reply.id], []]);
  await context.close();
});

test('Undo after Mark all read makes the same items of each kind unread again', async () => {
  await using team = await startTeam();
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  // The conversation is read, and the reply in its thread is not.
  await team.reply(team.bob, await team.message(team.ada, 'Who?'), 'Bob');
  await team.message(team.bob, 'seen before');
  await team.ada.json('PUT', `/hubs/${team.hubId}/read`, { seq: await team.seq() });
  await team.message(team.bob, `Hello @${team.ada.user.name}`);
  const { id: seen } = await team.message(team.bob, `Seen under Mentions, @${team.ada.user.name}`);
  await team.ada.json('PUT', '/mentions/read', { itemIds: [seen] });
  await team.todo(team.bob, { title: 'Ask' });
  await team.note(team.bob, { content: 'Read' });
  await page.goto('/stream');
  const stream = page.locator('.side .nav-row', { hasText: 'Stream' }).locator('.count');
  const mentions = page.locator('.side .nav-row', { hasText: 'Mentions' }).locator('.count');
  await stream.getByText('4').waitFor();
  await mentions.getByText('2').waitFor();
  const stateOf = async () => (await team.ada.json<Hub>('GET', `/hubs/${team.hubId}`)).body;
  const before = await stateOf();
  await page.getByRole('button', { name: 'Mark all read' }).click();
  await Promise.all([stream.waitFor({ state: 'detached' }), mentions.waitFor({ state: 'detached' })]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await stream.getByText('4').waitFor();
  await mentions.getByText('2').waitFor();
  const { unreadCounts, unreadMentionIds } = await stateOf();
  expect([unreadCounts, unreadMentionIds]).toEqual([before.unreadCounts, before.unreadMentionIds]);
  expect(unreadCounts).toEqual({ message: 2, note: 1, todo: 1 });
  expect(problems).toEqual([]);
  await context.close();
});

test('the divider appears only where everything below has been read, even if newer items in another Hub have been read', async () => {
  await using team = await startTwoHubs();
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  const old = await team.message(team.bob, 'seen before');
  const oldest = await team.message(team.bob, 'seen as well');
  await team.ada.json('PUT', `/hubs/${team.hubId}/read`, { seq: await team.seq() });
  // From oldest to newest: unread in one Hub, read in the other, then unread in the other.
  await post(team.hub, 'messages', team.otherKey, { text: 'unread in Website' });
  const between = await team.message(team.bob, 'read in Releases');
  await team.ada.json('PUT', `/hubs/${team.hubId}/read`, { seq: await team.seq() });
  await team.message(team.bob, 'unread in Releases');
  await page.goto('/mentions');
  await page.getByText('No mentions yet').waitFor();
  await page.locator('.side').getByRole('link', { name: 'Stream' }).click();
  await page.getByRole('separator', { name: '2 new above' }).waitFor();
  const order = await page
    .locator('.entry, .new-divider')
    .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.item ?? 'divider'));
  expect(order.slice(-3)).toEqual(['divider', oldest.id, old.id]);
  expect(order.indexOf(between.id)).toBe(1);
  expect(problems).toEqual([]);
  await context.close();
});

test('no divider appears until all unread items are loaded', async () => {
  await using team = await startTwoHubs();
  await post(team.hub, 'messages', team.otherKey, { text: 'the first of all, unread' });
  for (let n = 0; n < 120; n += 1) await team.message(team.bob, `message ${n}`);
  await team.ada.json('PUT', `/hubs/${team.hubId}/read`, { seq: await team.seq() });
  const newest = await team.message(team.bob, 'unread');
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  await page.goto('/stream');
  await entry(page, newest).and(page.locator('.is-fresh')).waitFor();
  await page.locator('.side').getByRole('link', { name: 'Website 1 unread' }).waitFor();
  expect(await page.getByRole('separator').count()).toBe(0);
  // The divider would be at the end of the list, so there is none.
  while (!(await isAtEnd(page)) || (await page.getByText('You’ve reached the end.').count()) === 0) {
    await page.locator('.scroll').evaluate((scroller) => scroller.scrollBy({ top: 2_000 }));
    await painted(page);
    expect(await page.getByRole('separator').count()).toBe(0);
  }
  await page.getByText('the first of all, unread').waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('items seen for long enough are marked as read, for each kind up to the first unseen item, and look new while in view', async () => {
  await using team = await startTwoHubs();
  for (let n = 0; n < 40; n++) await post(team.hub, 'messages', team.otherKey, { text: `message ${n}` });
  await team.todo(team.bob, { title: 'A to-do' });
  const note = await team.note(team.bob, { content: 'A note' });
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  await page.goto('/stream');
  await entry(page, note).waitFor();
  const unread = async () => {
    const { items } = (await team.ada.json<{ items: Hub[] }>('GET', '/hubs')).body;
    return Object.fromEntries(items.map(({ id, unreadCount }) => [id, unreadCount]));
  };
  const side = page.locator('.side');
  await side.getByRole('link', { name: 'Website 40 unread' }).waitFor();
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
  await side.getByRole('link', { name: 'Mentions' }).click();
  await page.waitForURL('**/mentions');
  await page.goBack();
  await entry(page, note).waitFor();
  expect(await page.locator('.is-fresh').count()).toBe(40);
  expect(await unread()).toEqual({ [team.hubId]: 0, [team.otherId]: 40 });
  await page.getByRole('button', { name: 'Mark all read' }).click();
  await side.locator('.count').waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
  await context.close();
});

test('a reader who has scrolled down keeps their position, and a button counts the new items above', async () => {
  await using team = await startTeam();
  for (let n = 0; n < 60; n++) await team.message(team.bob, `message ${n}`);
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  await page.goto('/stream');
  await page.getByText('message 59', { exact: true }).waitFor();
  await scrollTo(page, 900);
  const middle = page.getByText('message 40', { exact: true });
  const before = await middle.boundingBox();
  for (let n = 0; n < 3; n++) await team.message(team.bob, `later\n\n${'line\n\n'.repeat(n * 3)}`);
  await page.getByRole('button', { name: '3 new above' }).waitFor();
  expect(Math.abs(((await middle.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2);
  await page.getByRole('button', { name: '3 new above' }).click();
  await page.getByText('later').first().waitFor();
  await page.waitForFunction(() => document.querySelector('.scroll')?.scrollTop === 0);
  await page.getByRole('button', { name: /new above/ }).waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
  await context.close();
});

test('older items load while scrolling, each once and in order, and a returning reader keeps their position', async () => {
  await using team = await startTeam();
  const made: Message[] = [];
  for (let n = 0; n < 170; n++) {
    made.push(await team.message(team.bob, `message ${n}`));
    if (n % 40 === 39) team.hub.clock.advance(86_400_000);
  }
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  await page.goto('/stream');
  await page.getByText('message 169', { exact: true }).waitFor();
  const seen = new Set<string | undefined>();
  while ((await page.getByText('You’ve reached the end.').count()) === 0 || !(await isAtEnd(page))) {
    for (const id of await ids(page)) seen.add(id);
    await page.locator('.scroll').evaluate((scroller) => scroller.scrollBy({ top: 600 }));
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }
  for (const id of await ids(page)) seen.add(id);
  expect([...seen]).toEqual(made.map(({ id }) => id).toReversed());
  expect(await page.locator('.day').count()).toBeGreaterThan(0);
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
  await entry(page, { id })
    .locator('a.hub')
    .evaluate((link) => (link as HTMLElement).click());
  await page.waitForURL('**/hubs/**');
  for (const n of [1, 2, 3]) await team.message(team.bob, `while away ${n}`);
  await page.getByRole('button', { name: '3 new' }).waitFor();
  await page.goBack();
  await entry(page, { id }).waitFor();
  const isSamePosition = (wanted: { id: string; top: number }) => {
    const row = document.querySelector(`.entry[data-item="${wanted.id}"]`);
    return row !== null && Math.abs(row.getBoundingClientRect().top - wanted.top) < 4;
  };
  await page.waitForFunction(isSamePosition, { id, top });
  await page.getByRole('button', { name: '3 new above' }).waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('with a filter, Mark all read leaves out what the filter hides', async () => {
  await using team = await startTwoHubs();
  await team.message(team.bob, 'in Releases');
  await post(team.hub, 'messages', team.otherKey, { text: 'from the form' });
  await post(team.hub, 'todos', team.otherKey, { title: 'to do' });
  const { page, context } = await testSession(browser, team.hub, { caller: team.ada });
  const stream = page.locator('.side .nav-row', { hasText: 'Stream' }).locator('.count');
  await page.goto(`/stream?hub=${team.otherId}&kind=todo`);
  await stream.getByText('3').waitFor();
  await page.getByRole('button', { name: 'Mark all read' }).click();
  await stream.getByText('2').waitFor();
  await page.getByText('Everything in this view is marked as read.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await stream.getByText('3').waitFor();
  await page.goto(`/stream?hub=${team.otherId}`);
  await page.getByRole('button', { name: 'Mark all read' }).click();
  await stream.getByText('1').waitFor();
  expect(await page.getByRole('button', { name: 'Mark all read' }).isDisabled()).toBe(true);
  await context.close();
});

const isAtEnd = (page: Page) =>
  page.locator('.scroll').evaluate((s) => s.scrollTop + s.clientHeight >= s.scrollHeight - 2);

test('the keyboard moves between items and opens one', async () => {
  await using team = await startTeam();
  for (let n = 0; n < 5; n++) await team.message(team.bob, `message ${n}`);
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  await page.goto('/stream');
  await page.getByText('message 4').waitFor();
  for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('message 3');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/hubs/*?at=msg_*');
  expect(problems).toEqual([]);
  await context.close();
});

test("a mention and a reply in the reader's thread are counted under Mentions until they are opened or seen", async () => {
  await using team = await startTeam();
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  const own = await team.message(team.ada, 'Who is on call?');
  await page.goto('/mentions');
  await page.getByText('No mentions yet').waitFor();
  expect(await page.getByRole('button', { name: 'Mark all read' }).count()).toBe(0);
  const side = page.locator('.side');
  await side.getByRole('link', { name: 'My to-dos' }).click();
  await team.message(team.bob, 'nobody in particular');
  const reply = await team.reply(team.bob, own, 'I am.');
  await side.getByRole('link', { name: 'Mentions 1 unread' }).click();
  await entry(page, reply).and(page.locator('.is-fresh')).waitFor();
  await entry(page, reply).locator('a.hub').click();
  await page.locator('#panel').getByText('I am.').waitFor();
  await side.getByRole('link', { name: 'Mentions', exact: true }).waitFor();
  // A reply that arrives while the end of the thread is in view is marked as read there.
  const isRead = page.waitForResponse((response) => response.url().endsWith(`/messages/${own.id}/replies/read`));
  const until = await team.reply(team.bob, own, 'Until six.');
  expect((await (await isRead).json()).unreadIds).toEqual({});
  await side.getByRole('link', { name: 'Mentions', exact: true }).click();

  const named = await team.message(team.bob, 'Look at this, @Ada Lovelace');
  await entry(page, named).and(page.locator('.is-fresh')).waitFor();
  expect(await ids(page)).toEqual([named.id, until.id, reply.id]);
  await side.getByRole('link', { name: 'Mentions 1 unread' }).waitFor();
  await side.getByRole('link', { name: 'Mentions', exact: true }).waitFor();
  expect(await entry(page, named).and(page.locator('.is-fresh')).count()).toBe(1);
  const responded = await team.reply(team.bob, own, 'And then Cy.');
  await side.getByRole('link', { name: 'Mentions 1 unread' }).waitFor();
  await page.getByRole('button', { name: 'Mark all read' }).click();
  await side.getByRole('link', { name: 'Mentions', exact: true }).waitFor();
  await page.reload();
  await entry(page, responded).waitFor();
  expect([(await ids(page)).length, await page.locator('.is-fresh').count()]).toEqual([4, 0]);
  expect(problems).toEqual([]);
  await context.close();
});
