import { describe, expect, test } from 'bun:test';
import { searchForm } from './search-text.ts';

describe('text is converted to the same form', () => {
  test.each([
    ['case', ['Deploy', 'DEPLOY', 'deploy'], 'deploy'],
    ['accents, composed or not', ['Résumé', 'Re\u0301sume\u0301', 'RESUME'], 'resume'],
    ['letters with a stroke', ['Łódź', 'LODZ'], 'lodz'],
    ['ligatures', ['cœur', 'CŒUR', 'coeur'], 'coeur'],
    ['the sharp s', ['Straße', 'STRAẞE', 'STRASSE'], 'strasse'],
    ['Turkish letters', ['İstanbul', 'ıstanbul', 'ISTANBUL'], 'istanbul'],
    ['Greek, with the final sigma', ['Ελλάδας', 'ελλαδας', 'ΕΛΛΑΔΑΣ', 'ἙΛΛΆΔΑΣ'], 'ελλαδασ'],
    ['Cyrillic', ['Ёлка', 'ЕЛКА', 'елка'], 'елка'],
    ['Hebrew points', ['שָׁלוֹם', 'שלום'], 'שלום'],
    ['Arabic marks', ['مُحَمَّد', 'محمد', 'محـــمد'], 'محمد'],
    ['the forms of Arabic letters', ['ﻣﺤﻤﺪ', 'محمد'], 'محمد'],
    ['Arabic alef with hamza', ['أحمد', 'احمد'], 'احمد'],
    ['full width', ['Ｈｕｂ１２', 'hub12'], 'hub12'],
    ['half width', ['ﾃﾞﾌﾟﾛｲ', 'デプロイ'], 'デプロイ'],
    ['Hangul', ['한국', '한국'.normalize('NFD')], '한국'],
    ['mathematical letters', ['𝐇𝐮𝐛', 'hub'], 'hub'],
    ['ligatures of type', ['ﬁle', 'file'], 'file'],
  ])('for %s', (_, forms, converted) => {
    expect(forms.map(searchForm)).toEqual(forms.map(() => converted));
  });

  test('but words that differ in more than accents stay different', () => {
    const pairs = ['バス パス', 'हिन्दी हनद', 'กิน กน'].map((pair) => pair.split(' ').map(searchForm));
    for (const [one, other] of pairs) expect(one).not.toBe(other);
    expect(searchForm('Hub™')).toBe('hub ');
  });

  test('in linear time, however many marks stand in one place', () => {
    const start = process.threadCpuUsage();
    expect(searchForm(`Re${'\u0301\u0323'.repeat(100_000)}sume`)).toBe('resume');
    const vowels = `${'\u0e38\u0f71'.repeat(15)}\u0640`;
    expect(searchForm(vowels.repeat(6_000)).length).toBeLessThan(100);
    expect(process.threadCpuUsage(start).user).toBeLessThan(3_000_000);
  });

  test('again, if it was converted before', () => {
    for (let first = 0; first <= 0x1ffff; first += 256) {
      const codes = Array.from({ length: 256 }, (_, n) => first + n);
      const converted = searchForm(codes.map((code) => String.fromCodePoint(code)).join(' '));
      expect(searchForm(converted)).toBe(converted);
    }
  });
});
