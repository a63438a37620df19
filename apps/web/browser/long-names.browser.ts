import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Look, PHONE, TABLET, testBrowser, testSession, WIDE } from '@hub/testkit/browser/browser';
import { startTeam } from '@hub/testkit/in-process/team';
import { addMember, memberOf, type UserCaller } from '@hub/testkit/in-process/users';
import type { Browser, Page } from 'playwright-core';

const UNBROKEN = 'release_engineering_and_deployment_coordination';
const SPACED = 'Release engineering and deployment coordination';

let browser: Browser;
let team: Awaited<ReturnType<typeof startTeam>>;
let olga: UserCaller;
let hubId: string;
let todoId: string;
beforeAll(async () => {
  [browser, team] = await Promise.all([testBrowser(), startTeam()]);
  ({ id: hubId } = await team.hub.admin.createHub(UNBROKEN));
  const { id: spacedId } = await team.hub.admin.createHub(SPACED);
  olga = await memberOf(team.hub, hubId, { role: 'owner', name: 'Olga' });
  await addMember(team.hub, spacedId, olga.user);
  await addMember(team.hub, team.hubId, olga.user);
  for (const id of [hubId, spacedId]) await team.hub.admin.issueKey({ hubId: id, name: `${UNBROKEN}-key` });
  const path = `/hubs/${hubId}`;
  await olga.json('POST', `${path}/notes`, { title: UNBROKEN.repeat(3), content: 'Long' });
  const todo = await olga.json<{ id: string }>('POST', `${path}/todos`, { title: UNBROKEN });
  todoId = todo.body.id;
  for (let n = 0; n < 30; n += 1) {
    const { id } = await team.hub.admin.createHub(`Hub ${n}`);
    await addMember(team.hub, id, olga.user);
    await addMember(team.hub, id, team.bob.user);
    await team.bob.json('POST', `/hubs/${id}/messages`, { text: 'Unread' });
  }
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

/** Returns the elements that can be scrolled sideways, except for rows of filters and tabs. */
const wideBoxes = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((box) => box.scrollWidth > box.clientWidth && /auto|scroll/.test(getComputedStyle(box).overflowX))
      .filter((box) => !box.matches('.filters, .tabs, .toolbar'))
      .map((box) => `${box.tagName}.${box.className}: ${box.scrollWidth} in ${box.clientWidth}`),
  );

async function at(path: string, look: Look) {
  const { page, problems, context } = await testSession(browser, team.hub, { caller: olga, look });
  await page.goto(path);
  return {
    page,
    [Symbol.asyncDispose]: async () => {
      await context.close();
      expect(problems).toEqual([]);
    },
  };
}

describe.each([WIDE, TABLET, PHONE])('with long names at $width px', (look) => {
  test.each([
    ['/stream', '.entry'],
    ['/settings/keys', '.hub-head'],
    ['/settings/notifications', '.mode-list li'],
    ['/settings/hubs', '.table tr'],
    ['hub settings', '#hub-delete'],
    ['to-do', '.history li'],
    ['notes', '.note'],
  ])('%s fits', async (name, part) => {
    const paths: Record<string, string> = {
      'hub settings': `/settings/hubs?hub=${hubId}`,
      'to-do': `/hubs/${hubId}/todos?open=${todoId}`,
      notes: `/hubs/${hubId}/notes`,
    };
    await using opened = await at(paths[name] ?? name, look);
    await opened.page.locator(part).first().waitFor();
    expect(await wideBoxes(opened.page)).toEqual([]);
  });

  test('the invitation form fits', async () => {
    await using opened = await at('/settings/members', look);
    await opened.page.getByRole('button', { name: 'Invite' }).first().click();
    await opened.page.locator('dialog .choices-list').waitFor();
    expect(await wideBoxes(opened.page)).toEqual([]);
  });
});

test('the name of a Hub in the list of keys is not over the column heads', async () => {
  await using opened = await at('/settings/keys', WIDE);
  const head = opened.page.locator('.hub-head', { hasText: UNBROKEN });
  const column = opened.page.locator('.hub-keys', { has: head }).getByRole('columnheader').nth(1);
  const [name, next] = [await head.boundingBox(), await column.boundingBox()];
  expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThanOrEqual(next?.x ?? 0);
});

test('a page with more Hubs than fit does not scroll as a whole, and shows the row of the current Hub', async () => {
  await using opened = await at(`/hubs/${team.hubId}`, WIDE);
  const row = opened.page.locator('.side [aria-current]');
  await row.waitFor();
  await opened.page.locator('.side .count').last().waitFor();
  expect(await opened.page.evaluate(() => document.documentElement.scrollHeight)).toBe(WIDE.height);
  const { y = 0 } = (await row.boundingBox()) ?? {};
  expect(y).toBeLessThan(WIDE.height - 60);
});
