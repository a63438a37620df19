import { describe, expect, test } from 'bun:test';
import { highlighter } from './highlight.ts';
import { closeBidi, nameDivider, shownText } from './shown-text.ts';

describe('text', () => {
  const ACUTE = '\u0301';

  test('text in any language stays unchanged', () => {
    for (const text of ['Übergröße', 'ประเทศไทย', 'हिन्दी', 'བོད་ཡིག', 'עִבְרִית', '👩‍👩‍👧', `a${ACUTE.repeat(30)}b`]) {
      expect(shownText(text)).toBe(text);
    }
  });

  test('shows at most thirty combining marks on one letter', () => {
    expect(shownText(`a${ACUTE.repeat(40_000)}b`)).toBe(`a${ACUTE.repeat(30)}…b`);
    expect(shownText(`${ACUTE.repeat(31)}a${ACUTE.repeat(31)}`)).toBe(`${ACUTE.repeat(30)}…a${ACUTE.repeat(30)}…`);
  });

  test.each([
    ['plain', 'plain'],
    ['\u202egpj.exe', '\u2068\u202egpj.exe\u202c\u2069'],
    ['\u202aa\u202c b', '\u2068\u202aa\u202c\u2069 b'],
    ['\u2066a\u2069', '\u2066a\u2069'],
    ['\u2067a\u202eb', '\u2067a\u2068\u202eb\u202c\u2069\u2069'],
    // The end of an isolate closes everything opened within it.
    ['\u2067a\u202eb\u2069 c', '\u2067a\u2068\u202eb\u202c\u2069\u2069 c'],
    ['\u202c\u2069 stray', '\u202c\u2069 stray'],
    ['\u202ea\u2069 stray', '\u2068\u202ea stray\u202c\u2069'],
  ])('closes the controls in %j and isolates embeddings and overrides', (text, closed) =>
    expect([closeBidi(text), shownText(text)]).toEqual([closed, closed]),
  );
});

describe('names', () => {
  const names = Object.entries({ ada: 'Ada Lovelace', jose: 'José', li: '李雷' });
  const members = names.map(([id, name]) => ({ id, name }));
  const divided = (text: string, mentions = ['ada', 'jose', 'li']) => nameDivider(mentions, members)?.(text);

  test('divides a text at the mentioned names and keeps all of it', () => {
    expect(divided('a @Ada b @Nobody 请@李雷看 @Jose\u0301')).toEqual([
      { text: 'a ' },
      { text: '@Ada', userIds: ['ada'] },
      { text: ' b @Nobody 请' },
      { text: '@李雷', userIds: ['li'] },
      { text: '看 ' },
      { text: '@José', userIds: ['jose'] },
    ]);
  });

  test('finds only the users that the server lists as mentioned', () => {
    expect(divided('@Ada @José', ['jose'])).toEqual([{ text: '@Ada ' }, { text: '@José', userIds: ['jose'] }]);
    expect(divided('@Ada', [])).toBeUndefined();
    expect(nameDivider(['gone'], members)).toBeNull();
  });
});

describe('code', () => {
  test.each(['bash', 'typescript', 'html', 'py', 'yml', 'diff', 'dockerfile', 'console'])(
    '%s is a known language',
    async (name) => {
      const code = 'class A { b = "c" } <a b="c">\n- def: 1 # x\n$ ls';
      const { language, runs } = (await highlighter(name))(code);
      expect(runs.map(([, text]) => text).join('')).toBe(code);
      expect(language).not.toBeNull();
    },
  );

  test.each(['', 'klingon', '__proto__', 'constructor', 'toString'])('%j is not a known language', async (name) => {
    expect((await highlighter(name))('a < b')).toEqual({ language: null, runs: [[null, 'a < b']] });
  });
});
