import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startTeam } from '../../api/src/testing/team.ts';
import { axeInBothThemes } from './axe.ts';
import { PHONE, type Seat, seat, startBrowser, WIDE } from './browser.ts';

let team: Awaited<ReturnType<typeof startTeam>>;
let browser: Awaited<ReturnType<typeof startBrowser>>;
let ada: Seat;
beforeAll(async () => {
  [team, browser] = await Promise.all([startTeam(), startBrowser()]);
  ada = await seat(browser, team.hub, { caller: team.ada });
  await ada.page.goto(`/hubs/${team.hubId}`);
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

/** The post, once it is in the feed and was read. */
async function shown({ id }: { id: string }, { page }: Pick<Seat, 'page'> = ada) {
  const prose = page.locator(`#${id} .prose:not([aria-busy="true"])`);
  await prose.waitFor();
  return prose;
}
const toEnd = () => ada.page.getByRole('log').evaluate((feed) => feed.scrollTo({ top: 0 }));
const post = (body: object) => team.post('messages', body);

describe('Markdown is shown as it is meant', () => {
  const rel = 'rel="noopener noreferrer nofollow"';
  test.each([
    ['**a** _b_ ~~c~~ `d`', '<p><strong>a</strong> <em>b</em> <del>c</del> <code>d</code></p>'],
    ['# One\n### Two\n# Three', '<h3>One</h3><h4>Two</h4><h3>Three</h3>'],
    ['[a](https://a.example)', `<p><a href="https://a.example/" ${rel} target="_blank">a</a></p>`],
    ['www.a.example', `<p><a href="http://www.a.example/" ${rel} target="_blank">www.a.example</a></p>`],
    ['[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>'],
    ['[a](/hubs/x) [b](//evil.example)', '<p>[a](/hubs/x) [b](//evil.example)</p>'],
    ['<b onclick="x">a</b> &amp; &copy;', '<p><strong>a</strong> &amp; ©</p>'],
    ['<x-y onclick="x">a</x-y>', '<p>&lt;x-y onclick="x"&gt;a&lt;/x-y&gt;</p>'],
    ['<form>\n*a*\n</form>', '<p class="raw">&lt;form&gt;\n*a*\n&lt;/form&gt;</p>'],
    ['<div>\n*a*\n</div>', '<p>*a*</p>'],
    ['<!-- a -->', '<p class="as-sent">This text has nothing to display.</p>'],
    ['a <!-- b -->c\n\n<!--\nd\n\ne\n-->\n\nf', '<p>a c</p><p>f</p>'],
    [
      'a<br>\nb <kbd>C</kbd> H<sub>2</sub>O<sup>+</sup> <ins>d</ins>',
      '<p>a<br>b <kbd>C</kbd> H<sub>2</sub>O<sup>+</sup> <ins>d</ins></p>',
    ],
    [
      '<details open><summary>a <b>b</b></summary>\n\n- **c**\n\n<p>d</p></details>',
      '<details open=""><summary>a <strong>b</strong></summary><ul><li><strong>c</strong></li></ul><p>d</p></details>',
    ],
    ['<b>a<i>b</b>c</i>', '<p><strong>a<em>b</em></strong><em>c</em></p>'],
    ['<ul><li>a<li>b <code>c</code></ul>', '<ul><li>a</li><li>b <code>c</code></li></ul>'],
    [
      '<table><tr><th>a</th></tr><tr><td align="right">b</td></tr></table>',
      '<div class="table-wrap" role="group" aria-label="Table" tabindex="0"><table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td class="r">b</td></tr></tbody></table></div>',
    ],
    [
      '<a href="https://a.example"><b>a</b></a>',
      `<p><a href="https://a.example/" ${rel} target="_blank"><strong>a</strong></a></p>`,
    ],
    ['<a href="javascript:x">a</a> <a name="b">c</a>', '<p>a c</p>'],
    [
      '&auml; [a](https://a.example/?b=&auml;)',
      `<p>ä <a href="https://a.example/?b=%C3%A4" ${rel} target="_blank">a</a></p>`,
    ],
    [
      '&#87654321; :tada: \\:tada: `:tada:` :not_one:',
      '<p>&amp;#87654321; 🎉 :tada: <code>:tada:</code> :not_one:</p>',
    ],
    ['#\n\na', '<h3></h3><p>a</p>'],
    ['http://🍄.ga/', `<p><a href="http://xn--ei8h.ga/" ${rel} target="_blank">http://🍄.ga/</a></p>`],
    [
      '[link](https://a.example ((title))',
      `<p>[link](<a href="https://a.example/" ${rel} target="_blank">https://a.example</a> ((title))</p>`,
    ],
    [
      '> [!NOTE]\n> a *b*',
      /^<div class="callout is-note"><svg.*<\/svg><div><strong>Note<\/strong><p>a <em>b<\/em><\/p><\/div><\/div>$/,
    ],
    ['> [!NOTE] a', '<blockquote><p>[!NOTE] a</p></blockquote>'],
    ['\u001b[31mred\u001b[0m', '<p>red</p>'],
    ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
    ['> a\n\n---\n\n\\*b\\*', '<blockquote><p>a</p></blockquote><hr><p>*b*</p>'],
    ['a\nb  \nc', '<p>a\nb<br>c</p>'],
  ])('%j', async (text, html) => {
    // The names of characters come a moment after the first text that has one.
    const prose = await shown(await post({ text }));
    const isAsMeant = async () => {
      const found = await prose.innerHTML();
      return typeof html === 'string' ? found === html : html.test(found);
    };
    for (let tries = 0; tries < 50 && !(await isAsMeant()); tries += 1)
      await ada.page.evaluate('new Promise(requestAnimationFrame)');
    expect(await prose.innerHTML()).toEqual(typeof html === 'string' ? html : expect.stringMatching(html));
  });

  test('details open at a press and with the keyboard, stay where they are on the screen, and stay open', async () => {
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
    await page.getByRole('link', { name: 'To-dos', exact: true }).click();
    await page.locator(`#${id}`).waitFor({ state: 'detached' });
    await page.goBack();
    await page.locator(`#${id} details[open]`).waitFor();
    await page.locator(`#${id} summary`).press('Enter');
    await page.locator(`#${id} details:not([open])`).waitFor();
  });

  test('tables scroll by themselves and can be reached with the keyboard', async () => {
    const prose = await shown(await post({ text: '| a | b | |\n|---|--:|---|\n| 1 | **2** | 3 |' }));
    const table = prose.getByRole('group', { name: 'Table' });
    expect(await table.getAttribute('tabindex')).toBe('0');
    expect(await table.locator('th').allInnerTexts()).toEqual(['a', 'b']);
    expect(await table.locator('td.r strong').textContent()).toBe('2');
    const grounds = await table
      .locator('thead tr > *')
      .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).backgroundColor));
    expect(new Set(grounds).size).toBe(1);
  });

  test('tasks say in words whether they are done', async () => {
    const prose = await shown(await post({ text: '- [x] eat\n- [ ] sleep' }));
    expect(await prose.locator('li').allTextContents()).toEqual(['Done: eat', 'Not done: sleep']);
  });
});

describe('code', () => {
  test('is coloured once it is in view, and copied as it is', async () => {
    await ada.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const prose = await shown(await post({ text: '```sh\n# go\n./deploy "x" <y>\n```' }));
    await prose.locator('.c', { hasText: '# go' }).waitFor();
    expect(await prose.locator('pre').textContent()).toBe('# go\n./deploy "x" <y>');
    await prose.getByRole('button', { name: 'Copy the code' }).click();
    await prose.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await ada.page.evaluate('navigator.clipboard.readText()')).toBe('# go\n./deploy "x" <y>');
    expect(await prose.getByRole('group', { name: 'Shell code' }).getAttribute('tabindex')).toBe('0');
  });

  test('of a long line can be scrolled out from under the button that copies it', async () => {
    const prose = await shown(await post({ text: `\`\`\`\n${'a long line '.repeat(40)}end\n\`\`\`` }));
    const code = prose.locator('pre');
    await code.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
    const end = await code.locator('code').evaluate((element) => element.getBoundingClientRect().right);
    expect(end).toBeLessThanOrEqual((await prose.getByRole('button', { name: 'Copy' }).boundingBox())?.x ?? 0);
  });
});

test('blocks are shown as they are meant, and those of other tools as their text', async () => {
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
  test('is followed within the page', async () => {
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

describe('a picture', () => {
  test('is loaded only when the reader asks, tells nobody where from, and says if it fails', async () => {
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
    await prose.getByRole('button', { name: 'A chart Show the picture from pictures.example' }).click();
    await prose.getByRole('button', { name: 'Hide the picture' }).waitFor();
    // It has its place in the page before it is asked for, which a browser does when it has time.
    const picture = await prose.getByRole('img', { name: 'A chart' }).elementHandle();
    await ada.page.waitForFunction((image) => (image as HTMLImageElement).naturalWidth > 0, picture);
    expect(asked).toEqual([{ url: 'https://pictures.example/good.png', referer: undefined }]);
    await prose.getByRole('button', { name: 'Show the picture' }).click();
    await prose.getByText('It could not be loaded from pictures.example.').waitFor();
    await prose.getByRole('link', { name: 'Open it there' }).waitFor();
  });
});

describe('a picture in a link', () => {
  test('is its words until the button beside the link shows it', async () => {
    await ada.context.route(/badges\.example/, (route) =>
      route.fulfill({
        contentType: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20"/>',
      }),
    );
    const prose = await shown(
      await post({ text: '[![build *passing*](https://badges.example/b.svg)](https://ci.example/)' }),
    );
    const link = prose.getByRole('link', { name: 'build passing' });
    expect(await link.getAttribute('href')).toBe('https://ci.example/');
    await prose.getByRole('button', { name: 'Show the picture from badges.example' }).click();
    await link.getByRole('img', { name: 'build passing' }).waitFor();
    await prose.getByRole('button', { name: 'Hide the picture' }).click();
    await prose.getByText('build passing').waitFor();
  });

  test.each([WIDE, PHONE])('in a table takes no room of the next column at $width px', async (look) => {
    const badge = (name: string) => `[![${name}](https://badges.example/${name}.svg)](https://docs.example/${name}/)`;
    const row = ['age', 'adoption', 'passing', 'confidence'].map(badge).join(' | ');
    const { id } = await post({
      text: [
        '| Package | Change | Age | Adoption | Passing | Confidence | Picture | Next |',
        '|---|---|---|---|---|---|---|---|',
        `| [typescript](https://a.example) | \`7.0.1\` -> \`7.0.2\` | ${row} | ![a chart of it](https://badges.example/chart.svg) | [next](https://a.example) |`,
        `| <b>x</b> | y | <a href="https://a.example"><img src="https://badges.example/age.svg" alt="age"></a> | | | | <img src="https://badges.example/other.svg"> | [next](https://b.example) |`,
      ].join('\n'),
    });
    const { page, context } = await seat(browser, team.hub, { caller: team.ada, look });
    await page.goto(`/hubs/${team.hubId}?at=${id}`);
    const prose = await shown({ id }, { page });
    const overlaps = await prose.locator('td').evaluateAll((cells) =>
      cells.flatMap((cell) => {
        const { left, right } = cell.getBoundingClientRect();
        return [...cell.querySelectorAll('a, button')]
          .filter((element) => {
            const box = element.getBoundingClientRect();
            return box.left < left - 0.5 || box.right > right + 0.5;
          })
          .map((element) => element.outerHTML);
      }),
    );
    expect(overlaps).toEqual([]);
    // A press in the middle of each goes to it.
    const missed = await prose.locator('td :is(a, button)').evaluateAll((elements) =>
      elements
        .filter((element) => {
          element.scrollIntoView({ inline: 'center', block: 'center' });
          const { left, top, width, height } = element.getBoundingClientRect();
          const hit = document.elementFromPoint(left + width / 2, top + height / 2);
          return !hit || !(element.contains(hit) || hit.contains(element));
        })
        .map((element) => element.outerHTML),
    );
    expect(missed).toEqual([]);
    await context.close();
  });
});

describe('mentions', () => {
  test('of members are marked, one’s own more, and not in code or links', async () => {
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

  test('of 33 lines is whole; of more it folds, keeps its place when it is unfolded, and stays so', async () => {
    const { page } = ada;
    const short = await post({ text: lines(33) });
    const long = await post({ text: `${lines(60)}\n[end](https://a.example)` });
    await shown(short);
    const row = page.locator(`#${long.id}`);
    const unfold = row.getByRole('button', { name: 'Show all of it' });
    await unfold.waitFor();
    expect(await page.locator(`#${short.id}`).getByRole('button', { name: 'Show all of it' }).count()).toBe(0);
    const height = async () => (await row.locator('.fold').boundingBox())?.height ?? 0;
    expect(await height()).toBeCloseTo(30 * 22.5, 0);
    await unfold.scrollIntoViewIfNeeded();
    const top = (await row.boundingBox())?.y ?? 0;
    await unfold.click();
    await row.getByRole('button', { name: 'Show less' }).waitFor();
    expect(await height()).toBeGreaterThan(1_300);
    expect(Math.abs(((await row.boundingBox())?.y ?? 0) - top)).toBeLessThan(2);
    await page.getByRole('link', { name: 'To-dos', exact: true }).click();
    await row.waitFor({ state: 'detached' });
    await page.goBack();
    await row.getByRole('button', { name: 'Show less' }).click();
    await row.getByRole('button', { name: 'Show all of it' }).waitFor();
  });

  test.each([
    ['the last one', []],
    ['one above others', ['after']],
  ])('of a wide table, %s, stays where it is while its rows are drawn', async (_, after) => {
    const { page } = ada;
    await toEnd();
    const { id } = await post({ text: wideTable(30) });
    for (const words of after) await shown(await post({ text: words }));
    const row = page.locator(`#${id}`);
    const unfold = row.getByRole('button', { name: 'Show all of it' });
    await unfold.scrollIntoViewIfNeeded();
    await row.locator('tbody tr').nth(4).locator('td').nth(59).waitFor({ state: 'attached' });
    const cell = await row.getByRole('cell', { name: 'r2c0', exact: true }).elementHandle();
    const before = (await cell?.boundingBox())?.y ?? 0;
    // Where it stood in each frame until the last cell was drawn, and in two more.
    const tops = page.evaluate(
      ({ second, rowId }) =>
        new Promise<number[]>((resolve) => {
          const seen: number[] = [];
          let rest = 3;
          const look = () => {
            // Told after those that put it right before it is painted.
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
    await unfold.click();
    const moved = (await tops).map((top) => Math.abs(top - before));
    expect(Math.max(...moved)).toBeLessThan(2);
  });

  test('lets go of a reader who goes to the end while it is drawn', async () => {
    const { page } = ada;
    await toEnd();
    const { id } = await post({ text: wideTable(30) });
    await shown(await post({ text: 'behind it' }));
    const unfold = page.locator(`#${id}`).getByRole('button', { name: 'Show all of it' });
    const rows = await unfold.evaluate(async (button) => {
      const feed = button.closest('[role="log"]') as HTMLElement;
      feed.scrollTo({ top: 0 });
      (button as HTMLElement).click();
      // Held where it was, it grows away from the end.
      while (feed.scrollTop === 0) await new Promise(requestAnimationFrame);
      // As whoever scrolls: between two frames.
      await new Promise((resolve) => setTimeout(resolve));
      feed.scrollTo({ top: 0 });
      return button.closest('article')?.querySelectorAll('tbody tr').length ?? 0;
    });
    expect(rows).toBeLessThan(30);
    await page.locator(`#${id} tbody tr:nth-child(30) td:nth-child(60)`).waitFor({ state: 'attached' });
    await shown(await post({ text: 'and what comes then is in view' }));
  });

  test('unfolds when the focus goes to what is hidden', async () => {
    const { page } = ada;
    await toEnd();
    const long = await post({ text: `${lines(60)}\n[end](https://a.example)` });
    const row = page.locator(`#${long.id}`);
    await row.getByRole('button', { name: 'Show all of it' }).waitFor();
    await row.getByRole('link', { name: 'end' }).focus();
    await row.getByRole('button', { name: 'Show less' }).waitFor();
  });
});

test('what turns the direction of text turns nothing that stands after it', async () => {
  await toEnd();
  const prose = await shown(await post({ text: 'a **\u202eb** [\u2067c](https://a.example) d\u202e' }));
  expect(await prose.textContent()).toBe('a \u202eb\u202c \u2067c\u2069 d\u202e\u202c');
});

test.each([WIDE, PHONE])('nobody is kept out at $width px, in either theme', async (look) => {
  const { page, faults, context } = await seat(browser, team.hub, { caller: team.ada, look });
  await page.goto(`/hubs/${team.hubId}`);
  await page.locator('.prose').first().waitFor();
  expect(await axeInBothThemes(page)).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

test('nothing went wrong in the page', () => {
  // The picture that could not be loaded.
  expect(ada.faults.filter((fault) => !fault.includes('net::ERR_FAILED'))).toEqual([]);
});
