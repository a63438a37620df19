import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { PHONE, type TestSession, testBrowser, testSession, WIDE } from '@hub/testkit/browser/browser';
import { shownPost } from '@hub/testkit/browser/hub-test-sessions';
import { startTeam } from '@hub/testkit/in-process/team';

let team: Awaited<ReturnType<typeof startTeam>>;
let browser: Awaited<ReturnType<typeof testBrowser>>;
let ada: TestSession;
beforeAll(async () => {
  [team, browser] = await Promise.all([startTeam(), testBrowser()]);
  ada = await testSession(browser, team.hub, { caller: team.ada });
  await ada.page.goto(`/hubs/${team.hubId}`);
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

const shown = (message: { id: string }, page = ada.page) => shownPost(page, message);
const toEnd = () => ada.page.getByRole('log').evaluate((feed) => feed.scrollTo({ top: 0 }));
const post = (body: object) => team.post('messages', body);

describe('code', () => {
  test('is highlighted once in view and copied unchanged', async () => {
    await ada.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const prose = await shown(await post({ text: '```sh\n# go\n./deploy "x" <y>\n```' }));
    await prose.locator('.c', { hasText: '# go' }).waitFor();
    expect(await prose.locator('pre').textContent()).toBe('# go\n./deploy "x" <y>');
    await prose.getByRole('button', { name: 'Copy the code' }).click();
    await prose.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await ada.page.evaluate('navigator.clipboard.readText()')).toBe('# go\n./deploy "x" <y>');
    expect(await prose.getByRole('group', { name: 'Shell code' }).getAttribute('tabindex')).toBe('0');
  });

  test('with a long line can be scrolled out from under the copy button', async () => {
    const prose = await shown(await post({ text: `\`\`\`\n${'a long line '.repeat(40)}end\n\`\`\`` }));
    const code = prose.locator('pre');
    await code.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
    const end = await code.locator('code').evaluate((element) => element.getBoundingClientRect().right);
    expect(end).toBeLessThanOrEqual((await prose.getByRole('button', { name: 'Copy' }).boundingBox())?.x ?? 0);
  });
});

test('blocks render by type, and blocks from unknown tools render as their text', async () => {
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
        { type: 'code', data: { code: 'p <b>' } },
        { type: 'poll', data: { q: 'q?', options: ['r'] } },
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
  expect(await prose.locator('.unsupported').textContent()).toMatch(/Unsupported block: poll\s*q\? r/);
});

describe('a link to this server', () => {
  test('navigates within the page', async () => {
    const { page } = ada;
    await page.evaluate('window.stays = true');
    const prose = await shown(
      await post({ text: `[to-dos](${team.hub.url}/hubs/${team.hubId}/todos) [api](${team.hub.url}/api/docs)` }),
    );
    expect(await prose.getByRole('link', { name: 'api' }).getAttribute('target')).toBe('_blank');
    await prose.getByRole('link', { name: 'to-dos' }).click();
    await page.waitForURL('**/todos');
    expect(await page.evaluate('window.stays')).toBe(true);
    await page.goBack();
  });
});

describe('an image', () => {
  test('loads only when the reader asks, sends no referrer and shows an error if it fails', async () => {
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
  });
});

describe('mentions', () => {
  test('highlight members, the reader most of all, except in code and links', async () => {
    const prose = await shown(
      await team.message(team.bob, '@Ada Lovelace and **@bob**: `@Ada` [@Ada](https://a.example) @Nobody'),
    );
    await prose.locator('.mention').first().waitFor();
    expect(await prose.locator('.mention').allInnerTexts()).toEqual(['@Ada Lovelace', '@bob']);
    expect(await prose.locator('.mention.is-me').allInnerTexts()).toEqual(['@Ada Lovelace']);
  });
});

describe('a long post', () => {
  const wideTable = (count: number) => {
    const row = (n: number) => `|${Array.from({ length: 60 }, (_, m) => `r${n}c${m}`).join('|')}|`;
    return [row(0), `${'|-'.repeat(60)}|`, ...Array.from({ length: count }, (_, n) => row(n + 1))].join('\n');
  };
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `Line ${n}`).join('\n');

  test('of 33 lines is shown in full; a longer one collapses, keeps its position when expanded and stays expanded', async () => {
    const { page } = ada;
    const short = await post({ text: lines(33) });
    const long = await post({ text: `${lines(60)}\n[end](https://a.example)` });
    await shown(short);
    const row = page.locator(`#${long.id}`);
    const showMore = row.getByRole('button', { name: 'Show more' });
    await showMore.waitFor();
    expect(await page.locator(`#${short.id}`).getByRole('button', { name: 'Show more' }).count()).toBe(0);
    const height = async () => (await row.locator('.collapsible').boundingBox())?.height ?? 0;
    expect(await height()).toBeCloseTo(30 * 22.5, 0);
    await showMore.scrollIntoViewIfNeeded();
    const top = (await row.boundingBox())?.y ?? 0;
    await showMore.click();
    await row.getByRole('button', { name: 'Show less' }).waitFor();
    expect(await height()).toBeGreaterThan(1_300);
    expect(Math.abs(((await row.boundingBox())?.y ?? 0) - top)).toBeLessThan(2);
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
  });

  test.each([
    ['the last one', []],
    ['one above others', ['after']],
  ])('with a wide table, %s, keeps its position while its rows are drawn', async (_, after) => {
    const { page } = ada;
    await toEnd();
    const { id } = await post({ text: wideTable(30) });
    for (const text of after) await shown(await post({ text: text }));
    const row = page.locator(`#${id}`);
    const showMore = row.getByRole('button', { name: 'Show more' });
    await showMore.scrollIntoViewIfNeeded();
    await row.locator('tbody tr').nth(4).locator('td').nth(59).waitFor({ state: 'attached' });
    const cell = await row.getByRole('cell', { name: 'r2c0', exact: true }).elementHandle();
    const before = (await cell?.boundingBox())?.y ?? 0;
    // The position in each frame until the last cell is drawn, and in two more.
    const tops = page.evaluate(
      ({ second, rowId }) =>
        new Promise<number[]>((resolve) => {
          const seen: number[] = [];
          let rest = 3;
          const look = () => {
            // Observes the element last, so that this callback runs after the observers that correct the position
            // before the paint.
            const last = new ResizeObserver(() => {
              last.disconnect();
              seen.push(second?.getBoundingClientRect().top ?? 0);
              if (document.querySelector(`#${rowId} tbody tr:nth-child(30) td:nth-child(60)`)) rest -= 1;
              if (rest > 0) requestAnimationFrame(look);
              else resolve(seen);
            });
            last.observe(document.body);
          };
          look();
        }),
      { second: cell, rowId: id },
    );
    await showMore.click();
    const moved = (await tops).map((top) => Math.abs(top - before));
    expect(Math.max(...moved)).toBeLessThan(2);
  });

  test('stops holding its position when the reader scrolls to the end while it is being drawn', async () => {
    const { page } = ada;
    await toEnd();
    const { id } = await post({ text: wideTable(30) });
    await shown(await post({ text: 'behind it' }));
    const showMore = page.locator(`#${id}`).getByRole('button', { name: 'Show more' });
    const rows = await showMore.evaluate(async (button) => {
      const feed = button.closest('[role="log"]') as HTMLElement;
      feed.scrollTo({ top: 0 });
      (button as HTMLElement).click();
      // The post keeps its position while it grows, so the feed is no longer at its end.
      while (feed.scrollTop === 0) await new Promise(requestAnimationFrame);
      // Scrolls between two frames, as a user would.
      await new Promise((resolve) => setTimeout(resolve));
      feed.scrollTo({ top: 0 });
      return button.closest('article')?.querySelectorAll('tbody tr').length ?? 0;
    });
    expect(rows).toBeLessThan(30);
    await page.locator(`#${id} tbody tr:nth-child(30) td:nth-child(60)`).waitFor({ state: 'attached' });
    await shown(await post({ text: 'and what comes then is in view' }));
  });

  test('of a single paragraph looks the same from its beginning to its end', async () => {
    const { page } = ada;
    await toEnd();
    const prose = await shown(await post({ text: 'many words '.repeat(3_000) }));
    await prose.locator('p').nth(1).waitFor({ state: 'attached' });
    const sheet = await page.locator('meta[name="hub-page-styles"]').getAttribute('content');
    await page.locator(`link[rel="stylesheet"][href="${sheet}"]`).waitFor({ state: 'attached' });
    const looks = await prose.locator('p').evaluateAll((paragraphs) =>
      paragraphs.map((paragraph) => {
        const { color, fontSize, fontWeight, marginTop } = getComputedStyle(paragraph);
        return [color, fontSize, fontWeight, marginTop].join();
      }),
    );
    expect([...new Set(looks)]).toHaveLength(1);
  });

  test('expands when the focus moves into the hidden part', async () => {
    const { page } = ada;
    await toEnd();
    const long = await post({ text: `${lines(60)}\n[end](https://a.example)` });
    const row = page.locator(`#${long.id}`);
    await row.getByRole('button', { name: 'Show more' }).waitFor();
    await row.getByRole('link', { name: 'end' }).focus();
    await row.getByRole('button', { name: 'Show less' }).waitFor();
  });
});

test('a list or quote in a right-to-left language has its markers on the right', async () => {
  await toEnd();
  const prose = await shown(await post({ text: '- שלום\n- one\n\n> שלום\n\n1. one' }));
  const sides = await prose.locator('li, blockquote').evaluateAll((boxes) =>
    boxes.map((box) => {
      const { marginLeft, marginRight, paddingLeft, paddingRight } = getComputedStyle(box);
      const left = Number.parseFloat(marginLeft) + Number.parseFloat(paddingLeft);
      return left > Number.parseFloat(marginRight) + Number.parseFloat(paddingRight) ? 'left' : 'right';
    }),
  );
  expect(sides).toEqual(['right', 'left', 'right', 'left']);
});

test('a link whose text is the URL of another host shows its real host', async () => {
  await toEnd();
  const prose = await shown(
    await post({ text: '[https://bank.example](https://evil.example/a) [Bank](https://evil.example)' }),
  );
  expect(await prose.textContent()).toBe('https://bank.example (evil.example) Bank');
});

test('blocks render without terminal escape sequences', async () => {
  await toEnd();
  const red = '\u001b[31mred\u001b[0m';
  const prose = await shown(
    await post({
      blocks: [
        { type: 'code', data: { code: `${red} code` } },
        { type: 'quote', data: { text: `${red} <b>quote</b>`, caption: red } },
        { type: 'table', data: { content: [[red]] } },
        { type: 'poll', data: { title: `${red} poll` } },
      ],
    }),
  );
  const text = (await prose.textContent()) ?? '';
  expect(text.match(/red/g)).toHaveLength(5);
  expect(text).not.toContain('\u001b');
  expect(text).not.toContain('[31m');
});

test('a long kbd element wraps on a narrow screen', async () => {
  const posted = await post({ text: `Press <kbd>${'Control and '.repeat(12)}K` });
  const { page, context } = await testSession(browser, team.hub, { caller: team.ada, look: PHONE });
  await page.goto(`/hubs/${team.hubId}?at=${posted.id}`);
  const kbd = (await shown(posted, page)).locator('kbd');
  expect(await kbd.evaluate((key) => key.getBoundingClientRect().right <= innerWidth)).toBe(true);
  await context.close();
});

test('a checklist shows no interactive checkbox', async () => {
  await toEnd();
  const prose = await shown(await post({ text: '- [x] done\n- [ ] open' }));
  const borders = await prose
    .locator('.tick')
    .evaluateAll((ticks) => ticks.map((tick) => getComputedStyle(tick).borderTopWidth));
  expect(borders).toEqual(['0px', '0px']);
  expect(await prose.getByText('Not done: ').count()).toBe(1);
});

test('a bidirectional control does not affect the text after it', async () => {
  await toEnd();
  const prose = await shown(await post({ text: 'a **\u202eb** [\u2067c](https://a.example) d\u202e' }));
  expect(await prose.textContent()).toBe('a \u2068\u202eb\u202c\u2069 \u2067c\u2069 d\u2068\u202e\u202c\u2069');
});

test('a word in bold keeps its place in an English phrase of an Arabic paragraph', async () => {
  await toEnd();
  const prose = await shown(await post({ text: 'هذا نص one *two* **three** ~~four~~ وباقي' }));
  const lefts = await prose
    .locator('em, strong, del')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x));
  expect(lefts).toEqual(lefts.toSorted((a, b) => a - b));
});

test.each([WIDE, PHONE])('axe finds no violations at $width px in either theme', async (look) => {
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada, look });
  await page.goto(`/hubs/${team.hubId}`);
  await page.locator('.prose').first().waitFor();
  expect(await axeInBothThemes(page)).toEqual([]);
  expect(problems).toEqual([]);
  await context.close();
});

test('the page logs no errors', () => {
  // The only error is the image that failed to load.
  expect(ada.problems.filter((problem) => !problem.includes('net::ERR_FAILED'))).toEqual([]);
});
