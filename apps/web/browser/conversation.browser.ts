import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Hub, Message, Todo } from '@hub/contract';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { PHONE, testBrowser, WIDE } from '@hub/testkit/browser/browser';
import {
  fill,
  isShown,
  LIVE_MS,
  openTestSession,
  startBackdatedTeam,
  topOf,
} from '@hub/testkit/browser/hub-test-sessions';
import { createUser, memberOf, signIn } from '@hub/testkit/in-process/users';
import type { Browser, Locator, Page } from 'playwright-core';

let browser: Browser;
beforeAll(async () => {
  browser = await testBrowser();
});
afterAll(() => browser.close());

/** Simulates that another window has the focus. */
const lookAway = (page: Page) =>
  page.evaluate(() => {
    document.hasFocus = () => false;
    dispatchEvent(new Event('blur'));
  });
const lookBack = (page: Page) =>
  page.evaluate(() => {
    document.hasFocus = () => true;
    dispatchEvent(new Event('focus'));
  });
describe('two members and a key in one Hub', () => {
  test("see each other's posts, edits, deletions, conversions and completed to-dos within a second", async () => {
    await using team = await startBackdatedTeam();
    const ada = await openTestSession(browser, team, { caller: team.ada });
    const bob = await openTestSession(browser, team, { caller: team.bob });
    const both = [ada, bob];

    const posted = await team.post('messages', { text: 'Deployed 4.18.0' });
    for (const testSession of both)
      await testSession.row(posted).getByText('Deployed 4.18.0').waitFor({ timeout: LIVE_MS });
    expect(await bob.row(posted).locator('.msg-head').textContent()).toStartWith('Bot via ci ');

    const field = ada.page.getByRole('textbox', { name: /^Message to/ });
    await field.fill('All is calm');
    await field.press('Enter');
    await bob.page.locator('.feed').getByText('All is calm').waitFor({ timeout: LIVE_MS });
    const written = (await team.messages()).items[0] as Message;

    await ada.row(written).hover();
    await ada.row(written).getByRole('button', { name: 'More' }).click();
    await ada.page.getByRole('menuitem', { name: 'Edit' }).click();
    await ada.page.getByRole('textbox', { name: 'Message text' }).fill('All is well');
    await ada.page.keyboard.press('Enter');
    for (const testSession of both)
      await testSession.row(written).getByText('All is well').waitFor({ timeout: LIVE_MS });
    await bob.row(written).getByText('edited').waitFor({ timeout: LIVE_MS });

    await bob.row(posted).hover();
    await bob
      .row(posted)
      .getByRole('button', { name: /Convert to to-do/ })
      .click();
    await bob.page.getByText('To-do created.').waitFor();
    const badge = ada.row(posted).locator('.conversion');
    await badge.getByText('open').waitFor({ timeout: LIVE_MS });
    const { conversion } = await team.show<Message>(posted);
    await team.bob.json<Todo>('PATCH', `/todos/${conversion?.id}`, { status: 'done' });
    for (const testSession of both) await testSession.row(posted).getByText('done · Bob').waitFor({ timeout: LIVE_MS });

    await ada.row(written).hover();
    await ada.row(written).getByRole('button', { name: 'More' }).click();
    await ada.page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = ada.page.getByRole('dialog');
    expect(await dialog.locator('.item-quote').textContent()).toBe('Ada Lovelace All is well');
    await dialog.getByText('You can restore it for 30 days.').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    for (const testSession of both) await testSession.row(written).waitFor({ state: 'detached', timeout: LIVE_MS });
    await ada.page.waitForFunction((id) => document.activeElement?.getAttribute('data-row') === id, posted.id);

    await ada.page.getByRole('button', { name: 'Undo' }).click();
    for (const testSession of both) await testSession.row(written).waitFor({ timeout: LIVE_MS });
    const order = () =>
      bob.page.locator('[data-row]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')));
    expect((await order()).slice(-2)).toEqual([posted.id, written.id]);

    // Later, the menu of the Hub lists it for its author, and not for others.
    await team.ada.json('DELETE', `/messages/${written.id}`);
    for (const { page } of both) {
      await page.getByRole('button', { name: 'Hub options' }).click();
      await page.getByRole('menuitem', { name: 'Deleted items' }).click();
    }
    await bob.page.getByText('No deleted items.').waitFor();
    await ada.page.locator('.deleted-items').getByText('All is well').waitFor();
    await ada.page.getByRole('button', { name: 'Restore' }).click();
    await ada.page.getByText('No deleted items.').waitFor();
    expect(await ada.page.evaluate(() => document.activeElement?.textContent)).toBe('Close');
    await bob.row(written).waitFor({ timeout: LIVE_MS });

    for (const testSession of both) await testSession.leave();
  });

  test('a reader who was disconnected sees each post that arrived in the meantime exactly once', async () => {
    await using team = await startBackdatedTeam();
    const ada = await openTestSession(browser, team, { caller: team.ada });
    await ada.page.evaluate(() => document.querySelector('.live')?.textContent);
    await ada.context.setOffline(true);
    const missed = await team.message(team.bob, 'While you were away');
    await ada.context.setOffline(false);
    await ada.row(missed).waitFor();
    expect(await ada.row(missed).count()).toBe(1);
    await ada.context.close();
  });
});

/** Checks that one element is above the other and that they do not overlap. */
async function expectBeside(upper: Locator, lower: Locator): Promise<void> {
  const [above, below] = [await upper.boundingBox(), await lower.boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThan(below?.y ?? 0);
}

describe('unread posts', () => {
  test('appear below a divider that stays while the reader reads, and are marked as read once in view', async () => {
    await using team = await startBackdatedTeam();
    await fill(team, 30);
    await team.ada.json('PUT', `/hubs/${team.hubId}/read`, { seq: await team.seq() });
    const [first] = [
      await team.message(team.bob, 'The first new one'),
      await team.post('messages', { text: 'A second' }),
    ];
    const ada = await openTestSession(browser, team, { caller: team.ada });
    const line = ada.page.getByRole('separator', { name: '2 new messages below' });
    await line.waitFor();
    expect(await topOf(line)).toBeLessThan(await topOf(ada.row(first)));
    await expectRead(team, true);

    const third = await team.message(team.bob, 'A third, read on arrival');
    await ada.row(third).waitFor({ timeout: LIVE_MS });
    await ada.page.getByRole('separator', { name: '3 new messages below' }).waitFor();
    await expectRead(team, true);
    await ada.leave();
  });

  test('that arrive while the reader is away move the divider to where the reader stopped, and stay unread until the reader returns', async () => {
    await using team = await startBackdatedTeam();
    await fill(team, 5);
    const ada = await openTestSession(browser, team, { caller: team.ada });
    await expectRead(team, true);
    await lookAway(ada.page);
    const missed = await team.message(team.bob, 'Where are you?');
    await ada.row(missed).waitFor({ timeout: LIVE_MS });
    const line = ada.page.getByRole('separator', { name: '1 new message below' });
    await line.waitFor();
    expect(await topOf(line)).toBeLessThan(await topOf(ada.row(missed)));
    await expectRead(team, false);
    await lookBack(ada.page);
    await expectRead(team, true);
    await line.waitFor();
    await ada.leave();
  });

  test('that are to-dos or notes stay unread while the reader is in the conversation, and are marked as read on their own tab', async () => {
    await using team = await startBackdatedTeam();
    await fill(team, 3);
    const { page, leave, row } = await openTestSession(browser, team, { caller: team.ada });
    await team.todo(team.bob, { title: 'Order the cake' });
    await team.post('notes', { title: 'Where the spare key is', content: 'Under the mat.' });
    const seen = await team.message(team.bob, 'Good morning');
    await row(seen).waitFor({ timeout: LIVE_MS });
    await expectUnread(team, { message: 0, note: 1, todo: 1 });
    const tab = (name: string | RegExp) =>
      page.getByRole('navigation', { name: 'Releases' }).getByRole('link', { name });
    await tab('Notes 1 new').waitFor();
    const inSide = page.locator('.side').getByRole('link', { name: 'Releases 2 unread' });
    await inSide.waitFor();
    expect(await inSide.evaluate((link) => getComputedStyle(link).fontWeight)).toBe('600');
    await page.waitForFunction(() => document.title.startsWith('(2) '));

    await tab('To-dos 1 new').click();
    await page.locator('.todo.is-new').getByText('New', { exact: true }).waitFor();
    await tab(/^To-dos 1$/).waitFor();
    await expectUnread(team, { message: 0, note: 1, todo: 0 });
    await tab(/^Notes/).click();
    await page.locator('.note', { hasText: 'Where the spare key is' }).getByText('New', { exact: true }).waitFor();
    await page.locator('.side .count').first().waitFor({ state: 'detached' });
    await expectUnread(team, { message: 0, note: 0, todo: 0 });
    await tab(/^To-dos/).click();
    await page.locator('.todo').waitFor();
    expect(await page.locator('.is-new').count()).toBe(0);

    // A filter hides the new item, so that the reader does not see it.
    await page.getByRole('button', { name: /^Priority/ }).click();
    await page.getByRole('menuitemradio', { name: 'Urgent' }).click();
    await page.locator('.todo').waitFor({ state: 'detached' });
    await team.todo(team.bob, { title: 'Light the candles' });
    await tab('To-dos 1 new').waitFor();
    await page.getByRole('button', { name: 'Urgent' }).click();
    await page.getByRole('menuitemradio', { name: 'Any priority' }).click();
    await page.locator('.todo.is-new', { hasText: 'Light the candles' }).waitFor();
    await expectUnread(team, { message: 0, note: 0, todo: 0 });
    await leave();
  });

  async function expectUnread(team: Awaited<ReturnType<typeof startBackdatedTeam>>, counts: Hub['unreadCounts']) {
    const unread = async () => (await team.ada.json<Hub>('GET', `/hubs/${team.hubId}`)).body.unreadCounts;
    for (let tries = 0; !Bun.deepEquals(await unread(), counts) && tries < 100; tries += 1) await Bun.sleep(20);
    expect(await unread()).toEqual(counts);
  }

  async function expectRead(team: Awaited<ReturnType<typeof startBackdatedTeam>>, isRead: boolean): Promise<void> {
    const countOf = async () => (await team.ada.json<Hub>('GET', `/hubs/${team.hubId}`)).body.unreadCount ?? -1;
    if (!isRead) {
      expect(await countOf()).toBeGreaterThan(0);
      return;
    }
    for (let tries = 0; (await countOf()) > 0 && tries < 100; tries += 1) await Bun.sleep(20);
    expect(await countOf()).toBe(0);
  }
});

describe('an empty Hub', () => {
  test('shows the first message while it is being sent and after sending has failed', async () => {
    await using team = await startBackdatedTeam();
    const ada = await openTestSession(browser, team, { caller: team.ada });
    await ada.page.getByRole('heading', { name: 'No posts yet' }).waitFor();
    await ada.page.route('**/messages', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await ada.page.getByRole('textbox', { name: 'Message to' }).fill('The first');
    await ada.page.keyboard.press('Enter');
    await ada.page.getByRole('button', { name: 'Discard' }).click();
    await ada.page.getByRole('heading', { name: 'No posts yet' }).waitFor();
    await ada.context.close();
  });

  test('shows an admin how to issue a key in a terminal', async () => {
    await using team = await startBackdatedTeam();
    const admin = await signIn(team.hub, await createUser(team.hub, { role: 'admin', name: 'Root' }));
    await team.hub.admin.raw('POST', `/hubs/${team.hubId}/members`, { userId: admin.user.id });
    const root = await openTestSession(browser, team, { caller: admin });
    await root.page.getByText('Use a terminal').click();
    await root.page.getByText('hubctl keys issue --hub Releases').waitFor();
    await root.leave();
  });

  test('shows the next steps until the first message arrives', async () => {
    await using team = await startBackdatedTeam();
    const ada = await openTestSession(browser, team, { caller: team.ada });
    await ada.page.getByRole('heading', { name: 'No posts yet' }).waitFor();
    await ada.page.getByRole('button', { name: 'Issue a key' }).waitFor();
    await ada.page.getByRole('button', { name: 'Write a message' }).click();
    expect(await ada.page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
    const posted = await team.post('messages', { text: 'The first' });
    await ada.row(posted).waitFor({ timeout: LIVE_MS });
    await ada.page.getByRole('heading', { name: 'No posts yet' }).waitFor({ state: 'detached' });
    await ada.leave();
  });
});

describe('on a phone', () => {
  test('a tap selects a message and shows its toolbar below it', async () => {
    await using team = await startBackdatedTeam();
    const [first] = await fill(team, 3);
    const ada = await openTestSession(browser, team, { caller: team.ada, look: PHONE });
    const row = ada.row(first ?? { id: '' });
    await row.locator('.prose').tap();
    await row.getByRole('button', { name: 'More' }).tap();
    await ada.page.getByRole('menuitem', { name: 'Convert to to-do' }).tap();
    await ada.page.getByText('To-do created.').waitFor();
    await expectBeside(ada.page.locator('.toast'), ada.page.locator('.main .composer'));
    // Text typed in the meantime makes the composer taller.
    await ada.page.locator('.main .composer textarea').fill('One\nTwo\nThree\nFour');
    await expectBeside(ada.page.locator('.toast'), ada.page.locator('.main .composer'));
    // Replying focuses the field; reading a thread opens no on-screen keyboard.
    await row.getByRole('button', { name: /^Reply in thread/ }).tap();
    await ada.panel.locator('.composer textarea:focus').waitFor();
    await ada.panel.getByRole('button', { name: 'Close' }).tap();
    await ada.panel.waitFor({ state: 'detached' });
    await row.press('Enter');
    await ada.panel.locator('h2:focus').waitFor();
    await ada.leave();
  });
});

test("a row's toolbar covers no text in the row above, and a burst of posts shows its author again every ten rows", async () => {
  await using team = await startBackdatedTeam();
  const posted: { id: string }[] = [];
  for (let n = 0; n < 12; n += 1)
    posted.push(await team.post('messages', { text: `Step ${n} ${'and so on '.repeat(30)}` }));
  const ada = await openTestSession(browser, team, { caller: team.ada, look: { ...WIDE, width: 900 } });
  const [above, row] = [posted[8], posted[9]];
  if (!above || !row) throw new Error('Expected twelve items');
  await ada.row(row).hover();
  // Both at the same moment, since the feed may still be scrolling to its end.
  const text = await ada.row(above).locator('.prose').elementHandle();
  const gap = await ada
    .row(row)
    .locator('.tool-bar')
    .evaluate((tools, above) => tools.getBoundingClientRect().top - (above?.getBoundingClientRect().bottom ?? 0), text);
  expect(gap).toBeGreaterThanOrEqual(0);
  expect(await Promise.all(posted.map((message) => ada.row(message).locator('.msg-head').count()))).toEqual([
    1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0,
  ]);
  await ada.leave();
});

describe('accessibility', () => {
  test('axe finds no violations in either theme', async () => {
    await using team = await startBackdatedTeam();
    const posted = await team.post('messages', { text: 'Look' });
    await team.ada.json('PUT', `/messages/${posted.id}/reactions/${encodeURIComponent('🎉')}`);
    await team.reply(team.bob, posted, 'I do');
    await team.bob.json('POST', `/messages/${posted.id}/conversion`, { to: 'todo' });
    const blank = await team.message(team.bob, 'Soon blank');
    await team.reply(team.ada, blank, 'Stays');
    await team.bob.json('DELETE', `/messages/${blank.id}`);
    const ada = await openTestSession(browser, team, { caller: team.ada });
    await ada.row(posted).locator('.conversion').waitFor();
    await ada.page.keyboard.press('k');
    expect(await axeInBothThemes(ada.page)).toEqual([]);
    await ada.page.goto(`/hubs/${team.hubId}?open=${posted.id}`);
    await ada.panel.getByText('I do').waitFor();
    expect(await axeInBothThemes(ada.page)).toEqual([]);
    await ada.page.goto(`/hubs/${team.hubId}?open=${posted.id}&show=origin`);
    await ada.panel.getByText('Active').waitFor();
    expect(await axeInBothThemes(ada.page)).toEqual([]);
    await ada.page.goto(`/hubs/${team.hubId}`);
    await isShown(ada.page);
    await ada.row(posted).hover();
    await ada
      .row(posted)
      .getByRole('button', { name: /^React/ })
      .click();
    await ada.page.getByRole('gridcell', { name: 'grinning face', exact: true }).waitFor();
    // Checking all 2,000 emoji takes half a minute, and they are alike.
    await ada.page.keyboard.type('grin');
    await ada.page.getByRole('gridcell', { name: 'thumbs up' }).first().waitFor({ state: 'detached' });
    expect(await axeInBothThemes(ada.page)).toEqual([]);
    expect(ada.problems).toEqual([]);
    await ada.context.close();
  });
});

test('an edit is shown, and names the editor of a note or to-do by another', async () => {
  await using team = await startBackdatedTeam();
  const cleo = await memberOf(team.hub, team.hubId, { name: 'Cleo Vance' });
  const own = await team.message(team.bob, 'All is calm');
  const note = await team.note(team.bob, { title: 'Rolling back', content: 'C' });
  const todo = await team.todo(team.bob, { title: 'Renew' });
  const ada = await openTestSession(browser, team, { caller: team.ada });
  await team.bob.json('PATCH', `/messages/${own.id}`, { text: 'All is well' });
  await cleo.json('PATCH', `/notes/${note.id}`, { content: 'D' });
  await cleo.json('PATCH', `/todos/${todo.id}`, { title: 'Renew it' });
  await ada.row(own).getByText('edited', { exact: true }).waitFor({ timeout: LIVE_MS });
  await ada.leave();
  const { page, context, problems } = await openTestSession(browser, team, { caller: team.ada });
  for (const [path, text] of [
    [`/hubs/${team.hubId}/notes`, 'edited by Cleo Vance'],
    [`/p/${note.id}`, 'edited by Cleo Vance'],
    [`/p/${todo.id}`, 'Cleo Vance edited it'],
  ] as const) {
    await page.goto(path);
    await page.getByText(text).first().waitFor();
  }
  expect(problems).toEqual([]);
  await context.close();
});
