import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
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
const post = (body: object) => team.post('messages', body);

describe('Markdown renders', () => {
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
    ['<!-- a -->', '<p class="raw-hint">This text has nothing to display.</p>'],
    ['a <!-- b -->c\n\n<!--\nd\n\ne\n-->\n\nf', '<p>a c</p><p>f</p>'],
    [
      'a<br>\nb <kbd>C</kbd> H<sub>2</sub>O<sup>+</sup> <ins>d</ins>',
      '<p>a<br>b <kbd>C</kbd> H<sub>2</sub>O<sup>+</sup> <ins>d</ins></p>',
    ],
    [
      '<details open><summary>a <b>b</b></summary>\n\n- **c**\n\n<p>d</p></details>',
      '<details open=""><summary>a <strong>b</strong></summary><ul><li dir="auto"><strong>c</strong></li></ul><p>d</p></details>',
    ],
    ['<b>a<i>b</b>c</i>', '<p><strong>a<em>b</em></strong><em>c</em></p>'],
    ['<ul><li>a<li>b <code>c</code></ul>', '<ul><li dir="auto">a</li><li dir="auto">b <code>c</code></li></ul>'],
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
    ['> [!NOTE] a', '<blockquote dir="auto"><p>[!NOTE] a</p></blockquote>'],
    ['\u001b[31mred\u001b[0m', '<p>red</p>'],
    ['3. a\n4. b', '<ol start="3"><li dir="auto">a</li><li dir="auto">b</li></ol>'],
    ['> a\n\n---\n\n\\*b\\*', '<blockquote dir="auto"><p>a</p></blockquote><hr><p>*b*</p>'],
    ['a\nb  \nc', '<p>a\nb<br>c</p>'],
  ])('%j', async (text, html) => {
    // The names of emoji load shortly after the first text that contains one.
    const prose = await shown(await post({ text }));
    const isExpected = async () => {
      const found = await prose.innerHTML();
      return typeof html === 'string' ? found === html : html.test(found);
    };
    for (let tries = 0; tries < 50 && !(await isExpected()); tries += 1)
      await ada.page.evaluate('new Promise(requestAnimationFrame)');
    expect(await prose.innerHTML()).toEqual(typeof html === 'string' ? html : expect.stringMatching(html));
  });

  test('details that open by click or keyboard, keep their position on the screen and stay open', async () => {
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

  test('tables that scroll separately from the page and are reachable by keyboard', async () => {
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

  test('tasks with a text alternative for their checked state', async () => {
    const prose = await shown(await post({ text: '- [x] eat\n- [ ] sleep' }));
    expect(await prose.locator('li').allTextContents()).toEqual(['Done: eat', 'Not done: sleep']);
  });
});

describe('an image in a link', () => {
  test('shows its alt text until the button beside the link loads it', async () => {
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
    await prose.getByRole('button', { name: 'Show image from badges.example' }).click();
    await link.getByRole('img', { name: 'build passing' }).waitFor();
    await prose.getByRole('button', { name: 'Hide image' }).click();
    await prose.getByText('build passing').waitFor();
  });

  test.each([WIDE, PHONE])('in a table does not overlap the next column at $width px', async (look) => {
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
    const { page, context } = await testSession(browser, team.hub, { caller: team.ada, look });
    await page.goto(`/hubs/${team.hubId}?at=${id}`);
    const prose = await shown({ id }, page);
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
    // A click on the middle of each control reaches it.
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
test('the page logs no errors', () => {
  expect(ada.problems).toEqual([]);
});
