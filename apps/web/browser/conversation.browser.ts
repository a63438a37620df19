import { expect, test } from 'bun:test';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { PHONE, WIDE } from '@hub/testkit/browser/browser';
import { fill, scrollUp, startBackdatedTeam, teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { failWrites, focused, painted, seen, topOf } from '@hub/testkit/browser/steps';
import type { Page } from 'playwright-core';

const { open, openHub, newHub, forgetProblems } = await teamSessions(startBackdatedTeam());

/** Returns the messages whose top edge is in view, from top to bottom. */
const idsInView = (page: Page) =>
  page
    .locator('.feed .msg')
    .evaluateAll((rows) =>
      rows.filter((row) => row.getBoundingClientRect().top >= 60).map((row) => (row as HTMLElement).dataset.row ?? ''),
    );

test('a reader who has scrolled up keeps their position when rows around it arrive, grow or disappear', async () => {
  const team = await newHub();
  const written = await fill(team, 80);
  const ada = await openHub(team.ada);
  // Screen readers announce what arrives, also out of view.
  const announced = (text: string) => ada.page.locator('body > [role="status"]', { hasText: text }).waitFor();
  await ada.page.locator('body > [role="status"]').waitFor({ state: 'attached' });
  await scrollUp(ada, 1_500);
  const id = (await idsInView(ada.page))[2] ?? '';
  const watched = ada.row({ id });
  const index = written.findIndex((each) => each.id === id);
  const [above, below] = [written[index - 5], written[index + 12]];
  if (!above || !below) throw new Error('Too few rows');
  const before = await topOf(watched);
  const posted = await team.post('messages', { text: '**One**' });
  await announced('ci (bot): One');
  await team.message(team.bob, 'Two');
  await ada.page.getByRole('button', { name: '2 new' }).waitFor();
  const by = (at: number) => (at % 2 === 0 ? team.ada : team.bob);
  await by(index - 5).json('PATCH', `/messages/${above.id}`, { text: 'Much longer\n\n'.repeat(12) });
  await by(index + 12).json('DELETE', `/messages/${below.id}`);
  await ada.row(below).waitFor({ state: 'detached' });
  await ada.row(above).getByText('Much longer').first().waitFor();
  await painted(ada.page);
  expect(Math.abs((await topOf(watched)) - before)).toBeLessThanOrEqual(1);
  await ada.page.getByRole('button', { name: '2 new' }).click();
  await ada.row(posted).waitFor();
  await ada.page.getByRole('button', { name: '2 new' }).waitFor({ state: 'detached' });
  const newest = await ada.page.locator('.feed .msg').last().boundingBox();
  const feed = await ada.page.locator('.feed').boundingBox();
  expect((newest?.y ?? 0) + (newest?.height ?? 0)).toBeLessThanOrEqual((feed?.y ?? 0) + (feed?.height ?? 0));
  await ada.page.goto('/settings');
  await ada.page.locator('body > [role="status"]').waitFor({ state: 'attached' });
  await Promise.all(['Three', '@Ada Lovelace Four', '@Ada Lovelace Five'].map((text) => team.message(team.bob, text)));
  await announced('2 new posts');
});

test('older messages load while scrolling without a jump, with few rows in the document', async () => {
  const team = await newHub();
  const written = await fill(team, 250);
  const ada = await openHub(team.ada);
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
    for (let step = 0; step < 200 && !feed.textContent?.includes('Message 0'); step += 1) {
      feed.scrollTop -= 320;
      await frame();
      const before = tops();
      const at = feed.scrollTop;
      // Rows loaded and drawn after this point must not move the rows in view.
      await frame();
      await frame();
      const after = tops();
      const inView = [...before].filter(([id, top]) => top > 60 && top < innerHeight - 100 && after.has(id));
      const moved = inView.filter(([id, top]) => Math.abs((after.get(id) ?? 0) - top) > 1.5);
      if (moved.length > 0) found.push(`step ${step} from ${at} to ${feed.scrollTop}: ${moved[0]?.[1]}`);
      if (inView.length === 0) found.push(`step ${step}: nothing in view`);
      most = Math.max(most, after.size);
    }
    return { found, most };
  });
  expect(jumps.found).toEqual([]);
  expect(jumps.most).toBeLessThan(200);
  await seen(ada.row(written[0] ?? { id: '' }), ada.page.getByText('This is the beginning of'));
  // Going back from another page returns to the same position.
  await ada.page.locator('.feed').hover();
  await ada.page.mouse.wheel(0, 2_000);
  await painted(ada.page);
  const kept = { id: (await idsInView(ada.page))[1] ?? '' };
  const top = await topOf(ada.row(kept));
  await ada.page.getByRole('link', { name: 'Stream' }).first().click();
  await ada.page.getByRole('heading', { name: 'Stream' }).waitFor();
  await ada.page.goBack();
  await ada.row(kept).waitFor();
  await painted(ada.page);
  expect(Math.abs((await topOf(ada.row(kept))) - top)).toBeLessThanOrEqual(1);
});

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

/** Returns a post that a worker parses, so that its row grows afterwards: log blocks, tall texts and emoji. */
function longPost(n: number): object {
  if (n % 20 === 11)
    return { text: Array.from({ length: 90 }, (_, line) => `Line ${line} of report ${n}`).join('\n\n') };
  if (n % 20 === 14) return { text: `Emoji ${n}\n\n${'😀 🎉 👍🏽 👩‍👩‍👧 '.repeat(600)}` };
  const code = Array.from({ length: 200 }, (_, line) => `12:00:${line % 60} [worker-${n}] step ${line} finished`);
  return {
    blocks: [
      { type: 'paragraph', data: { text: `Build ${n} has finished` } },
      { type: 'code', data: { code: code.join('\n') } },
    ],
  };
}

test('a link to a message among long posts shows its top, in the middle and at both ends of the history, wide and on a phone', async () => {
  const team = await newHub();
  const ids: string[] = [];
  for (let n = 0; n < 60; n += 1) {
    ids.push((await team.post('messages', longPost(n))).id);
    team.afterMinutes(1);
  }
  // Messages of all kinds, including the first and the newest. Marking none as read shows that the page waits for them.
  for (const [look, path, targets] of [
    [WIDE, `/hubs/${team.hubId}?at=`, [0, 31]],
    [PHONE, '/p/', [14, 59]],
  ] as const) {
    const page = await open(team.ada, '/mentions', { look });
    for (const target of targets) {
      const id = ids[target] ?? '';
      await page.goto(path + id);
      await page.locator(`.main .feed [data-row="${id}"].is-current`).waitFor();
      await settled(page);
      expect([target, await misplaced(page, id)]).toEqual([target, null]);
    }
  }
});

test('a linked message keeps its position while rows around it change, the reader can scroll both ways from it, and a missing one is reported', async () => {
  const team = await newHub();
  const written = await fill(team, 120);
  const [above, wanted, below] = [written[59], written[60], written[62]];
  if (!above || !wanted || !below) throw new Error('Too few rows');
  const ada = await openHub(team.ada, { at: `?at=${wanted.id}` });
  const { page, row } = ada;
  await row(wanted).and(page.locator('.is-current:focus')).waitFor();
  await settled(page);
  const before = await topOf(row(wanted));
  for (const [caller, { id }] of [
    [team.bob, above],
    [team.ada, below],
  ] as const) {
    await caller.json('PATCH', `/messages/${id}`, { text: 'Longer\n\n'.repeat(20) });
    await row({ id }).getByText('Longer').first().waitFor();
    await painted(page);
  }
  const late = await team.message(team.bob, 'Much later');
  await page.getByRole('button', { name: '1 new' }).waitFor();
  expect(Math.abs((await topOf(row(wanted))) - before)).toBeLessThanOrEqual(1);
  // The new message is beyond the loaded rows.
  expect(await row(late).count()).toBe(0);
  await page.locator('.feed').hover();
  for (let turn = 0; turn < 60 && (await row(late).count()) === 0; turn += 1) {
    await page.mouse.wheel(0, 900);
    await painted(page);
  }
  await row(late).waitFor();
  const texts = await page.locator('.feed .msg').allInnerTexts();
  const numbers = texts.map((text) => Number(/Message (\d+)/.exec(text)?.[1])).filter((n) => !Number.isNaN(n));
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, n) => (numbers[0] ?? 0) + n));
  await team.bob.json('DELETE', `/messages/${late.id}`);
  await page.goto(`/hubs/${team.hubId}?at=${late.id}`);
  await seen(page.getByText('That message no longer exists.'), page.locator('.feed .msg').first());
  // A link that was cut says the same.
  await page.goto(`/hubs/${team.hubId}?at=${late.id.slice(0, -1)}`);
  await seen(page.getByText('That message no longer exists.'), page.locator('.feed .msg').first());
  forgetProblems(page);
});

test('a reader at the newest message stays there while a message above gets a reply or reactions, also while they edit', async () => {
  const team = await newHub();
  await fill(team, 40);
  const chosen = await team.message(team.bob, 'The one above');
  const last = await team.message(team.ada, 'The newest one');
  const { page, row } = await openHub(team.ada);
  const isAbove = (part: string) =>
    page.waitForFunction((name) => {
      const [shown, composer] = [name, 'form.composer'].map((each) => [...document.querySelectorAll(each)].at(-1));
      return shown && composer && shown.getBoundingClientRect().bottom <= composer.getBoundingClientRect().top;
    }, part);
  await row(last).waitFor();
  for (const _ of [1, 2]) await page.keyboard.press('k');
  await page.locator(`.msg.is-current[data-row="${chosen.id}"]`).waitFor();
  await team.reply(team.bob, chosen, 'A reply');
  await row(chosen).getByText('1 reply').waitFor();
  await isAbove('.feed .msg');

  await page.getByRole('textbox', { name: 'Message to' }).focus();
  await page.keyboard.press('ArrowUp');
  const field = page.getByRole('textbox', { name: 'Message text' });
  await field.waitFor();
  await settled(page);
  const before = await topOf(field);
  await team.bob.json('PUT', `/messages/${chosen.id}/reactions/${encodeURIComponent('🎉')}`);
  await row(chosen).locator('.chip').first().waitFor();
  await settled(page);
  expect(Math.abs((await topOf(field)) - before)).toBeLessThanOrEqual(1);
  await isAbove('.msg-editor > .under');
  await page.locator('.msg-editor').getByRole('button', { name: 'Cancel' }).click();
  const next = await team.message(team.bob, 'The next one');
  await row(next).waitFor();
  await isAbove('.feed .msg');
});

test('a conversation that is empty shows the next steps until the first message arrives, even after one that could not be sent; one that is loading, or could not be loaded, says so', async () => {
  const team = await newHub();
  const { page, row } = await openHub(team.ada);
  const nothing = page.getByRole('heading', { name: 'No posts yet' });
  await nothing.waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Issue a key' }).waitFor();
  await page.getByRole('button', { name: 'Write a message' }).click();
  expect(await focused(page)).toStartWith('Message to');
  await failWrites(page, '**/messages');
  await page.keyboard.type('The first');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Discard' }).click();
  await nothing.waitFor();
  const posted = await team.post('messages', { text: 'The first' });
  await row(posted).waitFor();
  await nothing.waitFor({ state: 'detached' });
  forgetProblems(page);

  await page.route('**/api/v1/hubs/*/messages*', () => {});
  await page.goto(`/hubs/${team.hubId}`);
  await page.locator('.skeleton-line').first().waitFor();
  await page.unroute('**/api/v1/hubs/*/messages*');
  await page.route('**/api/v1/hubs/*/messages*', (route) =>
    route.fulfill({ status: 500, json: { statusCode: 500, message: 'It broke.', timestamp: '', path: '' } }),
  );
  await page.goto(`/hubs/${team.hubId}`);
  await seen(page.getByRole('heading', { name: 'Couldn’t load messages' }), page.getByText('It broke.'));
  await expectAccessible(page);
  forgetProblems(page);
});
