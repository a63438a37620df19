import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Hub } from '@hub/contract';
import { PHONE, testBrowser, testSession, WIDE } from '@hub/testkit/browser/browser';
import {
  fill,
  LIVE_MS,
  openTestSession,
  painted,
  scrollUp,
  startBackdatedTeam,
  topOf,
} from '@hub/testkit/browser/hub-test-sessions';
import type { Browser, Page } from 'playwright-core';

let browser: Browser;
beforeAll(async () => {
  browser = await testBrowser();
});
afterAll(() => browser.close());

/** Returns the messages whose top edge is in view, from top to bottom. */
const idsInView = (page: Page) =>
  page
    .locator('.feed .msg')
    .evaluateAll((rows) =>
      rows.filter((row) => row.getBoundingClientRect().top >= 60).map((row) => (row as HTMLElement).dataset.row ?? ''),
    );
const newest = (page: Page) => page.locator('.feed .msg').last();

describe('a reader who has scrolled up', () => {
  test('keeps their position when posts arrive, and a button counts them and jumps there', async () => {
    await using team = await startBackdatedTeam();
    await fill(team, 80);
    const ada = await openTestSession(browser, team, { caller: team.ada });
    await scrollUp(ada, 1_500);
    const seen = ada.row({ id: (await idsInView(ada.page))[2] ?? '' });
    const before = await topOf(seen);
    const posted = await team.post('messages', { text: 'One' });
    await team.message(team.bob, 'Two');
    await ada.page.getByRole('button', { name: '2 new' }).waitFor({ timeout: LIVE_MS });
    expect(Math.abs((await topOf(seen)) - before)).toBeLessThanOrEqual(1);
    await ada.page.getByRole('button', { name: '2 new' }).click();
    await ada.row(posted).waitFor();
    await ada.page.getByRole('button', { name: '2 new' }).waitFor({ state: 'detached' });
    const [box, feed] = [await newest(ada.page).boundingBox(), await ada.page.locator('.feed').boundingBox()];
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((feed?.y ?? 0) + (feed?.height ?? 0));
    await ada.leave();
  });

  test('jumps from the new message count to the first new message without marking anything as read, then to the newest', async () => {
    await using team = await startBackdatedTeam();
    await fill(team, 80);
    const ada = await openTestSession(browser, team, { caller: team.ada });
    await scrollUp(ada, 1_500);
    const arrived: { id: string }[] = [];
    for (let n = 0; n < 25; n += 1) arrived.push(await team.message(team.bob, `Arrived ${n}`));
    const unread = async () => (await team.ada.json<Hub>('GET', `/hubs/${team.hubId}`)).body.unreadCounts?.message;
    await ada.page.getByRole('button', { name: '25 new' }).click();
    const first = ada.row(arrived[0] ?? { id: '' });
    await first.waitFor();
    await ada.page.getByRole('separator', { name: '25 new messages below' }).waitFor();
    await painted(ada.page);
    const feedTop = await topOf(ada.page.locator('.feed'));
    expect((await topOf(first)) - feedTop).toBeWithin(0, 130);
    // The button counts messages that have not been in view yet, and each press jumps to the first of them.
    const rest = ada.page.getByRole('button', { name: /^\d+ new$/ });
    expect(Number.parseInt((await rest.textContent()) ?? '', 10)).toBeWithin(1, 25);
    expect(await unread()).toBe(25);
    while ((await rest.count()) > 0) {
      await rest.click();
      await painted(ada.page);
    }
    await ada.row(arrived[24] ?? { id: '' }).waitFor();
    await ada.page.locator('.side').getByRole('link', { name: 'Releases', exact: true }).waitFor();
    expect(await unread()).toBe(0);
    await ada.leave();
  });

  test('skips none of the unread messages that it has not seen when another one arrives', async () => {
    await using team = await startBackdatedTeam();
    await fill(team, 20);
    for (let n = 0; n < 60; n += 1) await team.message(team.bob, `Unread ${n}`);
    const ada = await openTestSession(browser, team, { caller: team.ada });
    await ada.page.getByRole('separator', { name: '60 new messages below' }).waitFor();
    await ada.page.getByRole('button', { name: 'Newest' }).waitFor();
    await team.message(team.bob, 'Arrived');
    const rest = ada.page.getByRole('button', { name: /^\d+ new$/ });
    const count = Number.parseInt((await rest.textContent()) ?? '', 10);
    expect(count).toBeWithin(30, 61);
    await rest.click();
    await painted(ada.page);
    const { body } = await team.ada.json<Hub>('GET', `/hubs/${team.hubId}`);
    expect(body.unreadCounts?.message).toBe(61);
    expect(Number.parseInt((await rest.textContent()) ?? '', 10)).toBeWithin(1, count);
    await ada.leave();
  });

  test('jumps to the first new message when the new ones are much shorter than those above', async () => {
    await using team = await startBackdatedTeam();
    for (let n = 0; n < 8; n += 1) await team.message(team.ada, `Tall ${n}\n\n${'A paragraph.\n\n'.repeat(6)}`);
    const ada = await openTestSession(browser, team, { caller: team.ada });
    await scrollUp(ada, 20_000);
    const arrived: { id: string }[] = [];
    for (let n = 0; n < 60; n += 1) arrived.push(await team.message(team.bob, `Short ${n}`));
    await ada.page.getByRole('button', { name: '60 new' }).click();
    const first = ada.row(arrived[0] ?? { id: '' });
    await first.waitFor();
    for (let frames = 0; frames < 10; frames += 1) await painted(ada.page);
    const feedTop = await topOf(ada.page.locator('.feed'));
    expect((await topOf(first)) - feedTop).toBeWithin(0, 130);
    await ada.leave();
  });

  test('jumps from a linked older message to the first unread one without marking anything as read', async () => {
    await using team = await startBackdatedTeam();
    const linked = (await fill(team, 40))[20] ?? { id: '' };
    const arrived: { id: string }[] = [];
    for (let n = 0; n < 25; n += 1) arrived.push(await team.message(team.bob, `Arrived ${n}`));
    const ada = await openTestSession(browser, team, { caller: team.ada, at: `?at=${linked.id}` });
    await ada.row(linked).and(ada.page.locator('.is-current')).waitFor();
    await ada.page.getByRole('button', { name: '25 new' }).click();
    await ada.page.getByRole('separator', { name: '25 new messages below' }).waitFor();
    await painted(ada.page);
    const first = ada.row(arrived[0] ?? { id: '' });
    expect((await topOf(first)) - (await topOf(ada.page.locator('.feed')))).toBeWithin(0, 130);
    const { body } = await team.ada.json<Hub>('GET', `/hubs/${team.hubId}`);
    expect(body.unreadCounts?.message).toBe(25);
    await ada.leave();
  });

  test('keeps their position when rows above and below grow, shrink or disappear', async () => {
    await using team = await startBackdatedTeam();
    const written = await fill(team, 60);
    const ada = await openTestSession(browser, team, { caller: team.ada });
    await scrollUp(ada, 1_200);
    const ids = await idsInView(ada.page);
    const seen = ids[2] ?? '';
    const index = written.findIndex(({ id }) => id === seen);
    const before = await topOf(ada.row({ id: seen }));
    const [above, below] = [written[index - 5], written[index + 12]];
    if (!above || !below) throw new Error('Too few rows');
    const by = (index: number) => (index % 2 === 0 ? team.ada : team.bob);
    await by(index - 5).json('PATCH', `/messages/${above.id}`, { text: 'Much longer\n\n'.repeat(12) });
    await by(index + 12).json('DELETE', `/messages/${below.id}`);
    await ada.row(below).waitFor({ state: 'detached', timeout: LIVE_MS });
    await ada.row(above).getByText('Much longer').first().waitFor({ timeout: LIVE_MS });
    await painted(ada.page);
    expect(Math.abs((await topOf(ada.row({ id: seen }))) - before)).toBeLessThanOrEqual(1);
    await ada.leave();
  });

  test('loads older messages while scrolling without a jump, with few rows in the document', async () => {
    await using team = await startBackdatedTeam();
    const written = await fill(team, 320);
    const ada = await openTestSession(browser, team, { caller: team.ada });
    const jumps = await ada.page.evaluate(async () => {
      const feed = document.querySelector('.feed') as HTMLElement;
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const tops = () =>
        new Map(
          [...feed.querySelectorAll<HTMLElement>('[data-row]')].map((row) => [
            row.dataset.row ?? '',
            row.getBoundingClientRect().top,
          ]),
        );
      const found: string[] = [];
      let most = 0;
      for (let step = 0; step < 400 && !feed.textContent?.includes('Message 0'); step += 1) {
        feed.scrollTop -= 120;
        await frame();
        const before = tops();
        const at = feed.scrollTop;
        // Rows loaded and drawn after this point must not move the rows in view.
        await frame();
        await frame();
        const after = tops();
        const inView = [...before].filter(([id, top]) => top > 60 && top < innerHeight - 100 && after.has(id));
        const moved = inView.filter(([id, top]) => Math.abs((after.get(id) ?? 0) - top) > 1.5);
        if (moved.length > 0)
          found.push(
            `step ${step} from ${at} to ${feed.scrollTop}: ${moved[0]?.[1]} → ${after.get(moved[0]?.[0] ?? '')}`,
          );
        if (inView.length === 0) found.push(`step ${step}: nothing in view`);
        most = Math.max(most, after.size);
      }
      return { found, most };
    });
    expect(jumps.found).toEqual([]);
    expect(jumps.most).toBeLessThan(200);
    await ada.row(written[0] ?? { id: '' }).waitFor();
    await ada.page.getByText('This is the beginning of').waitFor();
    expect(await ada.page.locator('.feed').getAttribute('role')).toBe('log');
    await ada.leave();
  });

  test('returns to their previous position when going back from another page', async () => {
    await using team = await startBackdatedTeam();
    await fill(team, 120);
    const ada = await openTestSession(browser, team, { caller: team.ada });
    await ada.page.locator('.feed').hover();
    for (let turn = 0; turn < 6; turn += 1) {
      await ada.page.mouse.wheel(0, -700);
      await painted(ada.page);
    }
    const seen = await ada.page.evaluate(() => {
      const rows = [...document.querySelectorAll<HTMLElement>('.feed .msg')];
      const row = rows.find((each) => each.getBoundingClientRect().top > 100);
      return { id: row?.dataset.row ?? '', top: row?.getBoundingClientRect().top ?? 0 };
    });
    await ada.page.getByRole('link', { name: 'Stream' }).first().click();
    await ada.page.getByRole('heading', { name: 'Stream' }).waitFor();
    await ada.page.goBack();
    await ada.row(seen).waitFor();
    await painted(ada.page);
    expect(Math.abs((await topOf(ada.row(seen))) - seen.top)).toBeLessThanOrEqual(1);
    await ada.leave();
  });
});

describe('the address of a message', () => {
  test('opens the message anywhere in the history, and the reader can scroll both ways from there', async () => {
    await using team = await startBackdatedTeam();
    const written = await fill(team, 220);
    const wanted = written[60] ?? { id: '' };
    const ada = await openTestSession(browser, team, { caller: team.ada, at: `?at=${wanted.id}` });
    await ada.row(wanted).and(ada.page.locator('.is-current')).waitFor();
    expect(await topOf(ada.row(wanted))).toBeLessThan(400);
    expect(await ada.row(wanted).evaluate((row) => row === document.activeElement)).toBe(true);
    // The new message is beyond the loaded rows.
    const late = await team.message(team.bob, 'Much later');
    expect(await ada.row(late).count()).toBe(0);
    await ada.page.locator('.feed').hover();
    for (let turn = 0; turn < 80 && (await ada.row(late).count()) === 0; turn += 1) {
      await ada.page.mouse.wheel(0, 900);
      await painted(ada.page);
    }
    await ada.row(late).waitFor();
    const numbers = await ada.page.locator('.feed .msg').allInnerTexts();
    const shown = numbers
      .map((text) => Number(/Message (\d+)/.exec(text)?.[1]))
      .filter((number) => !Number.isNaN(number));
    expect(shown).toEqual(Array.from({ length: shown.length }, (_, n) => (shown[0] ?? 0) + n));
    await ada.leave();
  });

  test('shows that a missing message no longer exists', async () => {
    await using team = await startBackdatedTeam();
    await team.message(team.bob, 'Still here');
    const gone = await team.message(team.bob, 'Gone soon');
    await team.bob.json('DELETE', `/messages/${gone.id}`);
    const ada = await openTestSession(browser, team, { caller: team.ada, at: `?at=${gone.id}` });
    await ada.page.getByText('That message no longer exists.').waitFor();
    await ada.page.locator('.feed').getByText('Still here').waitFor();
    await ada.context.close();
  });
});

describe('a reader at the newest message', () => {
  const isAbove = (page: Page, part: string) =>
    page.waitForFunction((name) => {
      const [shown, composer] = [name, 'form.composer'].map((each) => [...document.querySelectorAll(each)].at(-1));
      return shown && composer && shown.getBoundingClientRect().bottom <= composer.getBoundingClientRect().top;
    }, part);

  test('stays there when the selected message above it gets a reply, and follows the next message', async () => {
    await using team = await startBackdatedTeam();
    await fill(team, 40);
    const chosen = await team.message(team.bob, 'The one above');
    const last = await team.message(team.bob, 'The newest one');
    const ada = await openTestSession(browser, team, { caller: team.ada });
    await ada.row(last).waitFor();
    for (const _ of [1, 2]) await ada.page.keyboard.press('k');
    await ada.page.locator(`.msg.is-current[data-row="${chosen.id}"]`).waitFor();
    await team.reply(team.bob, chosen, 'A reply');
    await ada.row(chosen).getByText('1 reply').waitFor({ timeout: LIVE_MS });
    await isAbove(ada.page, '.feed .msg');
    const next = await team.message(team.bob, 'The next one');
    await ada.row(next).waitFor({ timeout: LIVE_MS });
    await isAbove(ada.page, '.feed .msg');
    await ada.leave();
  });

  test('keeps the message that they edit in its place when those above it grow', async () => {
    await using team = await startBackdatedTeam();
    await fill(team, 40);
    const above = await team.message(team.bob, 'The one above');
    const written = await team.message(team.ada, 'My own');
    const ada = await openTestSession(browser, team, { caller: team.ada });
    await ada.row(written).waitFor();
    await ada.page.getByRole('textbox', { name: 'Message to' }).focus();
    await ada.page.keyboard.press('ArrowUp');
    const field = ada.page.getByRole('textbox', { name: 'Message text' });
    await field.waitFor();
    await painted(ada.page);
    const before = await topOf(field);
    await team.bob.json('PUT', `/messages/${above.id}/reactions/${encodeURIComponent('🎉')}`);
    await ada.row(above).locator('.chip').first().waitFor({ timeout: LIVE_MS });
    await painted(ada.page);
    expect(Math.abs((await topOf(field)) - before)).toBeLessThanOrEqual(1);
    await isAbove(ada.page, '.msg-editor > .under');
    await ada.leave();
  });
});

test('the tools of a message that begins above the view stay in view', async () => {
  await using team = await startBackdatedTeam();
  const long = await team.message(team.bob, Array.from({ length: 30 }, (_, n) => `Line ${n}`).join('\n'));
  const ada = await openTestSession(browser, team, { caller: team.ada, look: { ...WIDE, height: 500 } });
  await ada.row(long).waitFor();
  await ada.page.locator('.feed').hover();
  await ada.page.mouse.wheel(0, 2_000);
  await ada.page.waitForFunction(() => document.querySelector('.feed')?.scrollTop === 0);
  const top = (await topOf(ada.row(long).locator('.tool-bar'))) - (await topOf(ada.page.locator('.feed')));
  expect(top).toBeWithin(0, 20);
  expect(await topOf(ada.row(long))).toBeLessThan(0);
  await ada.row(long).getByRole('button', { name: 'Reply in thread' }).click();
  await ada.panel.waitFor();
  await ada.leave();
});

test('the Hub opens at the divider for any number of unread messages and any window height', async () => {
  await using team = await startBackdatedTeam();
  for (let n = 0; n < 120; n += 1) await team.message(team.bob, `Unread ${n}`);
  for (const height of [768, 1_080, 1_440]) {
    const look = { width: 1_920, height, scheme: 'light' } as const;
    const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada, look });
    await page.goto('/mentions');
    await page.locator('.side').getByText('Releases').click();
    await page.getByRole('separator', { name: '120 new' }).waitFor();
    await page.getByText('Unread 0', { exact: true }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
  }
});

test('the toolbar of a message that ends below the view is scrolled into view', async () => {
  await using team = await startBackdatedTeam();
  const tall = await team.message(team.bob, Array.from({ length: 20 }, (_, n) => `Line ${n}`).join('\n\n'));
  await fill(team, 4);
  const { page, row, leave } = await openTestSession(browser, team, { caller: team.ada, look: PHONE });
  await page.evaluate(() => document.querySelector('.main .feed')?.scrollBy(0, -500));
  await row(tall).locator('.prose p').first().tap();
  await page.waitForFunction(() => {
    const bottomOf = (element: string) => document.querySelector(element)?.getBoundingClientRect().bottom ?? Number.NaN;
    return bottomOf('.is-current > .tools') <= bottomOf('.main .feed');
  });
  await leave();
});

test('the Hub opens at the divider when there are more unread messages than fit on a page, and marks none as read until the newest is in view', async () => {
  await using team = await startBackdatedTeam();
  const before = (await fill(team, 30)).at(-1) ?? { id: '' };
  const first = await team.message(team.bob, 'Unread 0');
  await team.message(team.bob, '@Ada Lovelace, unread 1');
  for (let n = 2; n < 200; n += 1) await team.message(team.bob, `Unread ${n}`);
  const { page, context, problems } = await testSession(browser, team.hub, { caller: team.ada });
  const marks: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') marks.push(request.postData() ?? '');
  });
  await page.goto(`/hubs/${team.hubId}`);
  const line = page.getByRole('separator', { name: '100+ new messages below' });
  await line.waitFor();
  const row = ({ id }: { id: string }) => page.locator(`.main .feed [data-row="${id}"]`);
  expect(await topOf(row(before))).toBeLessThan(await topOf(line));
  expect(await topOf(line)).toBeLessThan(await topOf(row(first)));
  expect(await row(first).evaluate((each) => each.getBoundingClientRect().bottom < innerHeight)).toBe(true);
  await page.locator('.side').getByRole('link', { name: 'Mentions 1 unread' }).waitFor();
  await painted(page);
  expect(marks).toEqual([]);
  const read = page.waitForResponse((response) => response.request().method() === 'PUT');
  await page.getByRole('button', { name: 'Newest' }).click();
  await page.getByText('Unread 199', { exact: true }).waitFor();
  expect(await (await read).json()).toMatchObject({ unreadCounts: { message: 0 } });
  await page.locator('.side').getByRole('link', { name: 'Mentions', exact: true }).waitFor();
  // The first of the newly loaded rows is not the first unread one.
  expect(await page.getByRole('separator').count()).toBe(0);
  // Messages that arrived at the end in the meantime are not skipped when the reader returns.
  await page.locator('.side').getByRole('link', { name: 'Mentions', exact: true }).click();
  await page.getByRole('heading', { name: 'Mentions' }).waitFor();
  for (const text of ['Late', 'Later']) await team.message(team.bob, `${text}\n\n`.repeat(25));
  await page.locator('.side').getByRole('link', { name: 'Releases 2 unread' }).waitFor();
  await page.goBack();
  await page.getByRole('separator', { name: '2 new messages below' }).waitFor();
  await painted(page);
  expect(await topOf(page.getByRole('separator'))).toBeGreaterThan(0);
  expect((await team.ada.json<Hub>('GET', `/hubs/${team.hubId}`)).body.unreadCounts?.message).toBe(2);
  expect(problems).toEqual([]);
  await context.close();
});

test('a reader who returns to the Stream keeps their position below a collapsed post that is cut off', async () => {
  await using team = await startBackdatedTeam();
  for (let n = 0; n < 12; n++) await team.message(team.bob, Array(40).fill(`line of ${n}`).join('\n\n'));
  const { page, context } = await testSession(browser, team.hub, { caller: team.ada });
  await page.goto('/stream');
  await page.getByRole('button', { name: 'Show more' }).nth(4).waitFor();
  await page.locator('.scroll').evaluate((scroller) => scroller.scrollTo({ top: 700 }));
  const tops = () =>
    page
      .locator('.entry')
      .evaluateAll((entries) => entries.map((each) => Math.round(each.getBoundingClientRect().top)));
  const before = await tops();
  for (let n = 0; n < 3; n += 1) {
    await page
      .locator('.entry')
      .nth(3)
      .locator('a.hub')
      .evaluate((link) => (link as HTMLElement).click());
    await page.waitForURL('**/hubs/**');
    await page.locator('.msg').first().waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Show more' }).nth(4).waitFor();
    for (const [index, top] of (await tops()).entries()) expect(Math.abs(top - (before[index] ?? 0))).toBeLessThan(4);
  }
  await context.close();
});

test('a reader who returns from the mentions or from a filter keeps their position, and the focus its place', async () => {
  await using team = await startBackdatedTeam();
  for (let n = 0; n < 90; n++) await team.message(team.bob, `message ${n}`);
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  await page.goto('/stream');
  await page.getByText('message 89', { exact: true }).waitFor();
  for (const leave of [
    () => page.locator('.side').getByRole('link', { name: 'Mentions' }).click(),
    () =>
      page.getByRole('button', { name: 'Unread', exact: true }).evaluate((button) => (button as HTMLElement).click()),
  ]) {
    await page.locator('.scroll').evaluate((scroller) => scroller.scrollTo({ top: 2_000 }));
    await page.waitForFunction(() => document.querySelector('.scroll')?.scrollTop === 2_000);
    const url = page.url();
    await leave();
    await page.waitForURL((at) => at.href !== url);
    await page.locator('.scroll:not([data-location=""])').waitFor();
    await page.waitForFunction(() => (document.querySelector('.scroll')?.scrollTop ?? 0) < 500);
    await page.goBack();
    await page.waitForFunction(() => Math.abs((document.querySelector('.scroll')?.scrollTop ?? 0) - 2_000) < 4);
  }
  for (let n = 0; n < 4; n++) await page.keyboard.press('j');
  const focused = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.item ?? '');
  const id = await focused();
  expect(id).toStartWith('msg_');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/hubs/**');
  await page.locator('.msg').first().waitFor();
  await page.goBack();
  await page.locator(`[data-item="${id}"]`).waitFor();
  expect(await focused()).toBe(id);
  await page.keyboard.press('j');
  expect(await focused()).not.toBe(id);
  expect(problems).toEqual([]);
  await context.close();
});
