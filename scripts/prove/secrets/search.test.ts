import { describe, expect, test } from 'bun:test';
import { type Encoding, search } from './search.ts';

const TEXT = 'k7Qz0fVnR2bYw9LxT4cJ8mHs1dGpE6aUiO';
const secrets = [{ name: 'planted', text: TEXT }];
const noise = (length: number): string =>
  Buffer.from(Array.from({ length }, (_, n) => (n * 89) % 251)).toString('latin1');

const planted = (around: (text: string) => Buffer): Buffer =>
  Buffer.concat([Buffer.from(noise(999), 'latin1'), around(TEXT), Buffer.from(noise(333), 'latin1')]);

describe('the search for secrets', () => {
  test('finds nothing in noise', () => {
    expect(search(secrets, [{ where: 'noise', bytes: Buffer.from(noise(100_000), 'latin1') }])).toEqual([]);
  });

  const forms: [Encoding, (text: string) => Buffer][] = [
    ['utf8', (text) => Buffer.from(`Bearer hub_live_${text}abcdef`)],
    ['lower case', (text) => Buffer.from(text.toLowerCase())],
    ['utf16', (text) => Buffer.from(`"${text}"`, 'utf16le')],
    ['utf16', (text) => Buffer.from(`"${text}"`, 'utf16le').swap16()],
    ['hex', (text) => Buffer.from(Buffer.from(`x${text}`).toString('hex'))],
    ['hex', (text) => Buffer.from(Buffer.from(`x${text}`).toString('hex').toUpperCase())],
    ['a part of it', (text) => Buffer.from(text.slice(4, 28))],
  ];
  test.each(forms)('finds a secret as %s', (encoding, around) => {
    const found = search(secrets, [{ where: 'a file', bytes: planted(around) }]);
    expect(found).toEqual([`the secret of "planted" is in a file (${encoding})`]);
  });

  test('distinguishes secrets with a common prefix, and reports each once per location', () => {
    const many = Array.from({ length: 300 }, (_, n) => ({
      name: `number ${n}`,
      text: `Same${TEXT.slice(4, 20)}${n + 1000}Z`,
    }));
    const holds = [7, 299].map((n) => many[n]?.text).join(' and ');
    const evidence = [
      { where: 'one', bytes: Buffer.from(`${holds} and ${holds.toUpperCase()}`) },
      { where: 'other', bytes: Buffer.from(many[42]?.text ?? '') },
    ];
    const all = search(many, evidence).filter((line) => !line.endsWith('(a part of it)'));
    expect(all).toEqual([
      'the secret of "number 7" is in one (utf8)',
      'the secret of "number 299" is in one (utf8)',
      'the secret of "number 42" is in other (utf8)',
    ]);
  });

  test('finds a secret at the start and at the end of a file', () => {
    for (const text of [`${TEXT}x`, `x${TEXT}`, TEXT]) {
      expect(search(secrets, [{ where: 'a file', bytes: Buffer.from(text) }])).toHaveLength(1);
    }
    expect(search(secrets, [{ where: 'a file', bytes: Buffer.from(TEXT.slice(0, 10)) }])).toEqual([]);
  });

  test('finds a secret in base64 at any offset', () => {
    for (const before of ['', 'a', 'ab', 'hub_live_', 'user:hub_live_']) {
      for (const after of ['', 'x', 'xy', 'xyz']) {
        const around = (text: string) => Buffer.from(Buffer.from(before + text + after).toString('base64'));
        const found = search(secrets, [{ where: 'a file', bytes: planted(around) }]);
        expect(found).toEqual(['the secret of "planted" is in a file (base64)']);
      }
    }
  });
});
