import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Message } from '@hub/contract';
import { testBrowser } from '@hub/testkit/browser/browser';
import { LIVE_MS, openTestSession, startBackdatedTeam } from '@hub/testkit/browser/hub-test-sessions';
import type { Browser } from 'playwright-core';

let browser: Browser;
beforeAll(async () => {
  browser = await testBrowser();
});
afterAll(() => browser.close());

describe('a reaction', () => {
  test('that one member toggles is shown to the other within a second, with all names', async () => {
    await using team = await startBackdatedTeam();
    const posted = await team.post('messages', { text: 'Released' });
    await team.bob.json('PUT', `/messages/${posted.id}/reactions/${encodeURIComponent('🎉')}`);
    const ada = await openTestSession(browser, team, { caller: team.ada });
    const bob = await openTestSession(browser, team, { caller: team.bob });
    const chip = ada.row(posted).getByRole('button', { name: '🎉, 1: Bob Kahn' });
    await chip.waitFor();
    expect(await chip.getAttribute('aria-pressed')).toBe('false');
    await chip.click();
    const both = ada.row(posted).getByRole('button', { name: '🎉, 2: Bob Kahn and you' });
    await both.waitFor({ timeout: LIVE_MS });
    expect(await both.getAttribute('aria-pressed')).toBe('true');
    await bob.row(posted).getByRole('button', { name: '🎉, 2: Ada Lovelace and you' }).waitFor({ timeout: LIVE_MS });
    await both.click();
    await bob.row(posted).getByRole('button', { name: '🎉, 1: you' }).waitFor({ timeout: LIVE_MS });
    for (const testSession of [ada, bob]) await testSession.leave();
  });

  test('appears before the server responds and is removed with an error message if the request fails', async () => {
    await using team = await startBackdatedTeam();
    const posted = await team.post('messages', { text: 'Released' });
    await team.bob.json('PUT', `/messages/${posted.id}/reactions/${encodeURIComponent('👀')}`);
    const ada = await openTestSession(browser, team, { caller: team.ada });
    let response = () => {};
    await ada.page.route('**/reactions/**', async (route) => {
      await new Promise<void>((resolve) => {
        response = resolve;
      });
      await route.fulfill({
        status: 503,
        contentType: 'application/json',
        body: '{"statusCode":503,"message":"The disk is full."}',
      });
    });
    await ada.row(posted).getByRole('button', { name: /^👀/ }).click();
    await ada.row(posted).getByRole('button', { name: '👀, 2: Bob Kahn and you' }).waitFor();
    response();
    await ada.page.getByText('Couldn’t add your 👀. The disk is full.').waitFor();
    await ada.row(posted).getByRole('button', { name: '👀, 1: Bob Kahn' }).waitFor();
    await ada.context.close();
  });

  test('pressed twice in a row ends up in the state of the last press', async () => {
    await using team = await startBackdatedTeam();
    const posted = await team.post('messages', { text: 'Released' });
    await team.bob.json('PUT', `/messages/${posted.id}/reactions/${encodeURIComponent('👀')}`);
    const ada = await openTestSession(browser, team, { caller: team.ada });
    const chip = ada.row(posted).getByRole('button', { name: /^👀/ });
    const asked: string[] = [];
    ada.page.on('request', (request) => {
      if (request.url().includes('/reactions/')) asked.push(request.method());
    });
    for (let press = 0; press < 3; press += 1) await chip.click();
    await ada.row(posted).getByRole('button', { name: '👀, 2: Bob Kahn and you' }).waitFor();
    await ada.page.waitForFunction(() => document.querySelector('.chip[aria-pressed="true"]') !== null);
    const { id: adaId } = team.ada.user;
    for (let tries = 0; tries < 50; tries += 1) {
      const { reactions } = await team.show<Message>(posted);
      if (reactions[0]?.userIds.includes(adaId)) break;
      await Bun.sleep(20);
    }
    expect((await team.show<Message>(posted)).reactions[0]?.userIds).toContain(adaId);
    expect(asked.at(-1)).toBe('PUT');
    await ada.leave();
  });
});

describe('the picker', () => {
  test('works by keyboard alone: search by name, use the arrow keys and get the focus back', async () => {
    await using team = await startBackdatedTeam();
    const posted = await team.post('messages', { text: 'Released' });
    const ada = await openTestSession(browser, team, { caller: team.ada });
    const { page } = ada;
    await page.keyboard.press('k');
    await page.keyboard.press('e');
    const field = page.getByRole('searchbox', { name: 'Search emoji' });
    await field.waitFor();
    await page.getByRole('gridcell', { name: 'grinning face', exact: true }).waitFor();
    for (const [name, first] of [
      ['heart', '❤️'],
      ['smile', '😄'],
    ] as const) {
      await field.fill(name);
      await page.waitForFunction((text) => document.querySelector('[role="gridcell"]')?.textContent === text, first);
    }
    await field.fill('rocket');
    await page.keyboard.press('Enter');
    await ada
      .row(posted)
      .getByRole('button', { name: /^🚀, 1/ })
      .waitFor();
    expect((await team.show<Message>(posted)).reactions.map(({ emoji }) => emoji)).toEqual(['🚀']);
    // The next key should act on the message, too.
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.row)).toBe(posted.id);

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
    await ada.leave();
  });

  test('and the menu open for one message while the menu of another is open', async () => {
    await using team = await startBackdatedTeam();
    const first = await team.message(team.bob, 'First');
    // The menu of the first does not cover the last.
    for (let n = 2; n < 10; n += 1) await team.message(team.bob, `Message ${n}`);
    const second = await team.message(team.bob, 'Last');
    const ada = await openTestSession(browser, team, { caller: team.ada });
    const press = async (message: { id: string }, name: string) => {
      await ada.row(message).hover();
      await ada.row(message).getByRole('button', { name }).click();
    };
    const menu = ada.page.getByRole('menu');
    const picker = ada.page.getByRole('searchbox', { name: 'Search emoji' });
    await press(first, 'More');
    await menu.waitFor();
    await press(second, 'More');
    await menu.waitFor();
    await press(first, 'React');
    await picker.waitFor();
    await ada.page.keyboard.type('tada');
    await ada.page.getByRole('rowgroup', { name: 'Results' }).getByText('🎉').waitFor();
    await ada.page.keyboard.press('Enter');
    await ada.row(first).getByRole('button', { name: '🎉, 1: you' }).waitFor();
    // Pressing its own button twice closes a menu, and others still open.
    for (const name of ['More', 'More']) await press(first, name);
    await menu.waitFor({ state: 'detached' });
    await press(second, 'More');
    await menu.waitFor();
    await ada.leave();
  });

  test('applies and remembers the chosen skin tone and makes no request to another server', async () => {
    await using team = await startBackdatedTeam();
    const posted = await team.post('messages', { text: 'Released' });
    const ada = await openTestSession(browser, team, { caller: team.ada });
    const foreign: string[] = [];
    ada.page.on('request', (request) => {
      if (!request.url().startsWith(team.hub.url)) foreign.push(request.url());
    });
    await ada.row(posted).hover();
    await ada
      .row(posted)
      .getByRole('button', { name: /^React/ })
      .click();
    await ada.page.getByRole('button', { name: /^Skin tone: No skin tone/ }).click();
    await ada.page.getByRole('searchbox').fill('thumbs up');
    await ada.page.getByRole('gridcell', { name: 'thumbs up' }).click();
    await ada
      .row(posted)
      .getByRole('button', { name: /^👍🏻, 1/ })
      .waitFor();
    expect((await team.show<Message>(posted)).reactions[0]?.emoji).toBe('👍🏻');
    await ada.row(posted).getByRole('button', { name: 'Add reaction' }).click();
    await ada.page.getByRole('button', { name: /^Skin tone: Light/ }).waitFor();
    expect(foreign).toEqual([]);
    await ada.leave();
  });

  test('gets what is typed while the picker still loads, and no letter of it is a shortcut', async () => {
    await using team = await startBackdatedTeam();
    const posted = await team.post('messages', { text: 'Released' });
    const { page, row, leave } = await openTestSession(browser, team, { caller: team.ada });
    const { promise: isTyped, resolve: typed } = Promise.withResolvers<void>();
    await page.route('**/app/chunk-*.js', async (route) => {
      await isTyped;
      await route.continue();
    });
    await row(posted).hover();
    await row(posted)
      .getByRole('button', { name: /^React/ })
      .click();
    await page.keyboard.type('tada');
    typed();
    const field = page.getByRole('searchbox', { name: 'Search emoji' });
    await page.waitForFunction(() => document.activeElement?.matches('input[type=search]'));
    expect(await field.inputValue()).toBe('tada');
    expect(await team.show<Message>(posted)).toMatchObject({ conversion: null });
    await leave();
  });

  test('picks what was searched if Enter is pressed while the emoji still load', async () => {
    await using team = await startBackdatedTeam();
    const posted = await team.post('messages', { text: 'Released' });
    const { page, row, context } = await openTestSession(browser, team, { caller: team.ada });
    const { promise: isEntered, resolve: entered } = Promise.withResolvers<void>();
    await page.route('**/app/chunk-*.js', async (route) => {
      const response = await route.fetch();
      if ((await response.text()).includes('flag: Wales')) await isEntered;
      await route.fulfill({ response });
    });
    await row(posted).hover();
    await row(posted)
      .getByRole('button', { name: /^React/ })
      .click();
    await page.getByRole('searchbox', { name: 'Search emoji' }).fill('tada');
    await page.keyboard.press('Enter');
    entered();
    await row(posted)
      .getByRole('button', { name: /^🎉, 1/ })
      .waitFor();
    await context.close();
  });

  test('offers only emoji that the server accepts', async () => {
    await using team = await startBackdatedTeam();
    const ada = await openTestSession(browser, team, { caller: team.ada });
    const posted = await team.post('messages', { text: 'Released' });
    await ada.row(posted).hover();
    await ada
      .row(posted)
      .getByRole('button', { name: /^React/ })
      .click();
    await ada.page.getByRole('gridcell', { name: 'flag: Wales' }).waitFor();
    const all = await ada.page.getByRole('gridcell').allTextContents();
    expect(all.length).toBeGreaterThan(1_800);
    const spellings = new Set(all);
    const ofAWord = (text: string) => /^\p{RGI_Emoji}$/v.test(text);
    expect([...spellings].filter((text) => !ofAWord(text))).toEqual([]);
    const rejected: string[] = [];
    // Checks every 40th emoji, to keep the test fast.
    for (const emoji of [...spellings].filter((_, n) => n % 40 === 0)) {
      const response = await team.bob.json('PUT', `/messages/${posted.id}/reactions/${encodeURIComponent(emoji)}`);
      if (response.status !== 200) rejected.push(`${emoji} ${response.status}`);
    }
    expect(rejected).toEqual([]);
    await ada.context.close();
  });
});
