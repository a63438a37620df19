import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { PHONE, type TestSession, testBrowser, testSession } from '@hub/testkit/browser/browser';
import { startTeam } from '@hub/testkit/in-process/team';
import type { Page } from 'playwright-core';

const LENGTH = 40_000;
const full = (piece: string) => [...piece.repeat(Math.ceil(LENGTH / piece.length))].slice(0, LENGTH).join('');
const WORD = 'unbroken'.repeat(60);
const TALL = `Z${'\u0315\u031b\u0340\u0341\u0358\u0301\u0302'.repeat(30)}`;

/** Text that can break a page by its shape rather than its content. */
const SHAPES: Readonly<Record<string, string>> = {
  bars: full('| '),
  'unclosed asterisks': full('*a '),
  'underscores in words': full('a_b_'),
  entities: full('&amp;&#x41;'),
  'many diacritics on one letter': `a${'\u0301'.repeat(20_000)}`,
  'tall letters': `before ${`${TALL} `.repeat(40)}after`,
  'nested bidirectional text': full('\u202ea\u2067b'),
  'bidirectional text with too many ends': full('\u2069\u202ca'),
  'invisible characters': full('\u200b\u200d\ufeffa'),
  'joined emoji': full('👩‍👩‍👧‍👦'),
  'non-breaking spaces': full('a\u00a0'),
  ideographs: full('漢字'),
  'a long word in every element': [
    `# ${WORD}`,
    `> ${WORD}`,
    `- ${WORD}`,
    `**${WORD}** ~~${WORD}~~ \`${WORD}\``,
    `[${WORD}](https://a.example/${WORD})`,
    `https://a.example/${WORD}`,
    `| ${WORD} | b |\n|---|---|\n| c | ${WORD} |`,
    `\`\`\`\n${WORD}\n\`\`\``,
    `![${WORD}](https://a.example/i.png)`,
  ].join('\n\n'),
  'deep lists and quotes with text': Array.from(
    { length: 12 },
    (_, n) => `${'> '.repeat(n)}${' '.repeat(0)}- ${WORD.slice(0, 60)}`,
  ).join('\n\n'),
  images: full('![a](https://a.example/i.png) '),
  tabs: full('\ta\n'),
};

const nested = (depth: number): object[] =>
  depth === 0 ? [] : Array.from({ length: 2 }, () => ({ content: WORD.slice(0, 40), items: nested(depth - 1) }));

const BLOCKS: Readonly<Record<string, object[]>> = {
  'a list of 1,000 items': [
    {
      type: 'list',
      data: { style: 'ordered', items: Array.from({ length: 990 }, () => ({ content: 'a', items: [] })) },
    },
  ],
  'lists in lists': [{ type: 'list', data: { style: 'unordered', items: nested(7) } }],
  'a wide table with text': [
    {
      type: 'table',
      data: { withHeadings: true, content: Array.from({ length: 20 }, () => Array.from({ length: 20 }, () => WORD)) },
    },
  ],
  'a long word in every block': [
    { type: 'header', data: { text: WORD, level: 1 } },
    { type: 'quote', data: { text: WORD, caption: WORD } },
    { type: 'warning', data: { title: WORD, message: WORD } },
    { type: 'checklist', data: { items: [{ text: WORD, checked: true }] } },
    { type: 'image', data: { file: { url: `https://a.example/${WORD}` }, caption: WORD } },
    { type: WORD, data: { text: WORD } },
  ],
};

let team: Awaited<ReturnType<typeof startTeam>>;
let browser: Awaited<ReturnType<typeof testBrowser>>;
let ada: TestSession;
beforeAll(async () => {
  [team, browser] = await Promise.all([startTeam(), testBrowser()]);
  ada = await testSession(browser, team.hub, { caller: team.ada, look: PHONE });
  await ada.page.goto(`/hubs/${team.hubId}`);
  await ada.page.getByRole('log').waitFor();
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

/** Checks that the page is as wide as its window and that the post stays within its row. */
async function expectWithinBounds(page: Page, id: string): Promise<void> {
  const problems = await page.evaluate((rowId) => {
    const found: string[] = [];
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways');
    const feed = document.querySelector('.feed');
    if (feed && feed.scrollWidth > feed.clientWidth) found.push('the feed scrolls sideways');
    const prose = document.querySelector(`#${rowId} .prose`);
    if (!prose) return ['the post is missing'];
    for (const element of prose.querySelectorAll('*')) {
      const { right, width } = element.getBoundingClientRect();
      if (width === 0 || right <= innerWidth + 1) continue;
      let around = element.parentElement;
      while (around && around !== prose && getComputedStyle(around).overflowX === 'visible')
        around = around.parentElement;
      if (around === prose) found.push(`${element.tagName} sticks out to ${right}`);
    }
    if (getComputedStyle(prose).overflowY === 'visible') found.push('tall text is drawn over its neighbors');
    return found.slice(0, 5);
  }, id);
  expect(problems).toEqual([]);
}

async function check(id: string): Promise<void> {
  const { page } = ada;
  await page.locator(`#${id} .prose[aria-busy="false"]`).waitFor();
  await expectWithinBounds(page, id);
  const showMore = page.locator(`#${id}`).getByRole('button', { name: 'Show more' });
  if (await showMore.isVisible()) {
    await showMore.click();
    await page.locator(`#${id}`).getByRole('button', { name: 'Show less' }).waitFor();
    await expectWithinBounds(page, id);
  }
  // The page is still responsive.
  const responded = performance.now();
  await page.evaluate('1');
  expect(performance.now() - responded).toBeLessThan(2_000);
  await team.bob.json('DELETE', `/messages/${id}`);
  await page.locator(`#${id}`).waitFor({ state: 'detached' });
}

describe('on a phone, nothing overflows and nothing freezes with', () => {
  test.each(Object.entries(SHAPES))('%s', async (_, text) => {
    const { id } = await team.message(team.bob, text);
    await check(id);
  });

  test.each(Object.entries(BLOCKS))('%s, in blocks', async (_, blocks) => {
    const { id } = await team.message(team.bob, 'before');
    await team.bob.json('DELETE', `/messages/${id}`);
    const posted = await team.post('messages', { blocks });
    const { page } = ada;
    await page.locator(`#${posted.id} .prose[aria-busy="false"]`).waitFor();
    await expectWithinBounds(page, posted.id);
  });

  test('a note of 200,000 characters', async () => {
    const { page } = ada;
    for (const piece of ['word **and** `code` ', '> - [ ] a\n', 'unbroken']) {
      const content = piece.repeat(Math.floor(200_000 / piece.length));
      const { id } = await team.note(team.ada, { title: WORD.slice(0, 255), content });
      await page.goto(`/hubs/${team.hubId}/notes?open=${id}`);
      await page.locator('#panel .prose[aria-busy="false"]').waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await page
        .locator('#panel')
        .getByRole('button', { name: /^Close/ })
        .click();
    }
  });

  test('titles and names without spaces or with stacked diacritics', async () => {
    const { page } = ada;
    let noteId = '';
    for (const title of [[...TALL.repeat(3)].slice(0, 255).join(''), WORD.slice(0, 255)]) {
      await team.todo(team.bob, { title, priority: 'URGENT', dueDate: '2026-03-01T00:00:00Z' });
      ({ id: noteId } = await team.note(team.bob, { title, content: title }));
    }
    /** Returns the rightmost edge of the matching elements. */
    const reach = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((elements) => Math.max(0, ...elements.map((element) => element.getBoundingClientRect().right)));
    for (const path of [`/hubs/${team.hubId}/todos`, `/hubs/${team.hubId}/notes`, '/stream', '/search?q=unbroken*']) {
      await page.goto(path);
      await page.locator('.todo, .note, .entry, .empty').first().waitFor();
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)]).toEqual([
        path,
        true,
      ]);
      if (!path.endsWith('/todos')) continue;
      await page.locator('.todo.is-new .title > .count').nth(1).waitFor();
      expect(await reach('.todo .title :is(bdi, .count)')).toBeLessThanOrEqual(PHONE.width);
    }
    await page.goto(`/hubs/${team.hubId}/notes?open=${noteId}`);
    const title = page.locator('#panel h3', { hasText: WORD.slice(0, 255) });
    expect(await title.evaluate((heading) => heading.scrollWidth <= heading.clientWidth)).toBe(true);
    expect(ada.problems).toEqual([]);
  });
});

test('a post that takes too long is shown as sent, and its worker is replaced before another post needs one', async () => {
  await using other = await startTeam();
  const { page } = await testSession(browser, other.hub, { caller: other.ada });
  await page.goto(`/hubs/${other.hubId}`);
  await page.getByRole('log').waitFor();
  const { id } = await other.message(other.bob, full('| '));
  await page.locator(`#${id} .prose[aria-busy="false"]`).waitFor();
  const [, { id: hostileId }] = await Promise.all([
    page.waitForEvent('worker'),
    other.message(other.bob, full('***a** b ')),
  ]);
  await page.locator(`#${hostileId} .raw-hint`).waitFor();
});
