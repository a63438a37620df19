import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Todo } from '@hub/contract';
import { testBrowser } from '@hub/testkit/browser/browser';
import {
  type BackdatedTeam,
  type HubTestSession,
  LIVE_MS,
  openTestSession,
  painted,
  startBackdatedTeam,
  topOf,
} from '@hub/testkit/browser/hub-test-sessions';
import type { Browser, Locator, Page } from 'playwright-core';

let browser: Browser;
beforeAll(async () => {
  browser = await testBrowser();
});
afterAll(() => browser.close());

const focused = (page: Page) =>
  page.evaluate(() => (document.activeElement as HTMLElement | null)?.closest<HTMLElement>('[data-row]')?.dataset.row);

describe('a thread', () => {
  test('shows a reply to the other member within a second, in the panel and under the message', async () => {
    await using team = await startBackdatedTeam();
    const posted = await team.post('messages', { text: 'Checkout p95 is 612 ms' });
    const ada = await openTestSession(browser, team, { caller: team.ada });
    const bob = await openTestSession(browser, team, { caller: team.bob });
    const openThread = async () => {
      await ada.row(posted).hover();
      await ada
        .row(posted)
        .getByRole('button', { name: /^Reply in thread/ })
        .click();
    };
    const historyLength = () => ada.page.evaluate(() => history.length);
    await openThread();
    const before = await historyLength();
    // Opening the same thread again adds no history entry.
    await openThread();
    expect(await historyLength()).toBe(before);
    await ada.panel.getByRole('textbox', { name: 'Reply in thread' }).fill('On it');
    await ada.page.keyboard.press('Enter');
    await bob
      .row(posted)
      .getByRole('link', { name: /1 reply/ })
      .click({ timeout: LIVE_MS });
    await bob.panel.locator('.msg').getByText('On it').waitFor();

    await team.reply(team.ada, posted, 'And the second');
    for (const testSession of [ada, bob]) {
      await testSession.panel.locator('.msg').getByText('And the second').waitFor({ timeout: LIVE_MS });
      await testSession.panel.getByText('2 replies').waitFor({ timeout: LIVE_MS });
      await testSession
        .row(posted)
        .getByRole('link', { name: /2 replies/ })
        .waitFor({ timeout: LIVE_MS });
    }
    // A reply appears only in its thread.
    expect(await ada.page.locator('.main .feed .msg').count()).toBe(1);

    const { body } = await team.bob.json<Todo>('POST', `/messages/${posted.id}/conversion`, { to: 'todo' });
    const facts = { assigneeId: team.bob.user.id, dueDate: new Date().toISOString() };
    await team.bob.json('PATCH', `/todos/${body.id}`, facts);
    await ada.panel.locator('.conversion', { hasText: 'Bob' }).waitFor();
    const title = ada.panel.locator('.conversion .t');
    expect(await title.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    for (const testSession of [ada, bob]) await testSession.leave();
  });

  test('opens at the reply in the URL, no matter how far up it is', async () => {
    await using team = await startBackdatedTeam();
    const posted = await team.message(team.bob, 'What do you think?');
    const replies = [];
    for (let n = 0; n < 70; n += 1) replies.push(await team.reply(team.bob, posted, `Reply ${n}`));
    const ada = await openTestSession(browser, team, { caller: team.ada, at: `?at=${replies[5]?.id}` });
    const fifth = ada.panel.locator('.msg.is-current', { hasText: 'Reply 5' });
    await fifth.waitFor();
    await ada.panel.locator('.feed:not(.is-unplaced)').waitFor();
    expect(await topOf(fifth)).toBeWithin(40, 400);
    await ada.page.locator('.panel').getByRole('button', { name: 'Close' }).click();
    expect(new URL(ada.page.url()).searchParams.has('reply')).toBe(false);
    await ada.leave();
  });

  test('takes the focus when it opens and returns it when it closes', async () => {
    await using team = await startBackdatedTeam();
    const [first] = [await team.message(team.bob, 'One'), await team.message(team.bob, 'Two')];
    const ada = await openTestSession(browser, team, { caller: team.ada });
    await ada.page.keyboard.press('k');
    await ada.page.keyboard.press('k');
    expect(await focused(ada.page)).toBe(first.id);
    await ada.page.keyboard.press('Enter');
    await ada.panel.waitFor();
    await ada.page.waitForFunction(() => document.activeElement?.closest('.panel .composer') !== null);
    await ada.panel.getByRole('button', { name: 'Close' }).click();
    await ada.panel.waitFor({ state: 'detached' });
    await ada.page.waitForFunction((id) => document.activeElement?.getAttribute('data-row') === id, first.id);
    await ada.leave();
  });

  test('stays after its message is deleted and ends with its last reply', async () => {
    await using team = await startBackdatedTeam();
    const written = await team.message(team.bob, 'Soon gone');
    const reply = await team.reply(team.ada, written, 'Still here');
    const ada = await openTestSession(browser, team, { caller: team.ada, at: `?open=${written.id}` });
    await ada.panel.getByText('Still here').waitFor();
    await team.bob.json('DELETE', `/messages/${written.id}`);
    await ada.panel.getByText('This message was deleted.').waitFor({ timeout: LIVE_MS });
    await ada.row(written).getByText('This message was deleted.').waitFor({ timeout: LIVE_MS });
    await ada.panel.getByText('Still here').waitFor();
    await team.ada.json('DELETE', `/messages/${reply.id}`);
    await ada.row(written).waitFor({ state: 'detached', timeout: LIVE_MS });
    await ada.panel.getByText('This message was deleted, or you’re not a member of its Hub.').waitFor();
    expect(await ada.panel.getByRole('textbox').count()).toBe(0);
    // The server's 404 is logged, so the problems are not checked.
    await ada.context.close();
  });

  test('supports edits and reactions like the conversation', async () => {
    await using team = await startBackdatedTeam();
    const written = await team.message(team.bob, 'What do you think?');
    const reply = await team.reply(team.ada, written, 'I thnk so');
    const ada = await openTestSession(browser, team, { caller: team.ada, at: `?open=${written.id}` });
    const row = ada.panel.locator(`[data-row="${reply.id}"]`);
    await row.hover();
    await row.getByRole('button', { name: 'More' }).click();
    await ada.page.getByRole('menuitem', { name: 'Edit' }).click();
    await ada.panel.getByRole('textbox', { name: 'Message text' }).fill('I think so');
    await ada.page.keyboard.press('Enter');
    await row.getByText('I think so').waitFor();
    await team.bob.json('PUT', `/messages/${reply.id}/reactions/${encodeURIComponent('👍')}`);
    await row.getByRole('button', { name: '👍, 1: Bob Kahn' }).waitFor({ timeout: LIVE_MS });
    await ada.panel.getByRole('textbox', { name: 'Reply in thread' }).press('ArrowUp');
    await row.getByRole('textbox', { name: 'Message text' }).waitFor();
    await ada.leave();
  });

  test('with 5,000 replies opens immediately, draws only a part of them and scrolls back to the first without a jump', async () => {
    await using team = await startBackdatedTeam();
    const written = await team.message(team.bob, 'Count');
    await replyOften(team, written, 5_000);
    const ada = await openTestSession(browser, team, { caller: team.ada });
    const openedAt = await ada.page.evaluate(() => performance.now());
    await ada.row(written).locator('.thread-link').click();
    await ada.panel.getByText('Reply 4999', { exact: true }).waitFor();
    expect((await ada.page.evaluate(() => performance.now())) - openedAt).toBeLessThan(1_500);
    expect(await ada.panel.getByText('Reply 4900', { exact: true }).count()).toBe(0);
    const log = ada.panel.getByRole('log');
    for (let n = 4_900; n > 4_600; n -= 60) {
      await log.evaluate((element) => {
        element.scrollTop -= 3_000;
      });
      await painted(ada.page);
      await ada.page.waitForFunction(isFilled);
    }
    expect(await ada.panel.locator('.feed-row').count()).toBeLessThan(150);

    // A new reply is counted, and does not move the rows for a reader who has scrolled up.
    const [row, id] = await middleRow(ada);
    const before = await topOf(row);
    await team.reply(team.bob, written, 'The newest');
    await ada.panel.getByRole('button', { name: '1 new' }).waitFor({ timeout: LIVE_MS });
    expect(Math.abs((await topOf(ada.panel.locator(`[data-row="${id}"]`))) - before)).toBeLessThanOrEqual(1);
    await ada.panel.getByRole('button', { name: '1 new' }).click();
    await ada.panel.getByText('The newest').waitFor();
    expect(await ada.panel.getByText('5001 replies').count()).toBe(1);
    await ada.leave();
  });

  test('loads earlier replies while scrolling, up to the message, and keeps the position of the rows', async () => {
    await using team = await startBackdatedTeam();
    const written = await team.message(team.bob, 'Count');
    await replyOften(team, written, 120);
    const ada = await openTestSession(browser, team, { caller: team.ada, at: `?open=${written.id}` });
    await ada.panel.getByText('Reply 119', { exact: true }).waitFor();
    const log = ada.panel.getByRole('log');
    for (let n = 0; n < 40 && (await ada.panel.getByText('Reply 0', { exact: true }).count()) === 0; n += 1) {
      await ada.page.waitForFunction(isFilled);
      const [row, id] = await middleRow(ada);
      const before = await topOf(row);
      const moved = await log.evaluate((element) => {
        const top = element.scrollTop;
        element.scrollTop -= 400;
        return top - element.scrollTop;
      });
      await painted(ada.page);
      await painted(ada.page);
      const after = await topOf(ada.panel.locator(`[data-row="${id}"]`));
      expect(Math.abs(after - before - moved)).toBeLessThanOrEqual(2);
    }
    await log.evaluate((element) => {
      element.scrollTop = -element.scrollHeight;
    });
    await ada.panel.getByText('Reply 0', { exact: true }).waitFor();
    await ada.panel.locator(`[data-row="${written.id}"]`).waitFor();
    await ada.page.waitForFunction(() => {
      const [first, second] = document.querySelectorAll('.panel [data-row]');
      return (first?.getBoundingClientRect().top ?? 0) > 0 && second?.textContent?.includes('Reply 0');
    });
    await ada.leave();
  });

  test('starts at the top when it is short', async () => {
    await using team = await startBackdatedTeam();
    const written = await team.message(team.bob, 'Short');
    await team.reply(team.ada, written, 'Yes');
    const ada = await openTestSession(browser, team, { caller: team.ada, at: `?open=${written.id}` });
    await ada.panel.getByText('Yes').waitFor();
    const bar = await ada.panel.locator('.bar').boundingBox();
    const first = await topOf(ada.panel.locator(`[data-row="${written.id}"]`));
    expect(first - (bar?.y ?? 0) - (bar?.height ?? 0)).toBeLessThan(20);
    await ada.leave();
  });
});

/** Posts replies in batches, so that they keep their order and the server commits several at a time. */
async function replyOften(team: BackdatedTeam, to: { id: string }, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const responses: Promise<unknown>[] = [];
    for (const last = Math.min(n + 50, count) - 1; n < last; n += 1) {
      responses.push(team.reply(n % 20 < 10 ? team.ada : team.bob, to, `Reply ${n}`));
    }
    await Promise.all([...responses, team.reply(team.ada, to, `Reply ${n}`)]);
  }
}

/** Returns whether the visible part of the thread is completely drawn. */
function isFilled(): boolean {
  const log = document.querySelector('.panel [role="log"]');
  const rows = [...(log?.querySelectorAll('[data-row]') ?? [])];
  if (!log || rows.length === 0) return false;
  const { top, bottom } = log.getBoundingClientRect();
  const inView = rows.map((row) => row.getBoundingClientRect()).filter((row) => row.bottom > top && row.top < bottom);
  const reached = inView.reduce(
    (sum, { top: from, bottom: to }) => sum + Math.min(to, bottom) - Math.max(from, top),
    0,
  );
  return reached > (bottom - top) * 0.7;
}

async function middleRow({ panel }: HubTestSession): Promise<[row: Locator, id: string]> {
  const rows = panel.locator('.feed-row > [data-row]');
  const ids = await rows.evaluateAll((elements) =>
    elements
      .filter((element) => element.getBoundingClientRect().top > 200 && element.getBoundingClientRect().top < 500)
      .map((element) => element.getAttribute('data-row') ?? ''),
  );
  const id = ids[0] ?? '';
  return [panel.locator(`[data-row="${id}"]`), id];
}
