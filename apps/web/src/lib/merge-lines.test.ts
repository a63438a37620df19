import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { changedLines, mergeLines } from './merge-lines.ts';

test.each([
  ['a\nb\nc', 'A\nb\nc', 'a\nb\nC', 'A\nb\nC'],
  ['a\nb\nc', 'a\nb\nC', 'A\nb\nc', 'A\nb\nC'],
  ['a\nb', 'a\nb\nmine', 'a\nb\ntheirs', 'a\nb\ntheirs\nmine'],
  ['a\nb', 'a\nB', 'a\nb\ntheirs', 'a\nB\ntheirs'],
  ['a\nb\nc', 'a\nc', 'a\nb\nc\nd', 'a\nc\nd'],
  ['a', 'a', 'b', 'b'],
  ['a', 'b', 'b', 'b'],
  ['a', 'a\nb', 'a\nb', 'a\nb'],
  ['a\na', 'a', 'a\na\na', 'a\na'],
  ['a\nb\nc', 'a\nmine\nc', 'a\ntheirs\nc', null],
  ['', 'mine', 'theirs', null],
  // Theirs around mine.
  ['a\nb\nc\nd\ne', 'a\nb\nC\nd\ne', 'A\nb\nc\nd\nE', 'A\nb\nC\nd\nE'],
  // By turns.
  ['a\nb\nc\nd\ne\nf\ng', 'A\nb\nc\nd\nE\nf\ng', 'a\nb\nC\nd\ne\nf\nG', 'A\nb\nC\nd\nE\nf\nG'],
  ['a\nb\nc', 'mine\na\nb\nc\nmine', 'theirs\na\nb\nc\ntheirs', 'theirs\nmine\na\nb\nc\ntheirs\nmine'],
  // Lines before a changed one.
  ['a\nb\nc', 'a\nmine\nb\nc', 'a\nB\nc', 'a\nmine\nB\nc'],
  // One change is the same, another is not.
  ['a\nb\nc\nd\ne', 'A\nb\nC\nd\ne', 'A\nb\nc\nd\nE', 'A\nb\nC\nd\nE'],
  ['a\nb\nc', 'b\nC', 'b\nc', 'b\nC'],
  // The same paragraph added, once below a changed line: it could be the lines before or after the empty one.
  ['a\n\nc', 'A\n\nnew\n\nc', 'a\n\nnew\n\nc', 'A\n\nnew\n\nc'],
  // One of several changes is to the same line.
  ['a\nb\nc', 'A\nb\nmine', 'a\nb\ntheirs', null],
  // Into removed lines.
  ['a\nb\nc\nd', 'a\nd', 'a\nb\ntheirs\nc\nd', null],
  ['a\nb\nc', 'a', 'a\nb', null],
  // A removed line is not the same as an emptied one.
  ['a\nb\nc', 'a\nc', 'a\n\nc', null],
])('in %j, the changes %j and %j are merged to %j', (base, mine, theirs, merged) => {
  expect(mergeLines(base, mine, theirs)).toBe(merged);
});

test.each([
  ['a\nb\nc', 'a\nB\nc', [{ removed: ['b'], added: ['B'] }]],
  ['a\nb', 'a\nb\nc', [{ removed: [], added: ['c'] }]],
  [
    'a\nb\nc\nd',
    'A\nb\nC\nd',
    [
      { removed: ['a'], added: ['A'] },
      { removed: ['c'], added: ['C'] },
    ],
  ],
  ['a\nb\nc\nd', 'A\nB\nx\nd', [{ removed: ['a', 'b', 'c'], added: ['A', 'B', 'x'] }]],
  ['a\nb', 'a\n\nb', [{ removed: [], added: [''] }]],
  ['', 'a', [{ removed: [], added: ['a'] }]],
  ['a', '', [{ removed: ['a'], added: [] }]],
  ['a', 'a', []],
])('from %j to %j, the changed lines are %j', (from, to, changes) => {
  expect(changedLines(from, to)).toEqual(changes);
});

/** Short texts of a few different lines, so that most lines occur several times. */
const text = fc.array(fc.constantFrom('', 'a', 'b', 'c'), { maxLength: 12 }).map((lines) => lines.join('\n'));

test('a merge with an unchanged text is the other text', () => {
  fc.assert(
    fc.property(text, text, (base, other) => {
      expect(mergeLines(base, base, other)).toBe(other);
      expect(mergeLines(base, other, base)).toBe(other);
      expect(mergeLines(base, other, other)).toBe(other);
    }),
  );
});

test('changes to different lines are always merged', () => {
  const edit = fc.constantFrom('none', 'mine', 'theirs', 'removed by me', 'removed by them', 'both alike');
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 30 }), (edits) => {
      // Between the lines are others that stay, so no two changes touch.
      const write = (change: (line: string, edit: string) => string | null) =>
        edits
          .flatMap((edit, index) => [change(`line ${index}`, edit), `then ${index}`])
          .filter((line) => line !== null)
          .join('\n');
      const by = (own: string[], removed: string[]) => (line: string, edit: string) => {
        if (removed.includes(edit)) return null;
        return own.includes(edit) ? `${line} changed: ${edit}` : line;
      };
      const base = write((line) => line);
      const mine = write(by(['mine', 'both alike'], ['removed by me']));
      const theirs = write(by(['theirs', 'both alike'], ['removed by them']));
      const both = write(by(['mine', 'theirs', 'both alike'], ['removed by me', 'removed by them']));
      expect(mergeLines(base, mine, theirs)).toBe(both);
    }),
  );
});
