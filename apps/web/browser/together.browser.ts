import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Item, Message } from '@hub/contract';
import { testBrowser, testSession } from '@hub/testkit/browser/browser';
import {
  fill,
  type HubTestSession,
  isShown,
  LIVE_MS,
  openTestSession,
  painted,
  scrollUp,
  startBackdatedTeam,
  topOf,
} from '@hub/testkit/browser/hub-test-sessions';
import { memberOf } from '@hub/testkit/in-process/users';
import type { Browser } from 'playwright-core';

let browser: Browser;
beforeAll(async () => {
  browser = await testBrowser();
});
afterAll(() => browser.close());

const end = (testSession: HubTestSession) =>
  testSession.page.evaluate(() => document.querySelector('.main .feed')?.scrollTop);

describe('while many messages arrive', () => {
  test('a reader who has scrolled up keeps their position at fifty messages a second', async () => {
    await using team = await startBackdatedTeam();
    await fill(team, 80);
    const ada = await openTestSession(browser, team, { caller: team.ada });
    await scrollUp(ada, 1_500);
    const id = await ada.page.evaluate(() => {
      const rows = [...document.querySelectorAll<HTMLElement>('.feed [data-row]')];
      const seen = rows.filter((row) => row.getBoundingClientRect().top > 200).at(0);
      const tops = Object.assign(globalThis, { tops: [] as number[] }).tops;
      const record = () => {
        tops.push(seen?.isConnected ? seen.getBoundingClientRect().top : Number.NaN);
        requestAnimationFrame(record);
      };
      record();
      return seen?.dataset.row ?? '';
    });
    const before = await topOf(ada.row({ id }));
    for (let second = 0; second < 3; second += 1) {
      await Promise.all(Array.from({ length: 50 }, (_, n) => team.message(team.bob, `Burst ${second} ${n}`)));
    }
    await ada.page.getByRole('button', { name: '150 new' }).waitFor();
    const tops = (await ada.page.evaluate('tops')) as number[];
    for (const top of tops) expect(Math.abs(top - before)).toBeLessThanOrEqual(1);
    await ada.page.getByRole('button', { name: '150 new' }).click();
    const divider = ada.page.getByRole('separator', { name: '150 new messages below' });
    await divider.waitFor();
    expect(await ada.page.getByText('Burst 2 49').count()).toBe(0);
    await painted(ada.page);
    const feedTop = await topOf(ada.page.locator('.main .feed'));
    expect((await topOf(divider)) - feedTop).toBeWithin(0, 120);
    await ada.leave();
  });

  test('a reader who switches Hubs quickly finds every message once and in order in each', async () => {
    await using team = await startBackdatedTeam();
    const { admin } = team.hub;
    const other = await admin.createHub('Second');
    for (const { user } of [team.ada, team.bob]) {
      await admin.raw('POST', `/hubs/${other.id}/members`, { userId: user.id });
    }
    const ada = await openTestSession(browser, team, { caller: team.ada });
    const link = (name: string) => ada.page.locator('.side').getByRole('link', { name: new RegExp(name) });
    await link('Second').waitFor();
    const write = (hubId: string, n: number) =>
      team.bob.json('POST', `/hubs/${hubId}/messages`, { text: `Said ${n} there` });
    for (let n = 0; n < 30; n += 1) {
      const arriving = [write(team.hubId, n), write(other.id, n)];
      await link(n % 2 === 0 ? 'Second' : 'Releases').click();
      await Promise.all(arriving);
    }
    for (const [name, hubId] of [
      ['Second', other.id],
      ['Releases', team.hubId],
    ] as const) {
      await link(name).click();
      await ada.page.waitForURL(`**/hubs/${hubId}`);
      await ada.page.getByRole('log', { name: `Conversation in ${name}` }).waitFor();
      await ada.page.keyboard.press('Shift+G');
      await ada.page.getByText('Said 29 there').waitFor();
      const { items } = (await team.ada.json<{ items: Item[] }>('GET', `/hubs/${hubId}/messages?limit=100`)).body;
      const drawn = await ada.page
        .locator('.main .feed [data-row]')
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')));
      const expected = items.map(({ id }) => id).reverse();
      expect(drawn).toEqual(expected.slice(-drawn.length));
      expect(drawn.length).toBeGreaterThan(10);
    }
    await ada.leave();
  });
});

describe("the reader's own message", () => {
  test('scrolls the conversation to its end immediately, even if sending fails', async () => {
    await using team = await startBackdatedTeam();
    await fill(team, 60);
    const ada = await openTestSession(browser, team, { caller: team.ada });
    await scrollUp(ada, 1_500);
    await ada.page.route('**/messages', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await ada.page.getByRole('textbox', { name: 'Message to' }).fill('Lost on the way');
    await ada.page.keyboard.press('Enter');
    const discard = ada.page.getByRole('button', { name: 'Discard' });
    await discard.waitFor();
    await painted(ada.page);
    expect(await end(ada)).toBe(0);
    const [box, feed] = [await discard.boundingBox(), await ada.page.locator('.main .feed').boundingBox()];
    expect((box?.y ?? 9_999) + (box?.height ?? 0)).toBeLessThanOrEqual((feed?.y ?? 0) + (feed?.height ?? 0));
    // A toast that appears in the meantime does not cover the buttons of the unsent message.
    await ada.page.keyboard.press('Escape');
    await ada.page.keyboard.press('y');
    const boxes = [ada.page.locator('.toast'), ada.page.locator('.msg [role="alert"]'), ada.page.locator('.composer')];
    const [toast, ...inUse] = await Promise.all(boxes.map((each) => each.boundingBox()));
    for (const used of inUse) {
      if (!toast || !used) throw new Error('Expected all of them to be shown');
      const isApart = toast.y + toast.height <= used.y || toast.x >= used.x + used.width;
      expect(isApart).toBe(true);
    }
    await ada.context.close();
  });

  test('keeps a reaction that arrives before the response to its own request', async () => {
    await using team = await startBackdatedTeam();
    const ada = await openTestSession(browser, team, { caller: team.ada });
    const { promise: mayArrive, resolve: release } = Promise.withResolvers<void>();
    await ada.page.route('**/messages', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const response = await route.fetch();
      await mayArrive;
      return route.fulfill({ response });
    });
    const response = ada.page.waitForResponse(
      (each) => each.request().method() === 'POST' && each.url().endsWith('/messages'),
    );
    await ada.page.getByRole('textbox', { name: 'Message to' }).fill('Released');
    await ada.page.keyboard.press('Enter');
    const sent = ada.page.locator('.main .feed [data-row^="msg_"]', { hasText: 'Released' });
    const id = await sent.getAttribute('data-row');
    await team.bob.json('PUT', `/messages/${id}/reactions/${encodeURIComponent('🎉')}`);
    await sent.locator('.chip', { hasText: '🎉' }).waitFor();
    release();
    await (await response).finished();
    // The page has also processed the response.
    await ada.page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    await painted(ada.page);
    expect(await sent.locator('.chip', { hasText: '🎉' }).count()).toBe(1);
    await ada.leave();
  });

  test('stays in view when it is written while the unread messages are still loading', async () => {
    await using team = await startBackdatedTeam();
    await fill(team, 2);
    for (let n = 0; n < 55; n += 1) await team.message(team.bob, `Unread ${n}`);
    const { page, context } = await testSession(browser, team.hub, { caller: team.ada });
    const isOpen = Promise.withResolvers<void>();
    await page.route('**/messages?before=*', async (route) => {
      await isOpen.promise;
      await route.continue();
    });
    const older = page.waitForResponse(/messages\?before=/);
    await page.goto(`/hubs/${team.hubId}`);
    await page.getByRole('textbox', { name: 'Message to' }).fill('Here I am');
    await page.keyboard.press('Enter');
    const own = page.locator('.main .feed .msg[id]', { hasText: 'Here I am' });
    await own.waitFor();
    isOpen.resolve();
    await (await older).finished();
    await page.getByRole('log').locator('.msg[id]').first().waitFor();
    await painted(page);
    expect(await page.evaluate(() => document.querySelector('.main .feed')?.scrollTop)).toBe(0);
    await context.close();
  });

  test('in a thread is kept when the parent message is deleted before the reply is sent', async () => {
    await using team = await startBackdatedTeam();
    const written = await team.message(team.bob, 'Soon gone');
    const ada = await openTestSession(browser, team, { caller: team.ada, at: `?open=${written.id}` });
    await ada.panel.getByRole('textbox', { name: 'Reply in thread' }).fill('A long answer');
    await team.bob.json('DELETE', `/messages/${written.id}`);
    await ada.panel.getByText('This message was deleted').waitFor({ timeout: LIVE_MS });
    await ada.panel.getByText('A long answer').waitFor();
    await ada.panel.getByRole('button', { name: 'Copy your text' }).waitFor();
    await ada.context.close();
  });
});

describe('two members at the same time', () => {
  const twoTestSessions = async (team: Awaited<ReturnType<typeof startBackdatedTeam>>) =>
    Promise.all([
      openTestSession(browser, team, { caller: team.ada }),
      openTestSession(browser, team, { caller: team.bob }),
    ]);

  test('convert a message into one to-do, which opens for both', async () => {
    await using team = await startBackdatedTeam();
    const written = await team.message(team.bob, 'Order paper');
    const testSessions = await twoTestSessions(team);
    for (const testSession of testSessions) await testSession.row(written).hover();
    await Promise.all(
      testSessions.map((testSession) =>
        testSession
          .row(written)
          .getByRole('button', { name: /^Convert to to-do/ })
          .click(),
      ),
    );
    for (const testSession of testSessions) {
      await testSession.row(written).locator('.conversion', { hasText: 'Order paper' }).waitFor();
      expect(await testSession.row(written).locator('.conversion').count()).toBe(1);
    }
    expect((await team.todos()).items.length).toBe(1);
    for (const testSession of testSessions) await testSession.leave();
  });

  test('convert a message to different kinds: the first conversion wins and the other member sees it', async () => {
    await using team = await startBackdatedTeam();
    const written = await team.message(team.bob, 'Order paper');
    const [ada, bob] = await twoTestSessions(team);
    for (const testSession of [ada, bob]) await testSession.row(written).hover();
    await Promise.all([
      ada
        .row(written)
        .getByRole('button', { name: /^Convert to to-do/ })
        .click(),
      bob
        .row(written)
        .getByRole('button', { name: /^Convert to note/ })
        .click(),
    ]);
    for (const testSession of [ada, bob]) await testSession.row(written).locator('.conversion').waitFor();
    const kind = (await team.show<Message>(written)).conversion?.kind;
    expect((await team.todos()).items.length + (await team.notes()).items.length).toBe(1);
    const late = kind === 'todo' ? bob : ada;
    await late.page
      .getByText(/This message was already converted|Order paper/)
      .first()
      .waitFor();
    for (const testSession of [ada, bob]) await testSession.leave();
  });

  test('react to a message, and both reactions count', async () => {
    await using team = await startBackdatedTeam();
    const written = await team.message(team.bob, 'Done');
    const carol = await memberOf(team.hub, team.hubId, { name: 'Carol Shaw' });
    await carol.json('PUT', `/messages/${written.id}/reactions/${encodeURIComponent('🎉')}`);
    const [ada, bob] = await twoTestSessions(team);
    const chip = (testSession: HubTestSession) => testSession.row(written).locator('.chip', { hasText: '🎉' });
    await Promise.all([chip(ada).click(), chip(bob).click()]);
    for (const testSession of [ada, bob]) {
      await testSession
        .row(written)
        .getByRole('button', { name: /^🎉, 3: / })
        .waitFor();
    }
    const [reaction] = (await team.show<Message>(written)).reactions;
    expect(new Set(reaction?.userIds)).toEqual(new Set([carol, team.ada, team.bob].map(({ user }) => user.id)));
    await ada.page.reload();
    await isShown(ada.page);
    await chip(ada).waitFor();
    await bob.leave();
    expect(ada.problems).toEqual([]);
    await ada.context.close();
  });
});

test('an unread message that is deleted, or read on another page, is no longer counted as unread', async () => {
  await using team = await startBackdatedTeam();
  const away = await testSession(browser, team.hub, { caller: team.ada });
  const count = away.page.locator('.side .nav-row', { hasText: 'Releases' }).locator('.count');
  await away.page.goto('/mentions');
  const [, { id }] = [await team.message(team.bob, 'one'), await team.message(team.bob, 'two')];
  await count.getByText('2').waitFor();
  await team.bob.json('DELETE', `/messages/${id}`);
  await count.getByText('1').waitFor({ timeout: LIVE_MS });
  const ada = await openTestSession(browser, team, { caller: team.ada });
  await count.waitFor({ state: 'detached' });
  expect(await away.page.title()).toBe('Mentions · Hub');
  expect([...away.problems, ...ada.problems]).toEqual([]);
  await Promise.all([away.context.close(), ada.context.close()]);
});

test('more than 99 unread messages show as 99+', async () => {
  await using own = await startBackdatedTeam();
  for (let n = 0; n < 100; n++) await own.message(own.bob, `${n}`);
  const { page, context } = await testSession(browser, own.hub, { caller: own.ada });
  await page.goto('/mentions');
  await page.locator('.side .count', { hasText: '99+' }).first().waitFor();
  expect(await page.title()).toBe('(99+) Mentions · Hub');
  // With the widest counts, nothing in the Hub's header overflows the page.
  await page.setViewportSize({ width: 768, height: 800 });
  await page.goto(`/hubs/${own.hubId}/todos`);
  await page.locator('.tabs .count', { hasText: '99+' }).waitFor();
  const more = await page.getByRole('button', { name: 'Hub options' }).boundingBox();
  expect((more?.x ?? 0) + (more?.width ?? 0)).toBeLessThanOrEqual(768);
  await context.close();
});
