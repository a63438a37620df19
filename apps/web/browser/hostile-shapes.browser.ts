import { expect, test } from 'bun:test';
import { PHONE } from '@hub/testkit/browser/browser';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { startTeam } from '@hub/testkit/in-process/team';
import type { Page } from 'playwright-core';

const { team, openHub, newHub } = await teamSessions(startTeam());

const LENGTH = 40_000;
const full = (piece: string) => [...piece.repeat(Math.ceil(LENGTH / piece.length))].slice(0, LENGTH).join('');
const WORD = 'unbroken'.repeat(60);
const TALL = `Z${'\u0315\u031b\u0340\u0341\u0358\u0301\u0302'.repeat(30)}`;

/** Text that can break a page by its shape rather than its content. */
const SHAPES: Readonly<Record<string, string>> = {
  bars: full('| '),
  'many diacritics on one letter': `a${'\u0301'.repeat(20_000)}`,
  'tall letters': `before ${`${TALL} `.repeat(40)}after`,
  'nested bidirectional text': full('\u202ea\u2067b'),
  'bidirectional text with too many ends': full('\u2069\u202ca'),
  'invisible characters': full('\u200b\u200d\ufeffa'),
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
  'quotes in lists in quotes': full('> - '),
  'deep lists': Array.from({ length: 280 }, (_, n) => `${' '.repeat(n * 2)}- a`)
    .join('\n')
    .slice(0, LENGTH),
  links: full('[a](https://a.example/) '),
  'details in details': full('<details><summary>a</summary>\n\n'),
  'rows of HTML': `<table>${full('<tr><td>a')}`.slice(0, LENGTH),
  'a wide table': `${'|a'.repeat(9_000)}|\n${'|-'.repeat(9_000)}|\n`.slice(0, LENGTH),
  'a long table': `|a|b|\n|-|-|\n${full('|1|2|\n')}`.slice(0, LENGTH),
  'a long list': full('- a\n'),
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

/** A page that is parsed or drawn in quadratic time takes minutes; a busy machine holds it up for seconds. */
const FROZEN_MS = 15_000;

test('on a phone, nothing overflows and nothing freezes, whatever the shape of a post, with notes of 200,000 characters and a title without spaces', async () => {
  const { page } = await openHub(team.ada, { look: PHONE });
  const check = async (name: string, { id }: { id: string }, isExpanded: boolean) => {
    const prose = page.locator(`#${id} .prose[aria-busy="false"]`);
    await prose.waitFor();
    await expectWithinBounds(page, id);
    const showMore = page.locator(`#${id}`).getByRole('button', { name: 'Show more' });
    if (isExpanded && (await showMore.isVisible())) {
      await showMore.click();
      await page.locator(`#${id}`).getByRole('button', { name: 'Show less' }).waitFor();
      await expectWithinBounds(page, id);
    }
    const asked = performance.now();
    await page.evaluate('1');
    expect([name, performance.now() - asked < FROZEN_MS]).toEqual([name, true]);
  };
  for (const [name, text] of Object.entries(SHAPES)) {
    const message = await team.message(team.bob, text);
    await check(name, message, true);
    await team.bob.json('DELETE', `/messages/${message.id}`);
    await page.locator(`#${message.id}`).waitFor({ state: 'detached' });
  }
  for (const [name, blocks] of Object.entries(BLOCKS))
    await check(name, await team.post('messages', { blocks }), false);

  for (const piece of ['word **and** `code` ', '> - [ ] a\n', 'unbroken']) {
    const content = piece.repeat(Math.floor(200_000 / piece.length));
    const { id } = await team.note(team.ada, { title: WORD.slice(0, 255), content });
    await page.goto(`/hubs/${team.hubId}/notes?open=${id}`);
    await page.locator('#panel .prose[aria-busy="false"]').waitFor();
    const isNarrow = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    expect([piece, isNarrow]).toEqual([piece, true]);
    const title = page.locator('#panel h3', { hasText: WORD.slice(0, 255) });
    expect(await title.evaluate((heading) => heading.scrollWidth <= heading.clientWidth)).toBe(true);
  }
}, 240_000);

test('a post that takes too long is shown as sent, and its worker is replaced before another post needs one', async () => {
  const other = await newHub();
  const { page } = await openHub(other.ada);
  const { id } = await other.message(other.bob, full('| '));
  await page.locator(`#${id} .prose[aria-busy="false"]`).waitFor();
  const [, { id: hostileId }] = await Promise.all([
    page.waitForEvent('worker'),
    other.message(other.bob, full('***a** b ')),
  ]);
  await page.locator(`#${hostileId} .raw-hint`).waitFor();
});
