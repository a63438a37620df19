import { describe, expect, test } from 'bun:test';
import { lengthOf } from '../../lib/count-text.ts';
import {
  breakList,
  type Edit,
  emojiQuery,
  inChosenTone,
  linkTo,
  type Mark,
  markText,
  matchingEmoji,
  matchingNames,
  nameQuery,
  type Selection,
} from './typing.ts';

const asked = (text: string) => nameQuery(text, text.length)?.query;

test.each([
  ['@', ''],
  ['Hi @Ad', 'Ad'],
  ['Hi @Ada Lo', 'Ada Lo'],
  ['(@jos', 'jos'],
  ['**@a', 'a'],
  ['a\n@b', 'b'],
  ['@a and @b', 'b'],
  ['请@李', '李'],
  ['＠田中', '田中'],
])('finds a name in %j', (text, query) => expect(asked(text)).toBe(query));

const NAMELESS = ['Hi', 'ada@example', 'see /@a', 'at 5 @ 6', '@a\nb', `@${'x'.repeat(80)}`];
test.each(NAMELESS)('finds no name in %j', (text) => expect(asked(text)).toBeUndefined());

test.each([
  ['ad', 'Ada Lovelace, Adam, Lo Adams'],
  ['ANG', 'José Ángel'],
  ['ada lo', 'Ada Lovelace'],
  ['Ada Lovelace ', ''],
  ['', 'Ada Lovelace, Adam, José Ángel, Lo Adams'],
])('%j finds members by the start of a word in their name, at its start first: %s', (query, names) => {
  const users = ['Lo Adams', 'Ada Lovelace', 'José Ángel', 'Adam'].map((name) => ({ id: name, name }));
  const found = matchingNames(users, query);
  expect(found.map(({ name }) => name).join(', ')).toBe(names);
});

describe('emoji shortcodes', () => {
  const asked = (text: string) => emojiQuery(text, text.length)?.query;

  test.each([
    [':ta', 'ta'],
    ['Done :ta', 'ta'],
    ['(:+1', '+1'],
    ['**:Ta', 'ta'],
    ['a\n:white_ch', 'white_ch'],
    ['@Ada :ta', 'ta'],
    ['完了:ta', 'ta'],
  ])('finds a shortcode in %j', (text, query) => expect(asked(text)).toBe(query));

  const others = [':t', ':D', 'at 10:30', 'std::map', 'https://x.example', 'key:value', ':ta da', ':tada:', '\\:ta'];
  test.each(others)('finds no shortcode in %j', (text) => expect(asked(text)).toBeUndefined());

  // By the start of the name and then of a word in it, short names first; recently used ones before, except for the
  // exact name; each emoji once.
  test.each([
    ['ta', [], ':taco: :tada: :taxi: :tangerine: :hot_tamale:'],
    ['t-', [], ':t-rex:'],
    ['ada', [], ''],
    ['ta', ['🎉'], ':tada: :taco: :taxi: :tangerine: :hot_tamale:'],
    ['taxi', ['🎉'], ':taxi:'],
    ['tan', [], ':tangerine:'],
  ])('%j, after %j was used, finds %s', (query, recent, list) => {
    const entries = 'taco🌮 tada🎉 tangerine🍊 orange🍊 taxi🚕 hot_tamale🫔 t-rex🦖 tangerine_orange🍊'.split(' ');
    const names = new Map(entries.map((entry) => [entry.slice(0, -2), entry.slice(-2)]));
    const found = matchingEmoji(names, query, recent);
    expect(found.map(({ name }) => name).join(' ')).toBe(list);
  });

  test('inChosenTone changes only emoji that have skin tones', () => {
    expect(inChosenTone('👋', '🏽')).toBe('👋🏽');
    expect(inChosenTone('✌️', '🏽')).toBe('✌🏽');
    expect(inChosenTone('🎉', '🏽')).toBe('🎉');
    expect(inChosenTone('👋', '')).toBe('👋');
  });
});

/** Returns the text after an edit. In these strings, `‹` and `›` enclose the selection. */
function after(marked: string, editOf: (selection: Selection) => Edit | null): string {
  const start = marked.indexOf('‹');
  const end = marked.indexOf('›') - 1;
  const text = marked.replace(/[‹›]/g, '');
  const edit = editOf({ text, start, end });
  if (!edit) return marked;
  const { from, to, insert, start: first, end: last } = edit;
  const changed = text.slice(0, from) + insert + text.slice(to);
  return `${changed.slice(0, first)}‹${changed.slice(first, last)}›${changed.slice(last)}`;
}

test.each<[Mark, string, string]>([
  ['bold', 'a ‹b› c', 'a **‹b›** c'],
  ['bold', 'a ‹b ›c', 'a **‹b›** c'],
  ['bold', 'a **‹b›** c', 'a ‹b› c'],
  ['bold', 'a ‹**b**› c', 'a ‹b› c'],
  ['bold', 'a ‹›', 'a **‹›**'],
  ['italic', '‹a›', '_‹a›_'],
  ['code', 'run ‹ls›', 'run `‹ls›`'],
  ['code', 'run\n‹ls\ncd›', 'run\n```\n‹ls\ncd›\n```'],
  ['code', '‹ls\ncd›\nnow', '```\n‹ls\ncd›\n```\nnow'],
  ['link', 'see ‹this›', 'see [this](‹https://›)'],
  ['link', 'see ‹https://a.example›', 'see [‹›](https://a.example)'],
  ['link', '‹›', '[‹›](https://)'],
  ['list', 'one\ntw‹o\nthree›', 'one\n‹- two\n- three›'],
  ['list', '‹- one\n- two›', '‹one\ntwo›'],
  ['list', 'one‹›', '- one‹›'],
  ['list', '- one\n‹two\n- three›', '- one\n‹- two\n- three›'],
])('the toolbar button for %s turns %j into %j', (mark, before, behind) =>
  expect(after(before, (selection) => markText(mark, selection))).toBe(behind),
);

describe('a line break in a list', () => {
  test.each([
    ['- one‹›', '- one\n- ‹›'],
    ['a\n  * one‹› two', 'a\n  * one\n  * ‹› two'],
    ['9. one‹›', '9. one\n10. ‹›'],
    ['1) one‹›', '1) one\n2) ‹›'],
    ['- [x] one‹›', '- [x] one\n- [ ] ‹›'],
    ['- one ‹two›', '- one \n- ‹›'],
    ['- one\n- ‹›', '- one\n‹›'],
    ['- [ ] ‹›\nb', '‹›\nb'],
    ['- ‹›one', '- \n- ‹›one'],
  ])('turns %j into %j', (before, behind) => expect(after(before, breakList)).toBe(behind));

  test.each(['one‹›', '-one‹›', '‹›- one', '- one\n\ntwo‹›'])('is an ordinary one in %j', (text) =>
    expect(after(text, breakList)).toBe(text),
  );
});

test.each([
  ['https://a.example/x', 'see ‹this one› now', 'see [this one](https://a.example/x)‹› now'],
  [' https://a.example\n', 'see ‹this ›now', 'see [this](https://a.example)‹› now'],
  ['https://a.example/a_(b)', '‹this›', '[this](<https://a.example/a_(b)>)‹›'],
  ['https://a.example', 'see ‹› now', 'see ‹› now'],
  ['https://a.example', '‹https://b.example›', '‹https://b.example›'],
  ['https://a.example', '‹one\ntwo›', '‹one\ntwo›'],
  ['https://a.example', '‹[one](b)›', '‹[one](b)›'],
  ['https://a.example', 'run `ls ‹this›`', 'run `ls ‹this›`'],
  ['https://a.example', '`ls` ‹this›', '`ls` [this](https://a.example)‹›'],
  ['two words', '‹this›', '‹this›'],
  ['javascript:alert(1)', '‹this›', '‹this›'],
])('pasting %j over a selection turns %j into %j', (pasted, before, behind) =>
  expect(after(before, (selection) => linkTo(pasted, selection))).toBe(behind),
);

test.each([
  [94, '', false],
  [95, '5 characters left.', false],
  [100, '0 characters left.', false],
  [101, '1 character over the limit of 100.', true],
])('the hint for %i of 100 characters is %j', (count, text, isTooLong) => {
  expect(lengthOf('a'.repeat(count), 100)).toEqual({ text, isTooLong });
  // One code point may be two UTF-16 units.
  expect(lengthOf('😀'.repeat(count), 100)).toEqual({ text, isTooLong });
});
