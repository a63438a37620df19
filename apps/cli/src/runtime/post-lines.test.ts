import { describe, expect, test } from 'bun:test';
import type { Block } from '@hub/contract';
import { processorMs } from '@hub/testkit/cli/processor-time';
import { type Line, Output, textOf } from './output.ts';
import { blocksLines, markdownLines } from './post-lines.ts';

/** Returns the lines for a terminal, with `<style>` tags instead of colors. */
function shown(markdown: string): string {
  const styled = (segment: Line[number]) =>
    typeof segment === 'string' ? segment : `<${segment.style}>${segment.text}</>`;
  return markdownLines(markdown)
    .map((line) => line.map(styled).join(''))
    .join('\n');
}

const link = (text: string) => `<blue,underline>${text}</>`;
const box = ([left, middle, right]: string) => `<dim>${left}─────${middle}─────${right}</>`;
const bare = (cell: string) => cell.replaceAll(/<[a-z,]*>|<\/>/g, '');
const row = (...cells: string[]) =>
  `<dim>│</> ${cells.map((cell) => `${cell}${' '.repeat(3 - bare(cell).length)} <dim>│</>`).join(' ')}`;

describe('Markdown on the terminal', () => {
  test.each([
    ['strong text, emphasis and code', '**a** *b* `c` ~~d~~', '<bold>a</> <italic>b</> <cyan>c</> <strikethrough>d</>'],
    ['nested styles', '**a *b***', '<bold>a </><bold,italic>b</>'],
    ['line breaks as written', 'a\nb  \nc', 'a\nb\nc'],
    ['paragraphs with an empty line between them', 'a\n\n\nb', 'a\n\nb'],
    ['headings', '# A *b*\ntext', '<bold,magenta>A </><bold,magenta,italic>b</>\n<dim>═══</>\n\ntext'],
    ['links with their URL', '[docs](https://x.example)', '<blue,underline>docs</><dim> (https://x.example)</>'],
    ['plain URLs once', 'see https://x.example', 'see <blue,underline>https://x.example</>'],
    [
      'links to their own text once',
      '<https://x.example> [a@b.c](mailto:a@b.c)',
      `${link('https://x.example')} ${link('a@b.c')}`,
    ],
    [
      'images with their alternative text',
      '![a graph](https://x.example/g.png)',
      '<magenta>📷 a graph</><dim> (https://x.example/g.png)</>',
    ],
    ['lists', '- a\n- b\n\n3. c\n4. d', '  <cyan>• </>a\n  <cyan>• </>b\n   <cyan>3. </>c\n   <cyan>4. </>d'],
    [
      'nested lists with their indentation',
      '- a\n  - b\n    1. c',
      '  <cyan>• </>a\n      <cyan>• </>b\n           <cyan>1. </>c',
    ],
    ['task lists', '- [x] a\n- [ ] b', '  <green>☑ </>a\n  <dim>☐ </>b'],
    [
      'tasks in quotes and lists',
      '> 1. a\n>    - [X] b\n\n- - [x] c',
      '<gray>│ </>   <cyan>1. </>a\n<gray>│ </>        <green>☑ </>b\n  <cyan>• </>\n      <green>☑ </>c',
    ],
    ['crosses in a text', '☒ a\n\n- [x] ☒ b\n- ☒ c', '☒ a\n  <green>☑ </>☒ b\n  <cyan>• </>☒ c'],
    [
      'crosses in code',
      `\`\`\`js\n\`\${a}☒ \${b}\`\n☒ \${c}\`\n\`\`\``,
      `<dim>  </><green>\`</>\${a}<green>☒ </>\${b}<green>\`</>\n<dim>  </>☒ \${c}<green>\`</>`,
    ],
    ['list items with several paragraphs', '- a\n\n  b\n- c', '  <cyan>• </>a\n\n    b\n  <cyan>• </>c'],
    ['code blocks', '```js\nlet x;\n  y\n```', '<dim>  </><magenta>let</> x<dim>;</>\n<dim>  </>  y'],
    [
      'code in quotes and lists',
      '> - a\n>   ```\n>   b\n>   ```',
      '<gray>│ </>  <cyan>• </>a\n<gray>│</>\n<gray>│ </>    <dim>  </>b',
    ],
    ['quotes', '> a\n> b', '<gray>│ </>a\n<gray>│ </>b'],
    [
      'tables',
      '|a|b|\n|-|-|\n|1|[2](https://x.example)|',
      `${box('┌┬┐')}\n${row('<bold>a</>', '<bold>b</>')}\n${box('├┼┤')}\n${row('1', link('2'))}\n${box('└┴┘')}\n<dim>2: https://x.example</>`,
    ],
    ['a rule', 'a\n\n---\n\nb', `a\n\n<dim>${'─'.repeat(60)}</>\n\nb`],
    ['text that looks like a frame', '┌─ a\n└─ b\nc┐\n```\n└─\n```', '┌─ a\n└─ b\nc┐\n\n<dim>  </>└─'],
    [
      'double brackets',
      'if [[ $a || $b ]]; then [[x]](https://x.example)',
      `if [[ $a || $b ]]; then ${link('[x]')}<dim> (https://x.example)</>`,
    ],
    [
      'the HTML that GitHub supports',
      'a <b>c</b><br>d <kbd>E</kbd>\n\n<div>f</div>',
      'a <bold>c</>\nd <cyan>E</>\n\nf',
    ],
    [
      'other HTML as written',
      'a <x-y>c</x-y>\n\n<form>d</form>',
      'a <dim><x-y></>c<dim></x-y></>\n<dim><form>d</form></>',
    ],
    ['no comments', 'a <!-- b -->c\n\n<!-- d\n\ne -->\n\nf', 'a c\n\nf'],
    [
      'details with their content',
      '<details><summary>Notes</summary>\n\n- **a**\n\n</details>\n\nb',
      '<bold>▾ Notes</>\n  <cyan>• </><bold>a</>\n\nb',
    ],
    [
      'HTML tables',
      '<table><tr><th>a</th><th>b</th></tr>\n<tr><td>1<br>2</td><td><ul><li>3</li><li>4</li></ul></td></tr></table>',
      `${box('┌┬┐')}\n${row('<bold>a</>', '<bold>b</>')}\n${box('├┼┤')}\n${row('1 2', '3 4')}\n${box('└┴┘')}`,
    ],
    [
      'HTML lists',
      '<ul><li>a <ol start="3"><li>b</li></ol></li><li>c</li></ul>d',
      '  <cyan>• </>a\n       <cyan>3. </>b\n  <cyan>• </>c\n\nd',
    ],
    [
      'HTML links',
      '<a href="https://x.example">x</a> <a href="javascript:y">y</a> <a href="https://z.example">https://z.example</a>',
      `<underline>x</> (${link('https://x.example')}) y <underline>https://z.example</>`,
    ],
    [
      'images in links with their alternative text',
      '[![age](https://y.example/i.svg)](https://x.example)',
      '<underline,magenta>📷 age</><dim> (https://x.example)</>',
    ],
    ['alerts', '> [!WARNING]\n> Take *care*', '<gray>│ </><bold>Warning</>\n<gray>│ </>Take <italic>care</>'],
    [
      'emoji for shortcodes, but not in code',
      ':tada: :white_check_mark: :nope: \\:tada: `:tada:`',
      '🎉 ✅ :nope: :tada: <cyan>:tada:</>',
    ],
    ['escaped tags as text', '\\<b>x\\</b> &lt;br&gt;', '<b>x</b> <dim><br></>'],
    ['entities as their characters', '&lt;&amp; \\*', '<& *'],
    ['nothing for empty text', '', ''],
  ])('shows %s', (_, markdown, expected) => {
    expect(shown(markdown)).toBe(expected);
  });

  test.each([
    ['nested quotes', `${'> '.repeat(20_000)}x${'\ny'.repeat(20_000)}`],
    ['nested lists', `${'- '.repeat(20_000)}x`],
    ['unclosed emphasis', '*a **b _c '.repeat(20_000)],
    ['brackets', '['.repeat(200_000)],
    ['many short lines', 'x\n'.repeat(100_000)],
    ['nested elements', '<details><b><table><td>x'.repeat(8_000)],
    ['nested links', `${'<a href="https://x.example">'.repeat(8_000)}x${'</a>'.repeat(8_000)}`],
    ['template literals', `\`\`\`js\n${'const a = `${ '.repeat(15_000)}\n\`\`\``],
    ['overlapping elements', '<b><i><s>x</b>y</i></s>'.repeat(8_000)],
    ['unclosed tags', '<a b="'.repeat(30_000)],
    ['unclosed comments', '<!-- '.repeat(40_000)],
  ])('takes linear time for %s', (_, markdown) => {
    const ms = processorMs(() => expect(markdownLines(markdown).length).toBeGreaterThan(0));
    expect(ms).toBeLessThan(3_000);
  });
});

const paragraph = (text: string): Block => ({ type: 'paragraph', data: { text } });
const text = (blocks: Block[]) => blocksLines(blocks).map(textOf);

/** Returns the output for a terminal with colors. */
function printed(lines: Line[]): string {
  let out = '';
  const write = (more: string) => {
    out += more;
  };
  const stdout = { isTTY: true, columns: 80, write, drained: () => Promise.resolve(), problem: undefined };
  const output = new Output({ env: {}, stdout, stderr: stdout }, { json: false, color: true });
  output.wrapped(
    lines.map((line) => ({ before: [], line, indent: 0 })),
    10_000,
  );
  return out;
}

test('a block looks like its Markdown equivalent', () => {
  const list = {
    style: 'ordered' as const,
    meta: { start: 3 },
    items: ['one', { content: 'two', items: [{ content: 'in' }] }],
  };
  const pairs: [Block, string][] = [
    [{ type: 'header', data: { text: 'Release', level: 2 } }, '## Release'],
    [
      paragraph('<b>bold</b>, <i>italic</i>, <s>gone</s> and <code>a = b</code>'),
      '**bold**, *italic*, ~~gone~~ and `a = b`',
    ],
    [paragraph('<a href="https://x.example/y">there</a>'), '[there](https://x.example/y)'],
    [{ type: 'list', data: list }, '3. one\n4. two\n   1. in'],
    [{ type: 'quote', data: { text: 'Said <b>so</b>' } }, '> Said **so**'],
    [{ type: 'code', data: { code: 'if (a) {\n  **b**\n}' } }, '```\nif (a) {\n  **b**\n}\n```'],
    [{ type: 'delimiter', data: {} }, '---'],
    [{ type: 'checklist', data: { items: [{ text: 'a', checked: true }] } }, '- [x] a'],
  ];
  for (const [block, markdown] of pairs) expect(blocksLines([block])).toEqual(markdownLines(markdown));
});

test('tables, warnings, images and captions are shown as text', () => {
  expect(
    text([
      {
        type: 'table',
        data: {
          withHeadings: true,
          content: [
            ['A', 'B'],
            ['1<br>2', '3'],
          ],
        },
      },
      { type: 'warning', data: { title: 'Mind', message: 'the gap' } },
      { type: 'image', data: { file: { url: 'https://x.example/a.png' }, caption: 'A <b>cat</b>' } },
      { type: 'image', data: { url: 'https://x.example/b.png' } },
      { type: 'quote', data: { text: 'Yes', caption: 'Ada' } },
    ]),
  ).toEqual([
    ...['┌─────┬─────┐', '│ A   │ B   │', '├─────┼─────┤', '│ 1 2 │ 3   │', '└─────┴─────┘', ''],
    ...['⚠ Mind', 'the gap', '', 'A cat (https://x.example/a.png)', ''],
    ...['https://x.example/b.png', '', '│ Yes', '│', '│ — Ada'],
  ]);
});

const ESCAPE = '\u001b';
const STYLES = new RegExp(`${ESCAPE}\\[(?:[12349]|2[2349]|3[1-69]|90)m`, 'g');

test('no control characters from a post reach the terminal, even if entities create them', () => {
  const evil = '\u001b]0;title\u0007\u001b[2J&#27;[31m&#x9b;5m\u202e';
  const markdown =
    '&#x1b;[31m `\x1b]52;c;eA==\x07` **\x9b31m** # &#27;]0;x&#7;\n\n```\n\x1b[2J\n```\n\n<div>\x1bc</div>';
  const data = [
    paragraph(`a${evil}<b>b${evil}</b><a href="https://x.example/${evil}">c</a>`),
    { type: 'code', data: { code: `d${evil}` } },
    { type: evil, data: { text: evil } },
    { type: 'table', data: { content: [[evil]] } },
    // An escape sequence split into two halves, each harmless on its own.
    paragraph('<b>\u001b</b>[2J<b>\u001b[</b>2J'),
  ] satisfies Block[];
  for (const lines of [blocksLines(data), markdownLines(markdown, 0), markdownLines(markdown, 80)]) {
    expect(printed(lines).replaceAll(STYLES, '')).not.toMatch(/[[\p{Cc}\p{Cf}]--[\n]]/v);
  }
});
