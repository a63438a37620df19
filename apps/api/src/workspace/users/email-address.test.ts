import { expect, test } from 'bun:test';
import { emailAddress } from './email-address.ts';

/** Addresses as typed and as stored. Each address has one spelling, so that a mailbox can have only one account. */
const SAME: [string, string][] = [
  [' Ada@Example.ORG\n', 'ada@example.org'],
  ['A\u0308da@example.org', 'äda@example.org'],
  ['\u212aelvin@example.org', 'kelvin@example.org'],
  // Lower-casing decomposes these characters, so they must be composed again.
  ['a\u03aa\u0301@example.org', 'a\u0390@example.org'],
  ['A\u0390@example.org', 'a\u0390@example.org'],
];
test.each(SAME)('%j is stored as %j', (typed, kept) => {
  expect(emailAddress(typed)).toBe(kept);
});

test('normalizing an address twice changes nothing, for every character', () => {
  const changed: string[] = [];
  for (let code = 0x21; code < 0x20000; code += 1) {
    const character = String.fromCodePoint(code);
    if (/[\s@\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u.test(character)) continue;
    for (const typed of [`a${character}@example.org`, `a${character}\u0301@example.org`]) {
      const once = emailAddress(typed);
      if (emailAddress(once) !== once) changed.push(typed);
    }
  }
  expect(changed).toEqual([]);
});

test.each([
  '',
  'ada',
  'ada@',
  '@example.org',
  'ada@x@y',
  'a b@x',
  'ada\u200b@x',
  '\u202eada@x',
  'ada@x\u00ad',
  'ada\u3164@x',
  'ada@x\u2800',
  'ada\ufe0f@x',
  'a\u00a0b@x',
])('%j is not a valid address', (typed) => {
  expect(() => emailAddress(typed)).toThrow('email must be an e-mail address, such as ada@example.org');
});
