import { describe, expect, test } from 'bun:test';
import type { Block } from '@hub/contract';
import { processorMs } from '@hub/testkit/statistics';
import { printedAt } from '../../test/run-hubctl.ts';
import { type Line, textOf } from './output.ts';
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

describe('Markdown on the terminal', () => {
  test.each([
    ['strong text, emphasis and code', '**a** *b* `c` ~~d~~', '<bold>a</> <italic>b</> <cyan>c</> <strikethrough>d</>'],
    ['nested styles', '**a *b***', '<bold>a </><bold,italic>b</>'],
    ['names and numbers as written', 'snake_case_name 2*3*4 a_b_', 'snake_case_name 2*3*4 a_b_'],
    ['line breaks as written', 'a\nb  \nc<br>d', 'a\nb\nc\nd'],
    ['paragraphs with one empty line between them', '\n\na\n\n\nb\n', 'a\n\nb'],
    ['headings', '# A *b*\ntext', '<bold>A </><bold,italic>b</>\ntext'],
    ['links with their URL', '[docs](https://x.example)', `${link('docs')}<dim> (https://x.example)</>`],
    ['links to their own text once', '<https://x.y> [a@b.c](mailto:a@b.c)', `${link('https://x.y')} ${link('a@b.c')}`],
    ['images with their text', '![a b](https://x.y/g.png)', '<magenta>📷 a b</><dim> (https://x.y/g.png)</>'],
    ['brackets in links', '[[x]](https://x.y) if [[ $a ]]', `${link('[x]')}<dim> (https://x.y)</> if [[ $a ]]`],
    ['lists', '- a\n  - b\n    1. c', '<cyan>• </>a\n  <cyan>• </>b\n    <cyan>1. </>c'],
    ['task lists', '- [x] a\n- [ ] b', '<green>☑ </>a\n<dim>☐ </>b'],
    ['code blocks', '```js\nlet x;\n  **y** <b>\n```', '  <cyan>let x;</>\n  <cyan>  **y** <b></>'],
    ['code in quotes', '> ```\n> b\n> ```', '  <cyan>b</>'],
    ['quotes', '> a\n> > b', '<gray>│ </>a\n<gray>│ │ </>b'],
    ['tables as written', '|a|b|\n|-|-|\n|1|2|', '|a|b|\n|-|-|\n|1|2|'],
    ['a rule', 'a\n\n---\n\nb', `a\n\n<dim>${'─'.repeat(40)}</>\n\nb`],
    ['no tags and comments', 'a <b>c</b> <!-- d\ne --><details><summary>f</summary>', 'a c f'],
    ['placeholders, and escaped tags, as text', 'a <host> \\<b> &lt;br&gt; `<i>`', 'a <host> <b> <br> <cyan><i></>'],
    ['the kind of an alert', '> [!WARNING]\n> Hot', '<gray>│ </><bold>Warning</>\n<gray>│ </>Hot'],
    ['nothing for empty text', '', ''],
  ])('shows %s', (_, markdown, expected) => {
    expect(shown(markdown)).toBe(expected);
  });

  test.each([
    ['nested quotes', `${'> '.repeat(20_000)}x${'\ny'.repeat(20_000)}`],
    ['nested lists', `${'- '.repeat(20_000)}x`],
    ['unclosed emphasis', '*a **b _c '.repeat(20_000)],
    ['unclosed code', '`a``b```'.repeat(20_000)],
    ['underscores', '_'.repeat(200_000)],
    ['brackets', '['.repeat(200_000)],
    ['unclosed links', '[a]('.repeat(50_000)],
    ['many short lines', 'x\n'.repeat(100_000)],
    ['unclosed tags', '<a b="'.repeat(30_000)],
    ['unclosed comments', '<!-- '.repeat(40_000)],
  ])('takes linear time for %s', (_, markdown) => {
    const ms = processorMs(() => expect(markdownLines(markdown).length).toBeGreaterThan(0));
    expect(ms).toBeLessThan(3_000);
  });
});

const paragraph = (text: string): Block => ({ type: 'paragraph', data: { text } });

test('tables, warnings, images and captions are shown as text', () => {
  const rows = ['A,B', '1<br>2,3'].map((row) => row.split(','));
  const lines = blocksLines([
    { type: 'table', data: { withHeadings: true, content: rows } },
    { type: 'warning', data: { title: 'Mind', message: 'the gap' } },
    { type: 'image', data: { file: { url: 'https://x.example/a.png' }, caption: 'A <b>cat</b>' } },
    { type: 'image', data: { url: 'https://x.example/b.png' } },
    { type: 'quote', data: { text: 'Yes', caption: 'Ada' } },
  ]);
  expect(lines.map(textOf)).toEqual([
    ...['A | B', '1 2 | 3', '', '⚠ Mind', 'the gap', '', 'A cat (https://x.example/a.png)', ''],
    ...['https://x.example/b.png', '', '> Yes', '> — Ada'],
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
  for (const lines of [blocksLines(data), markdownLines(markdown)]) {
    const shown = printedAt(80, (output) => output.block(lines, 0), true);
    expect(shown.replaceAll(STYLES, '')).not.toMatch(/[[\p{Cc}\p{Cf}]--[\n]]/v);
  }
});
