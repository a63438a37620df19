import { expect, test } from 'bun:test';
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
])('in %j, the changes %j and %j are merged to %j', (base, mine, theirs, merged) => {
  expect(mergeLines(base, mine, theirs)).toBe(merged);
});

test.each([
  ['a\nb\nc', 'a\nB\nc', { removed: 'b', added: 'B' }],
  ['a\nb', 'a\nb\nc', { removed: '', added: 'c' }],
  ['a\nb\nc\nd', 'A\nb\nC\nd', { removed: 'a\nb\nc', added: 'A\nb\nC' }],
])('from %j to %j, the changed lines are %j', (from, to, lines) => {
  expect(changedLines(from, to)).toEqual(lines);
});
