import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Hub } from '@hub/contract';
import type { Browser, Page } from 'playwright-core';
import { PHONE, startBrowser, testSession } from './browser.ts';
import { fill, LIVE_MS, openTestSession, painted, scrollUp, startTeamOfYesterday, topOf } from './hub-test-sessions.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** The messages whose beginning is in view, the uppermost first. */
const idsInView = (page: Page) =>
  page
    .locator('.feed .msg')
    .evaluateAll((rows) =>
      rows.filter((row) => row.getBoundingClientRect().top >= 60).map((row) => (row as HTMLElement).dataset.row ?? ''),
    );
const newest = (page: Page) => page.locator('.feed .msg').last();

describe('a reader who has scrolled up', () => {
  test('is not moved by what comes; a button counts it and leads there', async () => {
    await using team = await startTeamOfYesterday();
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

  test('gets from the count of new messages to the first of them, which marks nothing as read, and on to the newest', async () => {
    await using team = await startTeamOfYesterday();
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
    // The count is of those that have not been in view yet, and each press leads on to the first of them.
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

  test('gets from a link above the unread messages to the first of them, which marks nothing as read', async () => {
    await using team = await startTeamOfYesterday();
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

  test('stays where he is when rows above and below grow, shrink or go', async () => {
    await using team = await startTeamOfYesterday();
    const written = await fill(team, 60);
    const ada = await openTestSession(browser, team, { caller: team.ada });
    await scrollUp(ada, 1_200);
    const ids = await idsInView(ada.page);
    const seen = ids[2] ?? '';
    const place = written.findIndex(({ id }) => id === seen);
    const before = await topOf(ada.row({ id: seen }));
    const [above, below] = [written[place - 5], written[place + 12]];
    if (!above || !below) throw new Error('There are too few rows');
    const by = (index: number) => (index % 2 === 0 ? team.ada : team.bob);
    await by(place - 5).json('PATCH', `/messages/${above.id}`, { text: 'Much longer\n\n'.repeat(12) });
    await by(place + 12).json('DELETE', `/messages/${below.id}`);
    await ada.row(below).waitFor({ state: 'detached', timeout: LIVE_MS });
    await ada.row(above).getByText('Much longer').first().waitFor({ timeout: LIVE_MS });
    await painted(ada.page);
    expect(Math.abs((await topOf(ada.row({ id: seen }))) - before)).toBeLessThanOrEqual(1);
    await ada.leave();
  });

  test('finds older messages as he scrolls, without a jump, and few rows in the document', async () => {
    await using team = await startTeamOfYesterday();
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
        // Whatever is loaded and drawn now must leave what is in view where it is.
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
    await ada.page.getByText('This is where').waitFor();
    expect(await ada.page.locator('.feed').getAttribute('role')).toBe('log');
    await ada.leave();
  });

  test('comes back to where he was', async () => {
    await using team = await startTeamOfYesterday();
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
  test('leads to it, wherever it is, and from there on to both sides', async () => {
    await using team = await startTeamOfYesterday();
    const written = await fill(team, 220);
    const wanted = written[60] ?? { id: '' };
    const ada = await openTestSession(browser, team, { caller: team.ada, at: `?at=${wanted.id}` });
    await ada.row(wanted).and(ada.page.locator('.is-current')).waitFor();
    expect(await topOf(ada.row(wanted))).toBeLessThan(400);
    expect(await ada.row(wanted).evaluate((row) => row === document.activeElement)).toBe(true);
    // What comes now is beyond what is loaded.
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

  test('that leads to nothing says so', async () => {
    await using team = await startTeamOfYesterday();
    await team.message(team.bob, 'Still here');
    const gone = await team.message(team.bob, 'Gone soon');
    await team.bob.json('DELETE', `/messages/${gone.id}`);
    const ada = await openTestSession(browser, team, { caller: team.ada, at: `?at=${gone.id}` });
    await ada.page.getByText('That message is not there any more.').waitFor();
    await ada.page.locator('.feed').getByText('Still here').waitFor();
    await ada.context.close();
  });
});

test('however much is unread and however high the window is, the Hub opens at the line', async () => {
  await using team = await startTeamOfYesterday();
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

test('the tools of a message that ends below what is in view come into it', async () => {
  await using team = await startTeamOfYesterday();
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

test('with more unread than is loaded at once it opens at the line, too, and nothing is read before the newest is in view', async () => {
  await using team = await startTeamOfYesterday();
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
  // What begins where the newest were loaded is not the first that was new.
  expect(await page.getByRole('separator').count()).toBe(0);
  // Nor is what came at the end while one was elsewhere passed over when one comes back to it.
  await page.locator('.side').getByRole('link', { name: 'Mentions', exact: true }).click();
  await page.getByRole('heading', { name: 'Mentions' }).waitFor();
  for (const words of ['Late', 'Later']) await team.message(team.bob, `${words}\n\n`.repeat(25));
  await page.locator('.side').getByRole('link', { name: 'Releases 2 unread' }).waitFor();
  await page.goBack();
  await page.getByRole('separator', { name: '2 new messages below' }).waitFor();
  await painted(page);
  expect(await topOf(page.getByRole('separator'))).toBeGreaterThan(0);
  expect((await team.ada.json<Hub>('GET', `/hubs/${team.hubId}`)).body.unreadCounts?.message).toBe(2);
  expect(problems).toEqual([]);
  await context.close();
});
