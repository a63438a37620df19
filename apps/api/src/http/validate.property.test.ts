import { expect, test } from 'bun:test';
import * as contract from '@hub/contract';
import { KindGuard, type TObject, type TSchema } from '@sinclair/typebox';
import fc from 'fast-check';
import { AppError } from '../platform/errors.ts';
import { explainFields, explainPatch } from './explain.ts';
import { choicesOf, takesBlocks, withoutNull } from './field-rules.ts';
import { readFields, readPatch } from './validate.ts';

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
    const value = fc.oneof({ weight: 9, arbitrary: valuesOf(withoutNull(field)) }, { weight: 1, arbitrary: anything });
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

/** Enough that at least one body of each schema is accepted: of quiet hours, one in a few hundred is. */
const RUNS = 2_000;

function expectAgreement(schema: TObject, read: Read, explain: Explain): void {
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
  expect(accepted).toBeGreaterThan(0);
  expect(accepted).toBeLessThan(RUNS);
}

test.each(creations)('%s accepts exactly the bodies in which no problem can be found', (_, schema) => {
  expectAgreement(schema, readFields, explainFields);
});

test.each(patches)('the patch %s accepts exactly the bodies in which no problem can be found', (_, schema) => {
  expectAgreement(schema, readPatch, explainPatch);
});
