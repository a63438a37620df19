import { expect, test } from 'bun:test';
import type { Item } from '@hub/contract';
import { loadNames } from './names.ts';
import { excerpt, plainText, wholeText } from './plain-text.ts';

const message = (fields: object) => ({ kind: 'message', text: null, blocks: null, ...fields }) as Item;

test('returns the text of a message, or the text of its blocks if it has any', () => {
  expect(plainText(message({ text: '**Deployed** [4.18](https://example.org)' }))).toBe('Deployed 4.18');
  const blocks = [
    { type: 'header', data: { text: 'Nightly <b>run</b>', level: 2 } },
    { type: 'list', data: { style: 'checklist', items: [{ content: 'one', meta: { checked: true }, items: [] }] } },
    { type: 'image', data: { file: { url: 'https://example.org/a.png' }, caption: 'the graph' } },
  ];
  expect(plainText(message({ text: 'ignored', blocks }))).toBe('Nightly run · one · the graph');
});

test('returns long text in full and on one line for search', () => {
  const text = `# Head\n\n- item\n\n${'word '.repeat(1_000)}**needle**`;
  expect(wholeText(message({ text }))).toStartWith('Head · item · word');
  expect(wholeText(message({ text }))).toEndWith('word needle');
  expect(wholeText({ kind: 'todo', content: null } as Item)).toBe('');
});

test('keeps only the text of HTML, on one line and in an excerpt', async () => {
  await loadNames();
  const text = '<!-- bot -->\n<details><summary>Release <b>notes</b></summary>\n\n- &auml; :tada: `<br>`\n\n</details>';
  expect(wholeText(message({ text }))).toBe('Release notes · ä 🎉 <br>');
  expect(plainText(message({ text }))).toBe('Release notes · ä 🎉 <br>');
});

test.each([
  [
    'list items, without the check boxes of tasks',
    '- [x] Find it\n  * [ ] Record it\n1. [X] Tell them\n> - [ ] Be quick\n\n2. Go on\n- a[x] [x]',
    'Find it · Record it · Tell them · Be quick · 2. Go on · a[x] [x]',
  ],
  [
    'the rows and cells of a table',
    'Build k6-49\n| step | took |\n|-|-:|\n| **build** | 49 s |\n|test||\n\na | b',
    'Build k6-49 · step, took · build, 49 s · test · a | b',
  ],
  ['a table without outer bars', 'on | what\n--- | ---\nThu | ice\n\nno | table', 'on, what · Thu, ice · no | table'],
  [
    'code as it was written, without its language',
    '3 tests failed.\n\n```ts\ntest("a voucher | b")\n| - | - |\n```\n\n---\n\n- ~~~sh title\n  ls\n  ~~~\nand `x`, ```not ts```',
    '3 tests failed. test("a voucher | b") | - | - | · ls · and x, not ts',
  ],
])('puts %s on one line', (_, text, line) => expect(wholeText(message({ text }))).toBe(line));

test('puts long, hostile text on one line in under a second of CPU time', () => {
  const start = process.threadCpuUsage();
  const pieces = '[ [a]( <b> <!-- :a: &a ![ _a ` |- -'.split(' ');
  pieces.push('<a ', '<!-- -->\n', '*a ', '~~~\n', '| ', '> ', '- ', '- [x] ', '1. [x]', '\n');
  for (const piece of pieces) wholeText(message({ text: piece.repeat(200_000 / piece.length) }));
  expect(process.threadCpuUsage(start).user).toBeLessThan(1_000_000);
});

test('keeps the text and removes the Markdown syntax', () => {
  const text = '# Restoring\n\n1. **Stop** the `server`\n2. See [the log](https://example.org/a)\n\n---\n\n> *quoted*';
  expect(excerpt(text)).toBe('Restoring · 1. Stop the server · 2. See the log · quoted');
});

test('ends a long text with an ellipsis and never splits a character', () => {
  const short = excerpt('😀'.repeat(900));
  expect([...short]).toHaveLength(401);
  expect(short.endsWith('😀…')).toBeTrue();
});
