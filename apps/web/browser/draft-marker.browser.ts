import { afterAll, beforeAll, expect, test } from 'bun:test';
import { testBrowser } from '@hub/testkit/browser/browser';
import { isShown, openTestSession, startBackdatedTeam } from '@hub/testkit/browser/hub-test-sessions';
import type { Browser } from 'playwright-core';

let browser: Browser;
beforeAll(async () => {
  browser = await testBrowser();
});
afterAll(() => browser.close());

test('a Hub with an unsent message or reply is marked in the sidebar of every tab, until it is sent or emptied', async () => {
  await using team = await startBackdatedTeam();
  const message = await team.message(team.bob, 'A message');
  const ada = await openTestSession(browser, team, { caller: team.ada });
  const { page, context } = ada;
  const other = await context.newPage();
  await other.goto('/stream');
  const marks = [page, other].map((each) =>
    each.locator('.side .nav-row', { hasText: 'Releases' }).getByText('unsent draft'),
  );
  const areMarked = async (state: 'attached' | 'detached') => {
    for (const mark of marks) await mark.waitFor({ state });
  };
  const text = page.getByRole('textbox', { name: 'Message to' });
  await page.locator('.side .nav-row', { hasText: 'Releases' }).waitFor();
  await areMarked('detached');
  await text.fill('Half a thought');
  await areMarked('attached');
  await text.fill('');
  await areMarked('detached');
  await text.fill('A whole thought');
  await areMarked('attached');
  await text.press('Enter');
  await areMarked('detached');

  await page.goto(`/hubs/${team.hubId}?open=${message.id}`);
  const reply = page.getByRole('textbox', { name: 'Reply in thread' });
  await reply.fill('Half a reply');
  await areMarked('attached');
  // It survives a reload, and the field still has it.
  await page.reload();
  await isShown(page);
  expect(await reply.inputValue()).toBe('Half a reply');
  await areMarked('attached');
  await reply.press('Enter');
  await areMarked('detached');
  expect(ada.problems).toEqual([]);
  await context.close();
});

test('a Hub is marked while a message waits for a connection', async () => {
  await using team = await startBackdatedTeam();
  const { page, context } = await openTestSession(browser, team, { caller: team.ada });
  const mark = page.locator('.side .nav-row', { hasText: 'Releases' }).getByText('unsent draft');
  await context.setOffline(true);
  const text = page.getByRole('textbox', { name: 'Message to' });
  await text.fill('A thought without a connection');
  await text.press('Enter');
  await page.locator('.feed').getByText('A thought without a connection').waitFor();
  await mark.waitFor({ state: 'attached' });
  await context.setOffline(false);
  await mark.waitFor({ state: 'detached' });
  await context.close();
});
