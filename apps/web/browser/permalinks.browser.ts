import { afterAll, beforeAll, expect, test } from 'bun:test';
import { PHONE, testBrowser, testSession, WIDE } from '@hub/testkit/browser/browser';
import {
  type BackdatedTeam,
  fill,
  LIVE_MS,
  openTestSession,
  painted,
  startBackdatedTeam,
  topOf,
} from '@hub/testkit/browser/hub-test-sessions';
import type { Browser, Page } from 'playwright-core';

const MESSAGES = 80;
/** Messages from all over the Hub, including the first and the newest: log blocks, tall texts and emoji. */
const TARGETS = [0, 14, 39, 51, 71, 79];

let browser: Browser;
let team: BackdatedTeam;
let ids: string[];
beforeAll(async () => {
  browser = await testBrowser();
  team = await startBackdatedTeam();
  ids = [];
  for (let n = 0; n < MESSAGES; n += 1) {
    ids.push((await team.post('messages', bodyOf(n))).id);
    team.afterMinutes(1);
  }
  await team.ada.json('PUT', `/hubs/${team.hubId}/read`, { seq: await team.seq() });
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

/**
 * Returns the body of a post. Most have more than 8,000 characters, so a worker parses them and their rows grow
 * afterwards.
 */
function bodyOf(n: number): object {
  if (n % 20 === 11)
    return { text: Array.from({ length: 90 }, (_, line) => `Line ${line} of report ${n}`).join('\n\n') };
  if (n % 20 === 14) return { text: `Emoji ${n}\n\n${'😀 🎉 👍🏽 👩‍👩‍👧 '.repeat(600)}` };
  const log = Array.from(
    { length: 200 },
    (_, line) => `12:00:${line % 60} [worker-${n}] step ${line} finished without errors`,
  );
  return {
    blocks: [
      { type: 'paragraph', data: { text: `Build ${n} has finished` } },
      { type: 'code', data: { code: log.join('\n') } },
    ],
  };
}

/** Resolves once no post in the feed is being parsed and no row has moved for 20 frames. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const feed = document.querySelector('.main .feed') as HTMLElement;
    const state = () =>
      [...feed.querySelectorAll('[data-row]')].map((row) => Math.round(row.getBoundingClientRect().top)).join();
    let [still, before] = [0, ''];
    while (still < 20) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = state();
      still = now === before && feed.querySelector('.prose[aria-busy="true"]') === null ? still + 1 : 0;
      before = now;
    }
  });
}

/** Returns the problem with the position of a message, if any: its head should be in the upper half of the feed. */
async function misplaced(page: Page, id: string): Promise<string | null> {
  return page.evaluate((wanted) => {
    const feed = document.querySelector('.main .feed')?.getBoundingClientRect();
    const row = document.querySelector(`.main .feed [data-row="${wanted}"]`)?.getBoundingClientRect();
    if (!feed || !row) return `${wanted} is not drawn`;
    const isRight = row.top >= feed.top && row.top < feed.top + Math.max(feed.height / 2, feed.height - row.height);
    return isRight ? null : `${wanted} begins at ${Math.round(row.top - feed.top)} of ${feed.height}`;
  }, id);
}

for (const look of [WIDE, PHONE]) {
  for (const [name, addressOf] of [
    ['?at=', (id: string) => `/hubs/${team.hubId}?at=${id}`],
    ['/p/', (id: string) => `/p/${id}`],
  ] as const) {
    test(`${name} at ${look.width} px shows the top of its message among long posts in each of six loads`, async () => {
      const { page, context, problems } = await testSession(browser, team.hub, { caller: team.ada, look });
      const wrong: string[] = [];
      for (const target of TARGETS) {
        const id = ids[target] ?? '';
        await page.goto(addressOf(id));
        await page.locator(`.main .feed [data-row="${id}"].is-current`).waitFor();
        await settled(page);
        const problem = await misplaced(page, id);
        if (problem) wrong.push(`message ${target}: ${problem}`);
      }
      expect(wrong).toEqual([]);
      expect(problems).toEqual([]);
      await context.close();
    });
  }
}

test('the message that a link opens keeps its position while rows around it change and arrive, until the reader scrolls', async () => {
  await using own = await startBackdatedTeam();
  const written = await fill(own, 40);
  const [above, wanted, below] = [written[29], written[30], written[32]];
  if (!above || !wanted || !below) throw new Error('Too few rows');
  const ada = await openTestSession(browser, own, { caller: own.ada, at: `?at=${wanted.id}` });
  await ada.page.locator('.is-current').and(ada.row(wanted)).waitFor();
  await settled(ada.page);
  const before = await topOf(ada.row(wanted));
  const lengthen = async (caller: typeof own.ada, { id }: { id: string }, text: string) => {
    await caller.json('PATCH', `/messages/${id}`, { text: `${text}\n\n`.repeat(20) });
    await ada.row({ id }).getByText(text).first().waitFor({ timeout: LIVE_MS });
    await painted(ada.page);
  };
  await lengthen(own.bob, above, 'Longer');
  await lengthen(own.ada, below, 'Longer');
  await own.message(own.bob, 'Arrived');
  await ada.page.getByRole('button', { name: '1 new' }).waitFor({ timeout: LIVE_MS });
  expect(Math.abs((await topOf(ada.row(wanted))) - before)).toBeLessThanOrEqual(1);
  await ada.page.locator('.feed').hover();
  await ada.page.mouse.wheel(0, -60);
  await ada.page.waitForFunction(
    ([id, top]) => (document.querySelector(`.feed [data-row="${id}"]`)?.getBoundingClientRect().top ?? 0) > Number(top),
    [wanted.id, before + 40],
  );
  await painted(ada.page);
  const scrolled = await topOf(ada.row(wanted));
  await lengthen(own.ada, below, 'Shorter again');
  expect(Math.abs((await topOf(ada.row(wanted))) - scrolled)).toBeLessThanOrEqual(1);
  await ada.leave();
});

test('a link into long unread posts marks none as read while a worker is still parsing them, before they have their full height', async () => {
  await using own = await startBackdatedTeam();
  const posted: { id: string }[] = [];
  for (let n = 0; n < 10; n += 1) posted.push(await own.post('messages', bodyOf(n)));
  const { page, context, problems } = await testSession(browser, own.hub, { caller: own.ada });
  const marks: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') marks.push(request.url());
  });
  await page.goto(`/hubs/${own.hubId}?at=${posted[4]?.id}`);
  await page.locator('.main .feed .is-current').waitFor();
  await settled(page);
  expect(marks).toEqual([]);
  const read = page.waitForRequest((request) => request.method() === 'PUT');
  await page.keyboard.press('Shift+G');
  await read;
  expect(problems).toEqual([]);
  await context.close();
});

test('a Hub opened at its unread messages scrolls to new messages while the newest is in view', async () => {
  await using own = await startBackdatedTeam();
  await fill(own, 20);
  await own.message(own.bob, 'Unread');
  const ada = await openTestSession(browser, own, { caller: own.ada });
  await ada.page.getByRole('separator', { name: '1 new message below' }).waitFor();
  for (let n = 0; n < 30; n += 1) await own.message(own.bob, `Arrived ${n}`);
  await ada.page.getByText('Arrived 29').waitFor();
  await painted(ada.page);
  expect(await ada.page.evaluate(() => document.querySelector('.main .feed')?.scrollTop)).toBe(0);
  await ada.leave();
});
