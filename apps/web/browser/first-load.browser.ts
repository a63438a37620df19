import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { startTeam } from '../../api/src/testing/team.ts';
import { startBrowser, testSession } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** Ada opens a page whose first list comes long before its Hubs; the first questions for those get no answer. */
async function openWithLateHubs({ at, unanswered }: { at: (id: string) => string; unanswered: number }) {
  const team = await startTeam();
  const first = await team.message(team.bob, 'here from the beginning');
  const { page, context } = await testSession(browser, team.hub, { caller: team.ada });
  const response = Promise.withResolvers<void>();
  let asked = 0;
  await page.route('**/api/v1/hubs?*', async (route) => {
    asked += 1;
    const isUnanswered = asked <= unanswered;
    await response.promise;
    await (isUnanswered ? route.abort() : route.continue());
  });
  await page.goto(at(first.id));
  await page.getByText('here from the beginning').first().waitFor();
  return {
    ...team,
    page,
    first,
    letHubsCome: response.resolve,
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await team[Symbol.asyncDispose]();
    },
  };
}

test('what is posted while the list is there and the Hubs are not is in the list, too', async () => {
  await using t = await openWithLateHubs({ at: () => '/stream', unanswered: 0 });
  await t.message(t.bob, 'posted in between');
  expect(await t.page.getByText('posted in between').count()).toBe(0);
  t.letHubsCome();
  await t.page.getByText('posted in between').waitFor();
  await t.message(t.bob, 'and live from here on');
  await t.page.getByText('and live from here on').waitFor();
  expect(await t.page.locator('.entry').count()).toBe(3);
});

test('what is changed while the item in the panel is there and the Hubs are not is seen, though no list has it', async () => {
  await using t = await openWithLateHubs({ at: (id) => `/mentions?open=${id}`, unanswered: 0 });
  await t.bob.json('PATCH', `/messages/${t.first.id}`, { text: 'edited in between' });
  t.letHubsCome();
  await t.page.locator('#panel').getByText('edited in between').waitFor();
});

test('where the Hubs could not be loaded at first, nothing counts that was loaded before them', async () => {
  await using t = await openWithLateHubs({ at: (id) => `/stream?open=${id}`, unanswered: 2 });
  const panel = t.page.locator('#panel');
  await panel.getByText('here from the beginning').waitFor();
  await t.bob.json('PATCH', `/messages/${t.first.id}`, { text: 'edited in between' });
  await t.reply(t.bob, t.first, 'replied in between');
  t.letHubsCome();
  await t.page.locator('.entry', { hasText: 'edited in between' }).first().waitFor();
  await panel.getByText('edited in between').waitFor();
  await panel.getByText('replied in between').waitFor();
});
