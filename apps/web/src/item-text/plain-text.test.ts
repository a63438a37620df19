import { expect, test } from 'bun:test';
import type { Item } from '@hub/contract';
import { loadNames } from '../posts/names.ts';
import { plainText, wholeText } from './plain-text.ts';

const message = (fields: object) => ({ kind: 'message', text: null, blocks: null, ...fields }) as Item;

test('what a message says is its text, or what its blocks say', () => {
  expect(plainText(message({ text: '**Deployed** [4.18](https://example.org)' }))).toBe('Deployed 4.18');
  const blocks = [
    { type: 'header', data: { text: 'Nightly <b>run</b>', level: 2 } },
    { type: 'list', data: { style: 'checklist', items: [{ content: 'one', meta: { checked: true }, items: [] }] } },
    { type: 'image', data: { file: { url: 'https://example.org/a.png' }, caption: 'the graph' } },
  ];
  expect(plainText(message({ text: 'ignored', blocks }))).toBe('Nightly run · one · the graph');
});

test('the whole of a long text is there for the search, on one line', () => {
  const text = `# Head\n\n- item\n\n${'word '.repeat(1_000)}**needle**`;
  expect(wholeText(message({ text }))).toStartWith('Head · item · word');
  expect(wholeText(message({ text }))).toEndWith('word needle');
  expect(wholeText({ kind: 'todo', content: null } as Item)).toBe('');
});

test('on one line and in an excerpt, HTML is what it says', async () => {
  await loadNames();
  const text = '<!-- bot -->\n<details><summary>Release <b>notes</b></summary>\n\n- &auml; :tada: `<br>`\n\n</details>';
  expect(wholeText(message({ text }))).toBe('Release notes · ä 🎉 <br>');
  expect(plainText(message({ text }))).toBe('Release notes · ä 🎉 <br>');
});

test('on one line and in an excerpt, a picture within a link is its words', () => {
  const text = 'Now [![age](https://a.example/age.svg)](https://a.example/why) and ![new](https://a.example/new.svg)';
  expect(wholeText(message({ text }))).toBe('Now age and new');
  expect(plainText(message({ text }))).toBe('Now age and new');
});

test('on one line, words that stand out by a single sign lose it, and sums and names of files keep theirs', () => {
  expect(wholeText(message({ text: 'From *Mikkel*: _now_, 2 * 3 * 4 in a_b_c.ts' }))).toBe(
    'From Mikkel: now, 2 * 3 * 4 in a_b_c.ts',
  );
});

test('on one line, items of lists are apart, and tasks are what is to be done', () => {
  const tasks = '- [x] Find it\n  * [ ] Write it down\n1. [X] Tell them\n> - [ ] Be quick\n\n2. Go on\n- a[x] [x]';
  expect(wholeText(message({ text: tasks }))).toBe(
    'Find it · Write it down · Tell them · Be quick · 2. Go on · a[x] [x]',
  );
});

test('on one line, a table is the words of its cells, and its rows are apart', () => {
  const table = '| step | took |\n|-|-:|\n| **build** | 49 s |\n|test||';
  expect(wholeText(message({ text: `Build k6-49\n${table}\n\na | b` }))).toBe(
    'Build k6-49 · step, took · build, 49 s · test · a | b',
  );
  expect(wholeText(message({ text: 'when | what\n--- | ---\nThu | frozen\n\nno | table' }))).toBe(
    'when, what · Thu, frozen · no | table',
  );
});

test('on one line, code is what it says, without its language and as it was written', () => {
  const code =
    '```ts\ntest("a voucher | b")\n| - | - |\n```\n\n---\n\n- ~~~sh title\n  ls\n  ~~~\nand `x`, ```not ts```';
  expect(wholeText(message({ text: `3 tests failed.\n\n${code}` }))).toBe(
    '3 tests failed. test("a voucher | b") | - | - | · ls · and x, not ts',
  );
});

test('on one line, the longest and most hostile texts take no time', () => {
  const start = process.cpuUsage();
  for (const piece of [
    '[',
    '[a](',
    '<a ',
    '<b>',
    '<!--',
    '<!-- -->\n',
    ':a:',
    '&a',
    '![',
    '*a ',
    '_a',
    '`',
    '~~~\n',
    '|-',
    '| ',
    '> ',
    '- ',
    '- [x] ',
    '1. [x]',
    '-',
    '\n',
  ]) {
    wholeText(message({ text: piece.repeat(200_000 / piece.length) }));
  }
  expect(process.cpuUsage(start).user).toBeLessThan(1_000_000);
});
