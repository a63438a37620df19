import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from './browser.ts';
import { LIVE_MS, painted, sitDown, startTeamOfYesterday } from './hub-seats.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const focused = (page: Page) =>
  page.evaluate(() => (document.activeElement as HTMLElement | null)?.closest<HTMLElement>('[data-row]')?.dataset.row);

describe('a thread', () => {
  test('is answered by one and seen by the other within a second, in the panel and under the message', async () => {
    await using team = await startTeamOfYesterday();
    const posted = await team.post('messages', { text: 'Checkout p95 is 612 ms' });
    const ada = await sitDown(browser, team, { caller: team.ada });
    const bob = await sitDown(browser, team, { caller: team.bob });
    await ada.row(posted).hover();
    await ada
      .row(posted)
      .getByRole('button', { name: /^Reply in thread/ })
      .click();
    await ada.panel.getByRole('textbox', { name: 'Reply in the thread' }).fill('On it');
    await ada.page.keyboard.press('Enter');
    await bob
      .row(posted)
      .getByRole('link', { name: /1 reply/ })
      .click({ timeout: LIVE_MS });
    await bob.panel.locator('.msg').getByText('On it').waitFor();

    await team.reply(team.ada, posted, 'And the second');
    for (const seat of [ada, bob]) {
      await seat.panel.locator('.msg').getByText('And the second').waitFor({ timeout: LIVE_MS });
      await seat.panel.getByText('2 replies').waitFor({ timeout: LIVE_MS });
      await seat
        .row(posted)
        .getByRole('link', { name: /2 replies/ })
        .waitFor({ timeout: LIVE_MS });
    }
    // A reply is in its thread alone.
    expect(await ada.page.locator('.feed .msg').count()).toBe(1);
    for (const seat of [ada, bob]) await seat.leave();
  });

  test('takes the focus when it opens, and gives it back when it closes', async () => {
    await using team = await startTeamOfYesterday();
    const [first] = [await team.message(team.bob, 'One'), await team.message(team.bob, 'Two')];
    const ada = await sitDown(browser, team, { caller: team.ada });
    await ada.page.keyboard.press('k');
    await ada.page.keyboard.press('k');
    expect(await focused(ada.page)).toBe(first.id);
    await ada.page.keyboard.press('Enter');
    await ada.panel.waitFor();
    await ada.page.waitForFunction(() => document.activeElement?.closest('.panel .composer') !== null);
    await ada.panel.getByRole('button', { name: 'Close (Esc)' }).click();
    await ada.panel.waitFor({ state: 'detached' });
    await ada.page.waitForFunction((id) => document.activeElement?.getAttribute('data-row') === id, first.id);
    await ada.leave();
  });

  test('outlives its message, which leaves a blank; and ends with its last reply', async () => {
    await using team = await startTeamOfYesterday();
    const written = await team.message(team.bob, 'Soon gone');
    const reply = await team.reply(team.ada, written, 'Still here');
    const ada = await sitDown(browser, team, { caller: team.ada, at: `?open=${written.id}` });
    await ada.panel.getByText('Still here').waitFor();
    await team.bob.json('DELETE', `/messages/${written.id}`);
    await ada.panel.getByText('This message was deleted.').waitFor({ timeout: LIVE_MS });
    await ada.row(written).getByText('This message was deleted.').waitFor({ timeout: LIVE_MS });
    await ada.panel.getByText('Still here').waitFor();
    await team.ada.json('DELETE', `/messages/${reply.id}`);
    await ada.row(written).waitFor({ state: 'detached', timeout: LIVE_MS });
    await ada.panel.getByText('This message was deleted, or you do not belong to its Hub.').waitFor();
    expect(await ada.panel.getByRole('textbox').count()).toBe(0);
    // The answer that it is gone is one of the server, too.
    await ada.context.close();
  });

  test('is edited and reacted to as the conversation is', async () => {
    await using team = await startTeamOfYesterday();
    const written = await team.message(team.bob, 'What do you think?');
    const reply = await team.reply(team.ada, written, 'I thnk so');
    const ada = await sitDown(browser, team, { caller: team.ada, at: `?open=${written.id}` });
    const row = ada.panel.locator(`[data-row="${reply.id}"]`);
    await row.hover();
    await row.getByRole('button', { name: 'More' }).click();
    await ada.page.getByRole('menuitem', { name: 'Edit' }).click();
    await ada.panel.getByRole('textbox', { name: 'Text of the message' }).fill('I think so');
    await ada.page.keyboard.press('Enter');
    await row.getByText('I think so').waitFor();
    await team.bob.json('PUT', `/messages/${reply.id}/reactions/${encodeURIComponent('👍')}`);
    await row.getByRole('button', { name: '👍, 1: Bob Kahn' }).waitFor({ timeout: LIVE_MS });
    await ada.leave();
  });

  test('of many replies shows the newest, and the earlier ones when asked, without a jump', async () => {
    await using team = await startTeamOfYesterday();
    const written = await team.message(team.bob, 'Count');
    for (let n = 0; n < 70; n += 1) {
      await team.reply(n % 2 === 0 ? team.ada : team.bob, written, `Reply ${n}`);
      team.afterMinutes(1);
    }
    const ada = await sitDown(browser, team, { caller: team.ada, at: `?open=${written.id}` });
    await ada.panel.getByText('Reply 69').waitFor();
    expect(await ada.panel.getByText('Reply 0', { exact: true }).count()).toBe(0);
    const top = ada.panel.getByText('Reply 21', { exact: true });
    await top.scrollIntoViewIfNeeded();
    await painted(ada.page);
    const before = (await top.boundingBox())?.y ?? 0;
    await ada.panel
      .getByRole('button', { name: 'Earlier replies' })
      .evaluate((button) => (button as HTMLElement).click());
    await ada.panel.getByText('Reply 0', { exact: true }).waitFor();
    await painted(ada.page);
    expect(Math.abs(((await top.boundingBox())?.y ?? 0) - before)).toBeLessThanOrEqual(1);
    await ada.leave();
  });
});
