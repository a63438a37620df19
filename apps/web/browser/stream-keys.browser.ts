import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Message, Note, Todo } from '@hub/contract';
import { testBrowser, testSession } from '@hub/testkit/browser/browser';
import { LIVE_MS, startBackdatedTeam } from '@hub/testkit/browser/hub-test-sessions';
import type { Browser, Page } from 'playwright-core';

let browser: Browser;
beforeAll(async () => {
  browser = await testBrowser();
});
afterAll(() => browser.close());

type Team = Awaited<ReturnType<typeof startBackdatedTeam>>;
const entry = (page: Page, { id }: { id: string }) => page.locator(`[data-item="${id}"]`);
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-item]')?.dataset.item);

async function streamOf(team: Team, caller: Team['ada'], last: { id: string }) {
  const opened = await testSession(browser, team.hub, { caller });
  await opened.page.goto('/stream');
  await entry(opened.page, last).waitFor();
  return opened;
}

test('reactions work in the Stream as in the Hub, and both members see them immediately', async () => {
  await using team = await startBackdatedTeam();
  const message = await team.message(team.bob, 'Deployed');
  await team.bob.json('PUT', `/messages/${message.id}/reactions/${encodeURIComponent('👍')}`);
  const ada = await streamOf(team, team.ada, message);
  const bob = await streamOf(team, team.bob, message);
  const chip = (page: Page) => entry(page, message).getByRole('button', { name: /^👍/ });
  expect(await chip(ada.page).getAttribute('aria-label')).toBe('👍, 1: Bob Kahn');
  expect(await chip(bob.page).getAttribute('aria-pressed')).toBe('true');
  await chip(ada.page).click();
  await entry(bob.page, message)
    .getByRole('button', { name: /^👍, 2:/ })
    .waitFor({ timeout: LIVE_MS });
  expect(await chip(ada.page).getAttribute('aria-pressed')).toBe('true');
  await chip(ada.page).click();
  await entry(bob.page, message)
    .getByRole('button', { name: /^👍, 1:/ })
    .waitFor({ timeout: LIVE_MS });

  await entry(ada.page, message).getByRole('button', { name: 'Add reaction' }).click();
  await ada.page.getByRole('gridcell', { name: 'thumbs up' }).first().click();
  await entry(bob.page, message)
    .getByRole('button', { name: /^👍, 2: Ada Lovelace/ })
    .waitFor({ timeout: LIVE_MS });
  for (const { problems, context } of [ada, bob]) {
    expect(problems).toEqual([]);
    await context.close();
  }
});

test('shortcuts act on the selected entry as in a Hub', async () => {
  await using team = await startBackdatedTeam();
  const older = await team.message(team.bob, 'Look at the lights');
  const newer = await team.message(team.bob, 'Document the restore');
  const { page, problems, context } = await streamOf(team, team.ada, newer);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);

  await page.keyboard.press('j');
  expect(await focused(page)).toBe(newer.id);
  await page.keyboard.press('e');
  await page.getByRole('gridcell', { name: 'thumbs up' }).first().click();
  await entry(page, newer)
    .getByRole('button', { name: /^👍, 1: you/i })
    .waitFor();
  await page.waitForFunction(
    (id) => document.activeElement?.closest<HTMLElement>('[data-item]')?.dataset.item === id,
    newer.id,
  );
  // The first reaction is just as quick to reach with a mouse.
  await entry(page, older).hover();
  await entry(page, older).getByRole('button', { name: 'React' }).click();
  await page.getByRole('gridcell', { name: 'thumbs up' }).first().click();
  await entry(page, older)
    .getByRole('button', { name: /^👍, 1: you/i })
    .waitFor();
  await entry(page, newer).focus();
  await page.keyboard.press('n');
  await entry(page, newer).locator('.conversion', { hasText: 'Document the restore' }).waitFor();
  expect((await team.notes()).items.map((note: Note) => note.sourceId)).toEqual([newer.id]);

  await page.keyboard.press('j');
  // The new note is above both entries and does not move the selection.
  expect(await focused(page)).toBe(older.id);
  await page.keyboard.press('t');
  await entry(page, older).locator('.conversion', { hasText: 'Look at the lights' }).waitFor();
  expect((await team.todos()).items.map((todo: Todo) => todo.sourceId)).toEqual([older.id]);

  await page.keyboard.press('y');
  await page.getByText('Link copied.').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toEndWith(`/p/${older.id}`);

  await page.keyboard.press('r');
  await page.locator('#panel').getByText('Look at the lights').first().waitFor();
  await page.waitForFunction(() => document.activeElement?.matches('#panel .composer textarea'));
  await page.keyboard.type('I am on it');
  await page.keyboard.press('Enter');
  await entry(page, older).getByText('1 reply').waitFor();
  expect((await team.show<Message>(older)).replyCount).toBe(1);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.locator('#panel').waitFor({ state: 'detached' });
  await page.waitForFunction(
    (id) => document.activeElement?.closest<HTMLElement>('[data-item]')?.dataset.item === id,
    older.id,
  );

  await page.keyboard.press('Enter');
  await page.waitForURL(`**/hubs/${team.hubId}?at=${older.id}`);
  expect(problems).toEqual([]);
  await context.close();
});

test('with a thread open beside the Stream, shortcuts act on whichever has the focus', async () => {
  await using team = await startBackdatedTeam();
  const message = await team.message(team.bob, 'A question');
  const reply = await team.reply(team.bob, message, 'Yes, this one');
  const other = await team.message(team.bob, 'Something else');
  const { page, problems, context } = await streamOf(team, team.ada, other);
  await entry(page, message).getByText('1 reply').click();
  await page.locator('#panel').getByText('Yes, this one').waitFor();
  await entry(page, other).focus();
  await page.keyboard.press('j');
  expect(await focused(page)).toBe(reply.id);
  await page.keyboard.press('j');
  expect(await focused(page)).toBe(message.id);
  await page.locator('#panel .feed').focus();
  await page.keyboard.press('j');
  expect(await page.evaluate(() => document.activeElement?.closest('#panel') !== null)).toBe(true);
  expect(problems).toEqual([]);
  await context.close();
});

test('the focus stays on a filter that was set with the keyboard', async () => {
  await using team = await startBackdatedTeam();
  await team.message(team.bob, 'hello');
  const { page, context } = await testSession(browser, team.hub, { caller: team.ada });
  await page.goto('/stream');
  await page.getByText('hello').waitFor();
  const focusedText = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  await page.getByRole('button', { name: 'Kind: All kinds' }).focus();
  for (const key of ['Enter', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await page.waitForURL('**?kind=message');
  await page.getByRole('button', { name: 'Kind: Messages' }).waitFor();
  expect(await focusedText()).toBe('Kind: Messages');
  await page.getByRole('button', { name: 'Unread', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Unread', exact: true, pressed: true }).waitFor();
  expect(await focusedText()).toBe('Unread');
  await context.close();
});
