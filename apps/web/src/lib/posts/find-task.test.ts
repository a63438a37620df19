import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { findTask, tasksIn, withBox } from './find-task.ts';

/** Returns the text with the task checked or unchecked, or null if its box cannot be found. */
function toggled(text: string, task: number): string | null {
  const index = findTask(text, task);
  return index === null ? null : withBox(text, index, text[index] === ' ');
}

test.each([
  ['a list', '- [ ] a\n- [x] b', 1, '- [ ] a\n- [ ] b'],
  ['a numbered list', '1. [ ] a\n2) [ ] b', 1, '1. [ ] a\n2) [x] b'],
  ['a nested list', '- [ ] a\n  - [ ] b\n    - [X] c\n- [ ] d', 2, '- [ ] a\n  - [ ] b\n    - [ ] c\n- [ ] d'],
  ['a quote', '> - [ ] a\n> > - [ ] b', 1, '> - [ ] a\n> > - [x] b'],
  ['fenced code before it', '```\n- [ ] no\n```\n\n`[ ] `\n- [ ] a', 0, '```\n- [ ] no\n```\n\n`[ ] `\n- [x] a'],
  ['indented code before it', 'a\n\n    - [ ] no\n\n- [ ] a', 0, 'a\n\n    - [ ] no\n\n- [x] a'],
  ['an item with code', '- [ ] a\n\n  ```\n  - [ ]\n  ```\n- [ ] b', 1, '- [ ] a\n\n  ```\n  - [ ]\n  ```\n- [x] b'],
  ['text with a box before it', 'a [ ] b\n\n- [ ] c', 0, 'a [ ] b\n\n- [x] c'],
  ['text with Windows line breaks', '- [ ] a\r\n- [ ] b\r\n', 1, '- [ ] a\r\n- [x] b\r\n'],
  ['text with escape sequences', '\u001b[31m- [ ] a\u001b[0m\n- [ ] b', 1, '\u001b[31m- [ ] a\u001b[0m\n- [x] b'],
  ['details', '<details>\n\n- [ ] a\n\n</details>\n\n- [ ] b', 1, '<details>\n\n- [ ] a\n\n</details>\n\n- [x] b'],
  ['text with a comment', '<!--\n- [ ] no\n-->\n- [ ] a', 0, '<!--\n- [ ] no\n-->\n- [x] a'],
])('checks a task in %s', (_, text, task, changed) => expect(toggled(text, task)).toBe(changed));

test('finds no task that does not exist', () => {
  expect(findTask('- [ ] a', 1)).toBeNull();
  expect(findTask('```\n- [ ] a\n```', 0)).toBeNull();
  expect(findTask('', 0)).toBeNull();
});

const line = fc.constantFrom(
  ...['- [ ] a', '* [x] b', '+ [X] `[ ] c`', '1. [ ] d', '2) [x] e', '- [ ]', '- [ ] - [x] f', '- [y] g', '- h [ ] i'],
  ...['[x] j', '[x]: https://x.example', '- [ ] [x] k', '```', '~~~', '`', '<!--', '-->', '<details>', '</details>'],
  ...['<ul><li>', '> [!NOTE]', '---', '| - [ ] a | b |', '|---|---|', '# [ ] l', '\u001b[1m', ''],
);
const lead = fc.constantFrom('', '', '  ', '    ', '\t', '> ', '> > ', '- ', '1. ');

test('whatever the Markdown, tasks have the order of the text, and checking one changes only its box', () => {
  const texts = fc
    .array(fc.tuple(lead, line), { maxLength: 14 })
    .map((lines) => lines.map((parts) => parts.join('')).join('\n'));
  fc.assert(
    fc.property(texts, (text) => {
      const before = tasksIn(text);
      let last = -1;
      for (const [task, isDone] of before.entries()) {
        const index = findTask(text, task);
        if (index === null) throw new Error(`Task ${task} not found`);
        expect(index).toBeGreaterThan(last);
        last = index;
        const changed = withBox(text, index, !isDone);
        expect(tasksIn(changed)).toEqual(before.with(task, !isDone));
        expect(changed.slice(0, index) + text[index] + changed.slice(index + 1)).toBe(text);
      }
    }),
    { numRuns: 500 },
  );
});
