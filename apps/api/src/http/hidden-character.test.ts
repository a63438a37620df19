import { describe, expect, test } from 'bun:test';
import { ChangeMeBody } from '@hub/contract';
import { hiddenCharacter } from './hidden-character.ts';
import { fieldProblem } from './read-field.ts';

describe('a name keeps', () => {
  test.each([
    ['plain letters', 'Ada Lovelace'],
    ['accents that are written by themselves', 'Jose\u0301'],
    ['an emoji of one character', '👍 Ada'],
    ['an emoji that is put together', '👩‍❤️‍💋‍👨'],
    ['the same without its selector', '👩‍❤‍💋‍👨'],
    ['a colour of skin within one', '👩🏽‍🚀'],
    ['a flag made of tags', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['a rainbow flag', '🏳️‍🌈'],
    ['a keycap', '1️⃣'],
    ['a heart in colour', '❤️'],
    ['a non-joiner of Persian', 'می\u200cخواهم'],
    ['a joiner of Sinhala', 'ශ්\u200dරී'],
    ['a joiner of Hindi', 'क्\u200dष'],
    ['an old final consonant of Malayalam', 'മോഹന്\u200d'],
    ['a variation of Mongolian', 'ᠭ\u180bᠠ'],
    ['a form of a Japanese family', '葛\u{e0100}城'],
  ])('%s', (_, name) => {
    expect(hiddenCharacter(name)).toBeNull();
  });
});

describe('a name may not hold', () => {
  test.each([
    ['a zero-width space alone', '\u200b'],
    ['one between words', 'Ada\u200b Lovelace'],
    ['a soft hyphen', 'Ada\u00ad'],
    ['a Hangul filler', '\u3164'],
    ['a halfwidth filler', '\uffa0'],
    ['an empty Braille cell', '\u2800'],
    ['an Arabic letter mark', '\u061c'],
    ['a word joiner', 'Ada\u2060'],
    ['a byte order mark', 'Ada\ufeff Lovelace'],
    ['a joiner between Latin letters', 'A\u200dda'],
    ['a non-joiner at the end', 'Ada\u200c'],
    ['a joiner at the end of an emoji', '👍\u200d'],
    ['a selector after an emoji that has no other form', '👍\ufe0f'],
    ['a selector after a letter', 'Ada\ufe0f'],
    ['tags of their own', 'Ada\u{e0041}'],
    ['a selector of Han after a letter', 'Ada\u{e0100}'],
    ['two non-joiners', 'می\u200c\u200cخ'],
  ])('%s', (_, name) => {
    expect(hiddenCharacter(name)).not.toBeNull();
    expect(fieldProblem(ChangeMeBody.properties.name, 'name', name)).toMatch(
      /^name may not hold characters that do not show: take U\+[0-9A-F]{4,5} out$/,
    );
  });

  test('any character alone that does not show, be it in the published pattern or not', () => {
    const accepted: string[] = [];
    for (let code = 1; code < 0x110000; code += 1) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const name = `Ada${String.fromCodePoint(code)}`;
      if (!/[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(name)) continue;
      if (fieldProblem(ChangeMeBody.properties.name, 'name', name) === null) accepted.push(code.toString(16));
    }
    expect(accepted).toEqual([]);
  });
});
