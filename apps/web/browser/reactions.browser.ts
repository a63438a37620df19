import { expect, test } from 'bun:test';
import type { Message } from '@hub/contract';
import { expectAccessible } from '@hub/testkit/browser/axe';
import {
  eventually,
  type HubTestSession,
  startBackdatedTeam,
  teamSessions,
} from '@hub/testkit/browser/hub-test-sessions';

const { openHub, newHub, forgetProblems } = await teamSessions(startBackdatedTeam());

async function openPicker({ row }: HubTestSession, message: { id: string }): Promise<void> {
  await row(message).hover();
  await row(message)
    .getByRole('button', { name: /^React/ })
    .click();
}

test('a reaction appears before the server responds, is removed with an error message if that fails, and otherwise the last press wins', async () => {
  const team = await newHub();
  const posted = await team.post('messages', { text: 'Released' });
  await team.bob.json('PUT', `/messages/${posted.id}/reactions/${encodeURIComponent('👀')}`);
  const ada = await openHub(team.ada);
  const response = Promise.withResolvers<void>();
  await ada.page.route('**/reactions/**', async (route) => {
    await response.promise;
    await route.fulfill({
      status: 503,
      contentType: 'application/json',
      body: '{"statusCode":503,"message":"The disk is full."}',
    });
  });
  await ada.row(posted).getByRole('button', { name: /^👀/ }).click();
  await ada.row(posted).getByRole('button', { name: '👀, 2: Bob Kahn and you' }).waitFor();
  response.resolve();
  await ada.page.getByText('Couldn’t add your 👀. The disk is full.').waitFor();
  await ada.row(posted).getByRole('button', { name: '👀, 1: Bob Kahn' }).waitFor();
  forgetProblems(ada.page);
  await ada.page.unroute('**/reactions/**');
  const chip = ada.row(posted).getByRole('button', { name: /^👀/ });
  const asked: string[] = [];
  ada.page.on('request', (request) => {
    if (request.url().includes('/reactions/')) asked.push(request.method());
  });
  for (let press = 0; press < 3; press += 1) await chip.click();
  await ada.row(posted).getByRole('button', { name: '👀, 2: Bob Kahn and you' }).waitFor();
  await ada.page.waitForFunction(() => document.querySelector('.chip[aria-pressed="true"]') !== null);
  const { id: adaId } = team.ada.user;
  await eventually(async () => (await team.show(posted)).reactions[0]?.userIds.includes(adaId) === true);
  expect(asked.at(-1)).toBe('PUT');
});

test('the picker gets what is typed while it loads, offers only emoji that the server accepts, remembers the skin tone, asks no other server, and works by keyboard alone: search by name, use the arrow keys and get the focus back', async () => {
  const team = await newHub();
  const posted = await team.post('messages', { text: 'Released' });
  const ada = await openHub(team.ada);
  const { page } = ada;
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(team.hub.url)) foreign.push(request.url());
  });
  await ada.row(posted).hover();
  await ada
    .row(posted)
    .getByRole('button', { name: /^React/ })
    .waitFor();
  const { promise: isTyped, resolve: typed } = Promise.withResolvers<void>();
  await page.route('**/app/chunk-*.js', async (route) => {
    await isTyped;
    await route.continue();
  });
  await openPicker(ada, posted);
  // No letter of it is a shortcut.
  await page.keyboard.type('tada');
  typed();
  const field = page.getByRole('searchbox', { name: 'Search emoji' });
  await page.waitForFunction(() => document.activeElement?.matches('input[type=search]'));
  expect([await field.inputValue(), (await team.show<Message>(posted)).conversion]).toEqual(['tada', null]);

  await field.fill('');
  await page.getByRole('gridcell', { name: 'flag: Wales' }).waitFor();
  const spellings = [...new Set(await page.getByRole('gridcell').allTextContents())];
  expect(spellings.length).toBeGreaterThan(1_800);
  expect(spellings.filter((text) => !/^\p{RGI_Emoji}$/v.test(text))).toEqual([]);
  // Every 40th, to keep the test fast.
  for (const emoji of spellings.filter((_, n) => n % 40 === 0)) {
    const response = await team.bob.json('PUT', `/messages/${posted.id}/reactions/${encodeURIComponent(emoji)}`);
    expect([emoji, response.status]).toEqual([emoji, 200]);
  }

  await page.getByRole('button', { name: /^Skin tone: No skin tone/ }).click();
  await field.fill('thumbs up');
  await page.getByRole('gridcell', { name: 'thumbs up' }).click();
  await ada
    .row(posted)
    .getByRole('button', { name: /^👍🏻, 1/ })
    .waitFor();
  await ada.row(posted).hover();
  await ada.row(posted).getByRole('button', { name: 'React' }).click();
  await page.getByRole('button', { name: /^Skin tone: Light/ }).waitFor();
  expect(foreign).toEqual([]);

  const other = await team.post('messages', { text: 'Released' });
  await page.goto(`/hubs/${team.hubId}`);
  await ada.row(other).waitFor();
  await page.keyboard.press('k');
  await page.keyboard.press('e');
  await field.waitFor();
  await page.getByRole('gridcell', { name: 'grinning face', exact: true }).waitFor();
  for (const [name, first] of [
    ['heart', '❤️'],
    ['smile', '😄'],
  ] as const) {
    await field.fill(name);
    await page.waitForFunction((text) => document.querySelector('[role="gridcell"]')?.textContent === text, first);
  }
  await expectAccessible(page);
  await field.fill('rocket');
  await page.getByRole('status').getByText('rocket, first of').waitFor({ state: 'attached' });
  // The button for the skin tone is between the field and the emoji.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.locator('[role="gridcell"]:focus').waitFor();
  await field.press('Enter');
  await ada
    .row(other)
    .getByRole('button', { name: /^🚀, 1/ })
    .waitFor();
  expect((await team.show<Message>(other)).reactions.map(({ emoji }) => emoji)).toEqual(['🚀']);
  // The next key should act on the message, too.
  expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.row)).toBe(other.id);

  await page.keyboard.press('e');
  await page.getByRole('gridcell', { name: 'grinning face', exact: true }).waitFor();
  // The most recently used emoji comes first.
  expect(await page.getByRole('gridcell').first().getAttribute('aria-label')).toBe('rocket');
  const label = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await page.keyboard.press('ArrowDown');
  expect(await label()).toBe('rocket');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  const moved = await label();
  expect(moved).not.toBe('rocket');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
});
