import { expect, test } from 'bun:test';
import { namedCharacters } from './named-characters.ts';
import { withoutHtml } from './without-html.ts';

const visibleText = (markdown: string, hasAddresses = false) =>
  withoutHtml(markdown, { names: namedCharacters, hasAddresses }).replace(/\s+/g, ' ').trim();

const unchanged = (text: string): [string, string][] => [[text, text]];

test.each([
  ['a <b>b</b><br/>c', 'a b c'],
  ['<details>\n<summary>Notes</summary>\n\n- a\n\n</details>', 'Notes - a'],
  ['<ul><li>a</li><li>b</li></ul>', 'a b'],
  ['a <!-- b --> c\n<!--\nd `e\n\n```\n-->\n`f`', 'a c `f`'],
  ['<img src="https://x.example/i.png" alt="a &auml;">', 'a ä'],
  ['`<b>` and\n```html\n<!-- a --><br>\n```', '`<b>` and ```html <!-- a --><br> ```'],
  ...unchanged('\\<b> <x-y> a < b <3 Vec<T> <https://a.example>'),
  ['> [!NOTE]\n> a\n\n> [!NOTE] b', '> > a > [!NOTE] b'],
  [':tada: &uuml;ber :nope: 12:30:45', '🎉 über :nope: 12:30:45'],
  ['a :tada: (:+1::-1:) **:tada:** 完了:tada:', 'a 🎉 (👍👎) **🎉** 完了🎉'],
  ...unchanged('a:tada:b a::fire: std::fire::b /:fire:/ 10:100:00 \\:fire:'),
  ...unchanged('https://a.example/?b=:fire: <https://a.example/:fire:> `:fire:`'),
  ['\u001b[31mred\u001b[0m', 'red'],
  ...unchanged('<!-- a comment that does not end'),
])('reads %j as %j', (markdown, text) => {
  expect(visibleText(markdown)).toBe(text);
});

test('keeps the URLs of links and images if hasAddresses is set', () => {
  const html = '<a href="https://a.example/x">b</a> <img src="https://c.example/i.png">';
  expect(visibleText(html, true)).toBe('https://a.example/x b https://c.example/i.png');
});

test('reads long, hostile input in less than a second of CPU time', () => {
  const start = process.threadCpuUsage();
  const pieces = ['<!-- -->\n', '<details>\n', '<a ', '<a b="', '> [!', '\u001b['];
  for (const piece of [...pieces, ...'< <b> <!-- `<b> &a :a: \\<b>'.split(' ')])
    withoutHtml(piece.repeat(200_000 / piece.length), { names: namedCharacters });
  expect(process.threadCpuUsage(start).user).toBeLessThan(1_000_000);
});
