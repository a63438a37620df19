import { beforeEach, expect, test } from 'bun:test';
import { expectAccessible } from '@hub/testkit/browser/axe';
import type { TestSession } from '@hub/testkit/browser/browser';
import { isShown, readAll, startBackdatedTeam, teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { painted } from '@hub/testkit/browser/steps';

const { team, session } = await teamSessions(startBackdatedTeam());

let ada: TestSession;
beforeEach(async () => {
  ada = await session(team.ada);
  // A Hub opens at its first unread message, and a post far below that is not drawn.
  await readAll(team);
  await ada.page.goto(`/hubs/${team.hubId}`);
  await isShown(ada.page);
});

/** Returns the post once it is in the feed and parsed. */
const shown = async ({ id }: { id: string }, page = ada.page) => {
  const prose = page.locator(`#${id} .prose:not([aria-busy="true"])`);
  await prose.waitFor();
  return prose;
};
const post = (body: object) => team.post('messages', body);

const rel = 'rel="noopener noreferrer nofollow"';
const TABLE = '<div class="table-wrap" role="group" aria-label="Table" tabindex="0"><table><thead><tr>';
/** One or more of each element. The cases of parsing are in `read-markdown.test.ts`. */
const MARKDOWN: readonly (readonly [text: string, html: string | RegExp])[] = [
  ['**a** _b_ ~~c~~ `d`', '<p><strong>a</strong> <em>b</em> <del>c</del> <code>d</code></p>'],
  ['# One\n### Two\n# Three', '<h3>One</h3><h4>Two</h4><h3>Three</h3>'],
  ['www.a.example', `<p><a href="http://www.a.example/" ${rel} target="_blank">www.a.example</a></p>`],
  ['<form>\n*a*\n</form>', '<p class="raw">&lt;form&gt;\n*a*\n&lt;/form&gt;</p>'],
  ['<!-- a -->', '<p class="raw-hint">This text has nothing to display.</p>'],
  [
    'a<br>\nb <kbd>C</kbd> H<sub>2</sub>O<sup>+</sup> <ins>d</ins>',
    '<p>a<br>b <kbd>C</kbd> H<sub>2</sub>O<sup>+</sup> <ins>d</ins></p>',
  ],
  [
    '<details open><summary>a <b>b</b></summary>\n\n- **c**\n\n<p>d</p></details>',
    '<details open=""><summary>a <strong>b</strong></summary><ul><li dir="auto"><strong>c</strong></li></ul><p>d</p></details>',
  ],
  [
    '&auml; [a](https://a.example/?b=&auml;)',
    `<p>ä <a href="https://a.example/?b=%C3%A4" ${rel} target="_blank">a</a></p>`,
  ],
  [':tada: \\:tada: :not_one:', '<p>🎉 :tada: :not_one:</p>'],
  [
    '> [!NOTE]\n> a *b*',
    /^<div class="callout is-note"><svg.*<\/svg><div><strong>Note<\/strong><p>a <em>b<\/em><\/p><\/div><\/div>$/,
  ],
  [
    '> a\n\n---\n\n3. a\nb  \nc',
    '<blockquote dir="auto"><p>a</p></blockquote><hr><ol start="3"><li dir="auto">a\nb<br>c</li></ol>',
  ],
  [
    '| a | b | |\n|---|--:|---|\n| 1 | **2** | 3 |',
    `${TABLE}<th scope="col">a</th><th scope="col" class="r">b</th><td></td></tr></thead><tbody><tr><td>1</td><td class="r"><strong>2</strong></td><td>3</td></tr></tbody></table></div>`,
  ],
  ['- [x] eat\n- [ ] sleep', /^<ul.*Done: .*eat.*Not done: .*sleep.*<\/li><\/ul>$/],
  // A link whose text is the URL of another host shows its real host.
  [
    '[https://bank.example](https://evil.example/a) [Bank](https://evil.example)',
    /bank\.example<\/a>.*\(evil\.example\).*>Bank<\/a><\/p>$/,
  ],
  // A bidirectional control does not affect the text after it.
  [
    'a **\u202eb** [\u2067c](https://a.example) d\u202e',
    `<p>a <strong>\u2068\u202eb\u202c\u2069</strong> <a href="https://a.example/" ${rel} target="_blank">\u2067c\u2069</a> d\u2068\u202e\u202c\u2069</p>`,
  ],
];

test('Markdown and blocks render as expected: without terminal escape sequences, blocks from unknown tools as their text, and mentions of members highlighted', async () => {
  for (const [text, html] of MARKDOWN) {
    // One after the other, since rows far above the newest one are not drawn.
    const prose = await shown(await post({ text }));
    const isExpected = async () => {
      const found = await prose.innerHTML();
      return typeof html === 'string' ? found === html : html.test(found);
    };
    // The names of emoji load shortly after the first text that contains one.
    for (let tries = 0; tries < 50 && !(await isExpected()); tries += 1) await painted(ada.page);
    expect([text, await prose.innerHTML()]).toEqual([
      text,
      typeof html === 'string' ? html : expect.stringMatching(html),
    ]);
  }

  const prose = await shown(
    await post({
      blocks: [
        { type: 'header', data: { text: 'Saved <i>searches</i>', level: 2 } },
        {
          type: 'paragraph',
          data: { text: 'a <b>b</b> <mark>c</mark> <u>d</u><br><a href="https://x.example">e</a>' },
        },
        {
          type: 'list',
          data: {
            style: 'ordered',
            meta: { start: 3 },
            items: [{ content: 'f', items: [{ content: 'g', items: [{ content: 'h' }] }] }],
          },
        },
        { type: 'checklist', data: { items: [{ text: 'i', checked: true }] } },
        { type: 'quote', data: { text: 'j', caption: 'k' } },
        { type: 'warning', data: { title: 'l', message: 'm' } },
        { type: 'table', data: { withHeadings: true, content: [['n'], ['o']] } },
        { type: 'delimiter', data: {} },
        { type: 'code', data: { code: '\u001b[31mp\u001b[0m <b>' } },
        { type: 'poll', data: { q: '\u001b[31mq?\u001b[0m', options: ['r'] } },
      ],
    }),
  );
  expect(await prose.locator('h3').innerHTML()).toBe('Saved <em>searches</em>');
  expect(await prose.locator('p').first().innerHTML()).toStartWith(
    'a <strong>b</strong> <mark>c</mark> <u>d</u><br><a href="https://x.example/"',
  );
  expect(await prose.locator('ol[start="3"] > li > ol > li > ol > li').textContent()).toBe('h');
  expect(await prose.locator('.tick.is-done').count()).toBe(1);
  expect(await prose.locator('blockquote').textContent()).toMatch(/j\s*k/);
  expect(await prose.locator('.callout strong').textContent()).toBe('l');
  expect([await prose.locator('th').textContent(), await prose.locator('td').textContent()]).toEqual(['n', 'o']);
  expect(await prose.locator('pre').textContent()).toBe('p <b>');
  await expectAccessible(ada.page);
  expect(await prose.locator('.unsupported').textContent()).toMatch(/Unsupported block: poll\s*q\? r/);

  const mentions = await shown(
    await team.message(team.bob, '@Ada Lovelace and **@bob**: `@Ada` [@Ada](https://a.example) @Nobody'),
  );
  await mentions.locator('.mention').first().waitFor();
  expect(await mentions.locator('.mention').allInnerTexts()).toEqual(['@Ada Lovelace', '@bob']);
  expect(await mentions.locator('.mention.is-me').allInnerTexts()).toEqual(['@Ada Lovelace']);
});

test('details and long posts open in place, keep their position on the screen, and stay open; a post of 33 lines is shown in full', async () => {
  const { page } = ada;
  const { id } = await post({
    text: `<details><summary>Release notes</summary>\n\n${'- a change\n'.repeat(12)}\n</details>`,
  });
  const prose = await shown({ id });
  await shown(await post({ text: 'below it' }));
  const summary = prose.locator('summary');
  const top = async () => (await summary.boundingBox())?.y ?? 0;
  const before = await top();
  await summary.click();
  await prose.locator('details[open]').waitFor();
  expect(Math.abs((await top()) - before)).toBeLessThan(2);
  await page.locator(`#${id} summary`).press('Enter');
  await page.locator(`#${id} details:not([open])`).waitFor();

  const brief = await post({ text: linesOf(33) });
  const long = await post({ text: `${linesOf(60)}\n[end](https://a.example)` });
  await shown(brief);
  const row = page.locator(`#${long.id}`);
  const showMore = row.getByRole('button', { name: 'Show more' });
  await showMore.waitFor();
  expect(await page.locator(`#${brief.id}`).getByRole('button', { name: 'Show more' }).count()).toBe(0);
  const height = async () => (await row.locator('.collapsible').boundingBox())?.height ?? 0;
  expect(await height()).toBeCloseTo(30 * 22.5, 0);
  await showMore.scrollIntoViewIfNeeded();
  const rowTop = (await row.boundingBox())?.y ?? 0;
  await showMore.click();
  await row.getByRole('button', { name: 'Show less' }).waitFor();
  expect(await height()).toBeGreaterThan(1_300);
  expect(Math.abs(((await row.boundingBox())?.y ?? 0) - rowTop)).toBeLessThan(2);
  await page.getByRole('link', { name: 'To-dos', exact: true }).click();
  await row.waitFor({ state: 'detached' });
  await page.goBack();
  // Its beginning is far above the view, and comes back into it.
  await row.getByRole('button', { name: 'Show less' }).scrollIntoViewIfNeeded();
  expect((await row.locator('.collapsible').boundingBox())?.y).toBeLessThan(0);
  await row.getByRole('button', { name: 'Show less' }).click();
  await page.waitForFunction(
    (top) => (top?.getBoundingClientRect().top ?? -1) >= 0,
    await row.locator('.collapsible').elementHandle(),
  );
  await row.getByRole('button', { name: 'Show more' }).waitFor();
  // The focus may move into the hidden part.
  await row.getByRole('link', { name: 'end' }).focus();
  await row.getByRole('button', { name: 'Show less' }).waitFor();
});

test('code is highlighted once in view and copied unchanged; a log has its terminal colors, shows its first lines until all are asked for, and can be wrapped and saved', async () => {
  await ada.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const prose = await shown(await post({ text: '```sh\n# go\n./deploy "x" <y>\n```' }));
  await prose.locator('.c', { hasText: '# go' }).waitFor();
  expect(await prose.locator('pre').textContent()).toBe('# go\n./deploy "x" <y>');
  await prose.getByRole('button', { name: 'Copy the code' }).click();
  await prose.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await ada.page.evaluate('navigator.clipboard.readText()')).toBe('# go\n./deploy "x" <y>');
  expect(await prose.getByRole('group', { name: 'Shell code' }).getAttribute('tabindex')).toBe('0');
  const lines = Array.from({ length: 40 }, (_, n) => `line ${n} ${'x'.repeat(90)}`);
  const colored = lines.map((line, n) => `\u001b[1;3${n % 8}m${line.replace(' ', '\u001b[0m ')}`);
  const log = await shown(await post({ text: `\`\`\`\n${colored.join('\n')}\n\`\`\`` }));
  await log.locator('.is-hue', { hasText: 'line' }).first().waitFor();
  await expectAccessible(ada.page);
  const logHeight = async () => (await log.boundingBox())?.height ?? 0;
  const before = await logHeight();
  await log.getByRole('button', { name: 'Show all 40 lines' }).click();
  await log.getByRole('button', { name: 'Show less' }).waitFor();
  expect(await logHeight()).toBeGreaterThan(2 * before);
  await log.getByRole('button', { name: 'Wrap lines' }).click();
  expect(await log.locator('pre').evaluate((pre) => pre.scrollWidth - pre.clientWidth)).toBe(0);
  const download = ada.page.waitForEvent('download');
  await log.getByRole('button', { name: 'Download' }).click();
  expect(await Bun.file(await (await download).path()).text()).toBe(lines.join('\n'));
});

test('an image loads only when the reader asks, sends no referrer and shows an error if it fails; a link to this server navigates within the page', async () => {
  const asked: { url: string; referer: string | undefined }[] = [];
  await ada.context.route(/pictures\.example/, async (route) => {
    asked.push({ url: route.request().url(), referer: route.request().headers().referer });
    if (route.request().url().endsWith('bad.png')) return route.abort();
    return route.fulfill({
      contentType: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>',
    });
  });
  const prose = await shown(
    await post({ text: '![A chart](https://pictures.example/good.png) ![](https://pictures.example/bad.png)' }),
  );
  expect(asked).toEqual([]);
  await prose.getByRole('button', { name: 'A chart Show image from pictures.example' }).click();
  await prose.getByRole('button', { name: 'Hide image' }).waitFor();
  // Space for the image is reserved before the browser requests it.
  const img = await prose.getByRole('img', { name: 'A chart' }).elementHandle();
  await ada.page.waitForFunction((image) => (image as HTMLImageElement).naturalWidth > 0, img);
  expect(asked).toEqual([{ url: 'https://pictures.example/good.png', referer: undefined }]);
  await prose.getByRole('button', { name: 'Show image' }).click();
  await prose.getByText('Couldn’t load the image from pictures.example.').waitFor();
  await prose.getByRole('link', { name: 'Open in new tab' }).waitFor();
  ada.problems.length = 0;

  await ada.page.evaluate('window.stays = true');
  const toHere = await shown(
    await post({ text: `[to-dos](${team.hub.url}/hubs/${team.hubId}/todos) [api](${team.hub.url}/api/docs)` }),
  );
  expect(await toHere.getByRole('link', { name: 'api' }).getAttribute('target')).toBe('_blank');
  await toHere.getByRole('link', { name: 'to-dos' }).click();
  await ada.page.waitForURL('**/todos');
  expect(await ada.page.evaluate('window.stays')).toBe(true);
  await ada.page.goBack();
});

const linesOf = (count: number) => Array.from({ length: count }, (_, n) => `Line ${n}`).join('\n');
