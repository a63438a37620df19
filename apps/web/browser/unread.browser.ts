import { expect, test } from 'bun:test';
import type { Hub } from '@hub/contract';
import { fill, readAll, scrollUp, startBackdatedTeam, teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { eventually, painted, seen, topOf } from '@hub/testkit/browser/steps';
import type { Team } from '@hub/testkit/in-process/team';
import type { Page } from 'playwright-core';

const { open, openHub, newHub } = await teamSessions(startBackdatedTeam());

/** Simulates that another window has the focus, or that this one has it again. */
const look = (page: Page, isHere: boolean) =>
  page.evaluate((hasFocus) => {
    document.hasFocus = () => hasFocus;
    dispatchEvent(new Event(hasFocus ? 'focus' : 'blur'));
  }, isHere);

const countsOf = async ({ ada, hubId }: Team) => (await ada.json<Hub>('GET', `/hubs/${hubId}`)).body.unreadCounts;
const unread = async (team: Team) => (await countsOf(team))?.message;
const expectUnread = (team: Team, counts: Hub['unreadCounts']) =>
  eventually(async () => Bun.deepEquals(await countsOf(team), counts));
const expectRead = (team: Team) => expectUnread(team, { message: 0, note: 0, todo: 0 });
const count = (page: Page) => page.locator('.side .nav-row', { hasText: 'Releases' }).locator('.count');
const divider = (page: Page, name: string) => page.getByRole('separator', { name });

test('unread posts appear below a divider that stays while the reader reads, moves to where the reader stopped while away, and are marked as read once in view of a reader who is there', async () => {
  const team = await newHub();
  await fill(team, 30);
  const first = await team.message(team.bob, 'The first new one');
  await team.post('messages', { text: 'A second' });
  const ada = await openHub(team.ada);
  const line = divider(ada.page, '2 new messages below');
  await line.waitFor();
  expect(await topOf(line)).toBeLessThan(await topOf(ada.row(first)));
  await expectRead(team);
  await ada.page.keyboard.press('j');
  await ada.page.locator('.msg:focus', { hasText: 'The first new one' }).waitFor();

  const third = await team.message(team.bob, 'A third, read on arrival');
  await seen(ada.row(third), divider(ada.page, '3 new messages below'));
  await expectRead(team);

  await look(ada.page, false);
  const missed = await team.message(team.bob, 'Where are you?');
  await ada.row(missed).waitFor();
  const below = divider(ada.page, '1 new message below');
  await below.waitFor();
  expect(await topOf(below)).toBeLessThan(await topOf(ada.row(missed)));
  expect(await unread(team)).toBe(1);
  await look(ada.page, true);
  await expectRead(team);
  await below.waitFor();
});

test('to-dos and notes stay unread while the reader is in the conversation, and are marked as read on their own tab; the menu of a Hub marks its messages, to-dos and notes as read', async () => {
  const team = await newHub();
  await fill(team, 3);
  const { page, row } = await openHub(team.ada);
  await team.todo(team.bob, { title: 'Order the cake' });
  await team.post('notes', { title: 'Where the spare key is', content: 'Under the mat.' });
  const morning = await team.message(team.bob, 'Good morning');
  await row(morning).waitFor();
  await expectUnread(team, { message: 0, note: 1, todo: 1 });
  const tab = (name: string | RegExp) => page.getByRole('navigation', { name: 'Releases' }).getByRole('link', { name });
  await tab('Notes 1 new').waitFor();
  const inSide = page.locator('.side').getByRole('link', { name: 'Releases 2 unread' });
  expect(await inSide.evaluate((link) => getComputedStyle(link).fontWeight)).toBe('600');
  await page.waitForFunction(() => document.title === '(2) Releases · Hub');

  await tab('To-dos 1 new').click();
  await seen(page.locator('.todo.is-new').getByText('New', { exact: true }), tab(/^To-dos 1$/));
  await expectUnread(team, { message: 0, note: 1, todo: 0 });
  await tab(/^Notes/).click();
  await page.locator('.note', { hasText: 'Where the spare key is' }).getByText('New', { exact: true }).waitFor();
  await page.locator('.side .count').first().waitFor({ state: 'detached' });
  await expectRead(team);
  await tab(/^To-dos/).click();
  await page.locator('.todo').waitFor();
  expect(await page.locator('.is-new').count()).toBe(0);

  await team.message(team.bob, 'Look at these');
  await team.note(team.bob, { title: 'Runbook', content: 'Restart it.' });
  await team.todo(team.bob, { title: 'Renew the certificate' });
  await count(page).waitFor();
  await page.getByRole('button', { name: 'Hub options' }).click();
  await page.getByRole('menuitem', { name: 'Mark as read' }).click();
  await page.getByText('All messages, to-dos and notes in Releases are marked as read.').waitFor();
  await count(page).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Hub options' }).click();
  await page.getByRole('menuitem', { name: 'Mute this Hub' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Mark as read' }).count()).toBe(0);
});

test('a reader who has scrolled up keeps their position at fifty messages a second; the count of new messages leads to the first without marking anything as read, then to the newest', async () => {
  const team = await newHub();
  await fill(team, 80);
  const ada = await openHub(team.ada);
  await scrollUp(ada, 1_500);
  const tops = await ada.page.evaluateHandle(() => {
    const rows = [...document.querySelectorAll('.feed [data-row]')];
    const watched = rows.find((each) => each.getBoundingClientRect().top > 200);
    const tops: number[] = [];
    const add = () => {
      tops.push(watched?.isConnected ? watched.getBoundingClientRect().top : Number.NaN);
      requestAnimationFrame(add);
    };
    add();
    return tops;
  });
  const arrived: { id: string }[] = [];
  for (let second = 0; second < 3; second += 1)
    arrived.push(...(await Promise.all(Array.from({ length: 50 }, (_, n) => team.message(team.bob, `Arrived ${n}`)))));
  await ada.page.getByRole('button', { name: '150 new' }).waitFor();
  const [before = Number.NaN, ...later] = await tops.jsonValue();
  for (const top of later) expect(Math.abs(top - before)).toBeLessThanOrEqual(1);
  await ada.page.getByRole('button', { name: '150 new' }).click();
  await divider(ada.page, '150 new messages below').waitFor();
  await painted(ada.page);
  const feedTop = await topOf(ada.page.locator('.feed'));
  expect((await topOf(divider(ada.page, '150 new messages below'))) - feedTop).toBeWithin(0, 120);
  // The button counts messages that have not been in view yet, and each press jumps to the first of them.
  const rest = ada.page.getByRole('button', { name: /^\d+ new$/ });
  expect(Number.parseInt((await rest.textContent()) ?? '', 10)).toBeWithin(100, 150);
  expect(await unread(team)).toBe(150);
  while ((await rest.count()) > 0) {
    await rest.click();
    await painted(ada.page);
  }
  await ada.row(arrived.at(-1) ?? { id: '' }).waitFor();
  await ada.page.locator('.side').getByRole('link', { name: 'Releases', exact: true }).waitFor();
  expect(await unread(team)).toBe(0);
});

test('the Hub opens at the divider when there are more unread messages than fit on a page, and marks none as read until the newest is in view', async () => {
  const team = await newHub();
  const before = (await fill(team, 30)).at(-1) ?? { id: '' };
  const first = await team.message(team.bob, 'Unread 0');
  await team.message(team.bob, '@Ada Lovelace, unread 1');
  for (let n = 2; n < 200; n += 1) await team.message(team.bob, `Unread ${n}`);
  const page = await open(team.ada, '/mentions');
  await count(page).getByText('200').waitFor();
  await page.waitForFunction(() => document.title === '(200) For you · Hub');
  const marks: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') marks.push(request.postData() ?? '');
  });
  await page.goto(`/hubs/${team.hubId}`);
  const line = page.getByRole('separator', { name: '200 new messages below' });
  await line.waitFor();
  const row = ({ id }: { id: string }) => page.locator(`.main .feed [data-row="${id}"]`);
  expect(await topOf(row(before))).toBeLessThan(await topOf(line));
  expect(await topOf(line)).toBeLessThan(await topOf(row(first)));
  expect(await row(first).evaluate((each) => each.getBoundingClientRect().bottom < innerHeight)).toBe(true);
  await page.locator('.side').getByRole('link', { name: 'For you 1 unread' }).waitFor();
  await painted(page);
  expect(marks).toEqual([]);
  const read = page.waitForResponse((response) => response.request().method() === 'PUT');
  await page.getByRole('button', { name: 'Newest' }).click();
  await page.getByText('Unread 199', { exact: true }).waitFor();
  expect(await (await read).json()).toMatchObject({ unreadCounts: { message: 0 } });
  await page.locator('.side').getByRole('link', { name: 'For you', exact: true }).waitFor();
  // The first of the newly loaded rows is not the first unread one.
  expect(await page.getByRole('separator').count()).toBe(0);
  // Messages that arrived at the end in the meantime are not skipped when the reader returns.
  await page.locator('.side').getByRole('link', { name: 'For you', exact: true }).click();
  await page.getByRole('heading', { name: 'For you' }).waitFor();
  for (const text of ['Late', 'Later']) await team.message(team.bob, `${text}\n\n`.repeat(25));
  await page.locator('.side').getByRole('link', { name: 'Releases 2 unread' }).waitFor();
  await page.goBack();
  await page.getByRole('separator', { name: '2 new messages below' }).waitFor();
  await painted(page);
  expect(await topOf(page.getByRole('separator'))).toBeGreaterThan(0);
  expect(await unread(team)).toBe(2);
});

test('u marks the messages from the selected one on as unread until the reader comes back', async () => {
  const team = await startReadHub(4);
  const { page } = await openHub(team.ada);
  await page.clock.install();
  const newDivider = page.locator('.feed-row', { has: page.locator('[role="separator"]') });
  for (const _ of [1, 2]) await page.keyboard.press('k');
  await page.keyboard.press('u');
  await page.getByText('Marked as unread.').waitFor();
  expect(await newDivider.getAttribute('data-id')).toBe(team.last(2).id);
  await count(page).getByText('2').waitFor();
  // The page that shows the end does not mark it as read, not even when a message arrives.
  await team.message(team.bob, 'And another');
  await page.getByText('And another').waitFor();
  await page.clock.runFor(3_000);
  expect(await unread(team)).toBe(3);
  await page.locator('.side .nav-row', { hasText: 'Stream' }).click();
  await page.waitForURL('**/stream');
  await page.locator('.side .nav-row', { hasText: 'Releases' }).click();
  expect(await newDivider.getAttribute('data-id')).toBe(team.last(2).id);
  await page.clock.runFor(3_000);
  await count(page).waitFor({ state: 'detached' });
});

/** Returns a new Hub with these messages by Bob, which Ada has read. */
async function startReadHub(count: number) {
  const team = await newHub();
  const written: { id: string; seq: number }[] = [];
  for (let n = 0; n < count; n += 1) {
    written.push(await team.message(team.bob, `Message ${n}`));
    team.afterMinutes(10);
  }
  await readAll(team);
  return { ...team, last: (fromEnd: number) => written.at(-fromEnd) ?? { id: '', seq: 0 } };
}
