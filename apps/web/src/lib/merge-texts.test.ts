import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { changedLines, mergeTexts } from './merge-texts.ts';

test.each([
  ['a\nb\nc', 'A\nb\nc', 'a\nb\nC', 'A\nb\nC'],
  ['a\nb\nc', 'a\nb\nC', 'A\nb\nc', 'A\nb\nC'],
  ['a', 'a', 'b', 'b'],
  ['a', 'b', 'b', 'b'],
  ['a', 'a\nb', 'a\nb', 'a\nb'],
  ['a\na', 'a', 'a\na\na', 'a\na\na', 'unclean'],
  // Theirs around mine.
  ['a\nb\nc\nd\ne', 'a\nb\nC\nd\ne', 'A\nb\nc\nd\nE', 'A\nb\nC\nd\nE'],
  // By turns.
  ['a\nb\nc\nd\ne\nf\ng', 'A\nb\nc\nd\nE\nf\ng', 'a\nb\nC\nd\ne\nf\nG', 'A\nb\nC\nd\nE\nf\nG'],
  // One change is the same, another is not.
  ['a\nb\nc\nd\ne', 'A\nb\nC\nd\ne', 'A\nb\nc\nd\nE', 'A\nb\nC\nd\nE'],
  // Adjoining lines.
  ['- [ ] a\n- [ ] b', '- [ ] a\n- [ ] mine', '- [x] a\n- [ ] b', '- [x] a\n- [ ] mine'],
  // The same line, and lines added at the same place: both are there to be edited.
  ['a\nb\nc', 'a\nmine\nc', 'a\ntheirs\nc', 'a\ntheirs\nmine\nc', 'unclean'],
  ['a\nb', 'A\nb', 'a\nB', 'A\nB'],
  ['a\nb', 'a\nb\nmine', 'a\nb\ntheirs', 'a\nb\ntheirs\nmine', 'unclean'],
  // One of several changes is to the same line.
  ['a\nb\nc', 'A\nb\nmine', 'a\nb\ntheirs', 'A\nb\ntheirs\nmine', 'unclean'],
  // A removed line is not the same as an emptied one.
  ['a\nb\nc', 'a\nc', 'a\n\nc', 'a\n\nc', 'unclean'],
])('in %j, the changes %j and %j are merged to %j', (base, mine, theirs, text, state = 'clean') => {
  expect(mergeTexts(base, mine, theirs)).toEqual({ text, isClean: state === 'clean' });
});

const replaced = (removed: string[], added: string[]) => ({ removed, added });
test.each([
  ['a\nb\nc', 'a\nB\nc', [replaced(['b'], ['B'])]],
  ['a\nb', 'a\nb\nc', [replaced([], ['c'])]],
  ['a\nb\nc\nd', 'A\nb\nC\nd', [replaced(['a'], ['A']), replaced(['c'], ['C'])]],
  ['a\nb', 'a\n\nb', [replaced([], [''])]],
  ['', 'a', [replaced([], ['a'])]],
  ['a', '', [replaced(['a'], [])]],
  ['a', 'a', []],
])('from %j to %j, the changed lines are %j', (from, to, changes) => {
  expect(changedLines(from, to)).toEqual(changes);
});

test('between far differences in long texts, all lines count as changed, and those around them are kept', () => {
  const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n}`);
  const change = (...changed: number[]) => lines.map((line, n) => (changed.includes(n) ? `${line}!` : line)).join('\n');
  const [base, theirs] = [change(), change(19_000)];
  const mine = base.replace('line 10\n', 'line 10\nmine\n');
  expect(changedLines(base, change(10, 19_000))).toMatchObject([{ removed: { length: 18_991 } }]);
  expect(changedLines(base, mine)).toEqual([{ removed: [], added: ['mine'] }]);
  const merged = mergeTexts(base, mine, theirs);
  expect(merged.isClean).toBeFalse();
  expect(merged.text.split('\n')).toHaveLength(20_000 + 1 + 18_990);
  expect(mergeTexts(base, mine, change(50)).isClean).toBeTrue();
});

/** Short texts of a few different lines, so that most lines occur several times. */
const text = fc.array(fc.constantFrom('', 'a', 'b', 'c'), { maxLength: 12 }).map((lines) => lines.join('\n'));

test('a merge with an unchanged text is the other text', () => {
  fc.assert(
    fc.property(text, text, (base, other) => {
      const merged = { text: other, isClean: true };
      expect(mergeTexts(base, base, other)).toEqual(merged);
      expect(mergeTexts(base, other, base)).toEqual(merged);
      expect(mergeTexts(base, other, other)).toEqual(merged);
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
      expect(mergeTexts(base, mine, theirs)).toEqual({ text: both, isClean: true });
    }),
  );
});
