import { afterAll, describe, expect, test } from 'bun:test';
import * as contract from '@hub/contract';
import { ChangeMeBody } from '@hub/contract';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { KindGuard, type TObject, type TSchema } from '@sinclair/typebox';
import fc from 'fast-check';
import { AppError } from '../platform/errors.ts';
import { BodyWatch } from './body-watch.ts';
import { explainFields, explainPatch, fieldProblem } from './explain.ts';
import { choicesOf, hiddenCharacter, takesBlocks, withoutNull } from './field-rules.ts';
import { readJsonBody } from './read-body.ts';
import { beginRequest } from './request-context.ts';
import { readFields, readPatch } from './validate.ts';

describe('validate', () => {
  const schemas = Object.entries(contract as Record<string, unknown>).filter(
    (entry): entry is [string, TObject] => entry[0].endsWith('Body') && KindGuard.IsObject(entry[1]),
  );
  const requests = schemas.filter(([name]) => name !== 'ErrorBody');
  /** The fields of these bodies can be cleared, which only a PATCH can express. */
  const patches = requests.filter(([name]) => name.startsWith('Change') && name !== 'ChangePasswordBody');
  const creations = requests.filter((request) => !patches.includes(request));

  const SPECIAL_TEXTS = [
    '',
    ' ',
    '\ufeff\u0085',
    '\0',
    '\ud800',
    'a\u200bb',
    '\u{1f468}\u200d\u{1f680}',
    '2026-02-31T09:30Z',
  ];
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>(...SPECIAL_TEXTS, null, true, [], 0, -1, 1.5, 2 ** 53, 1e300, [null], [7], [' ']),
  );

  function textsOf({ format, maxLength = 300 }: { format?: string; maxLength?: number }): fc.Arbitrary<unknown> {
    if (format === 'date-time')
      return fc.constantFrom('2026-03-01T09:30:00Z', '2026-02-28T23:59+01:00', '2026-02-30T09:30Z');
    const limits = [maxLength - 1, maxLength, maxLength + 1, 2 * maxLength + 1].filter((count) => count < 2_000);
    const long = fc.tuple(fc.constantFrom('a', '\u{1f600}', '\u200b', '\u200d'), fc.constantFrom(1, ...limits));
    return fc.oneof(
      fc.string({ unit: 'grapheme' }),
      long.map(([character, count]) => character.repeat(count)),
    );
  }

  /** Mostly valid values of a field, and values at and beyond its limits. */
  function valuesOf(field: TSchema): fc.Arbitrary<unknown> {
    const choices = choicesOf(field);
    if (choices !== null) return fc.constantFrom(...choices, 'x');
    if (KindGuard.IsString(field)) return textsOf(field);
    if (KindGuard.IsBoolean(field)) return fc.boolean();
    if (KindGuard.IsInteger(field)) {
      const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = field;
      return fc.constantFrom(minimum - 1, minimum, minimum + 0.5, 2, maximum, maximum + 1);
    }
    if (takesBlocks(field)) {
      const block = fc.record({ type: fc.constantFrom('paragraph', 'header', 'poll'), data: fc.object() });
      return fc.array(fc.oneof(block, fc.constant({ type: 'paragraph', data: { text: 'a' } })), { maxLength: 3 });
    }
    if (KindGuard.IsArray(field)) {
      const { maxItems = 200 } = field;
      return fc.oneof(
        fc.array(valuesOf(field.items), { maxLength: 3 }),
        fc
          .tuple(valuesOf(field.items), fc.constantFrom(maxItems, maxItems + 1))
          .map(([value, count]) => Array(count).fill(value)),
      );
    }
    return fc.constant('x');
  }

  /** Bodies with the fields of a schema in any order, some of them absent, wrong or misspelled. */
  function bodiesOf({ properties }: TObject): fc.Arbitrary<unknown> {
    const fields = Object.entries(properties).map(([name, field]) => {
      const value = fc.oneof(
        { weight: 9, arbitrary: valuesOf(withoutNull(field)) },
        { weight: 1, arbitrary: anything },
      );
      return fc.option(fc.tuple(fc.constant(name), value), { freq: 5 });
    });
    const unknown = fc.array(fc.tuple(fc.constantFrom('titel', 'nam', '__proto__', 'constructor', ''), anything));
    const others = fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: unknown });
    return fc.tuple(fc.tuple(...fields), others, fc.boolean()).map(([sent, more, isReversed]) => {
      const entries = [...sent.filter((entry) => entry !== null), ...more];
      if (isReversed) entries.reverse();
      // Built as JSON.parse builds it: a name such as `__proto__` is a property like any other.
      return JSON.parse(`{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)}}`);
    });
  }

  /** Whether a body is accepted. A rejection must have a reason, and an accepted body must have none. */
  function accepts(read: () => unknown, explain: () => string): boolean {
    try {
      read();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      expect(error.message).toBe(explain());
      return false;
    }
    expect(explain).toThrow('without a reason');
    return true;
  }

  type Read = (schema: TObject, body: unknown, options: { noun: string }) => unknown;
  type Explain = (schema: TObject, body: unknown, noun: string) => string;

  const RUNS = 200;
  /** The schemas of which no body was accepted: of quiet hours, only one in a few hundred is. */
  const withoutAccepted: string[] = [];

  function expectAgreement(name: string, schema: TObject, read: Read, explain: Explain): void {
    const bodies = fc.oneof({ weight: 20, arbitrary: bodiesOf(schema) }, { weight: 1, arbitrary: fc.jsonValue() });
    const noun = 'it';
    let accepted = 0;
    fc.assert(
      fc.property(bodies, (body) => {
        const isAccepted = accepts(
          () => read(schema, body, { noun }),
          () => explain(schema, body, noun),
        );
        if (isAccepted) accepted += 1;
      }),
      { numRuns: RUNS },
    );
    expect(accepted).toBeLessThan(RUNS);
    if (accepted === 0) withoutAccepted.push(name);
  }

  afterAll(() => expect(withoutAccepted.length).toBeLessThan(requests.length / 4));

  test.each(creations)('%s accepts exactly the bodies in which no problem can be found', (name, schema) => {
    expectAgreement(name, schema, readFields, explainFields);
  });

  test.each(patches)('the patch %s accepts exactly the bodies in which no problem can be found', (name, schema) => {
    expectAgreement(name, schema, readPatch, explainPatch);
  });
});

describe('a name can contain', () => {
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
    ['a heart in color', '❤️'],
    ['a Persian non-joiner', 'می\u200cخواهم'],
    ['a Sinhala joiner', 'ශ්\u200dරී'],
    ['a Hindi joiner', 'क्\u200dष'],
    ['a Malayalam final consonant in its old form', 'മോഹന്\u200d'],
    ['a Mongolian variation', 'ᠭ\u180bᠠ'],
    ['a variant form in a Japanese family name', '葛\u{e0100}城'],
  ])('%s', (_, name) => {
    expect(hiddenCharacter(name)).toBeNull();
  });
});

describe('a name cannot contain', () => {
  test.each([
    ['a zero-width space alone', '\u200b'],
    ['a zero-width space between words', 'Ada\u200b Lovelace'],
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
    ['a variation selector after an emoji that has no other form', '👍\ufe0f'],
    ['a variation selector after a letter', 'Ada\ufe0f'],
    ['tag characters on their own', 'Ada\u{e0041}'],
    ['a Han variation selector after a letter', 'Ada\u{e0100}'],
    ['two non-joiners', 'می\u200c\u200cخ'],
  ])('%s', (_, name) => {
    expect(hiddenCharacter(name)).not.toBeNull();
    expect(fieldProblem(ChangeMeBody.properties.name, 'name', name)).toMatch(
      /^name cannot contain invisible characters: remove U\+[0-9A-F]{4,5}$/,
    );
  });

  test('an invisible character on its own, whether or not the published pattern excludes it', () => {
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

const BOM = [0xef, 0xbb, 0xbf];

async function read(bytes: Uint8Array, isChunked: boolean): Promise<unknown> {
  const body = isChunked ? new Blob([bytes]).stream() : bytes;
  const request = new Request('http://hub.test/', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  if (!isChunked) request.headers.set('content-length', String(bytes.length));
  const connection = { transport: 'public', address: '192.0.2.1', origin: 'http://hub.test', startedAt: 0 } as const;
  const bodies = new BodyWatch(new TestClock());
  beginRequest(request, connection).begin('req_test', bodies);
  try {
    return { value: await readJsonBody(request) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, message: error.message };
  }
}

test('JSON is parsed unchanged, with and without a byte order mark, whole and in chunks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.boolean(), fc.boolean(), async (value, hasBom, isChunked) => {
      const bytes = new Uint8Array([...(hasBom ? BOM : []), ...new TextEncoder().encode(JSON.stringify(value))]);
      expect(await read(bytes, isChunked)).toEqual({ value: JSON.parse(JSON.stringify(value)) });
    }),
    { numRuns: 200 },
  );
});

test('any bytes are either parsed or rejected as invalid with a printable message', async () => {
  const almost = fc.tuple(fc.jsonValue(), fc.nat(), fc.nat(255)).map(([value, at, byte]) => {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    bytes[at % bytes.length] = byte;
    return bytes;
  });
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array(), almost), async (bytes) => {
      const result = (await read(bytes, false)) as { code?: string; message?: string };
      let expected: unknown;
      try {
        expected = { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
      } catch {
        expect(result.code).toBe('invalid');
        expect(result.message?.length).toBeLessThan(400);
        expect(result.message).not.toMatch(/[\p{Cc}\u202a-\u202e]|\p{Cs}/u);
        return;
      }
      expect(result).toEqual(expected as never);
    }),
    { numRuns: 1_000 },
  );
});
