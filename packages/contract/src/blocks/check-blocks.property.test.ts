import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import fc from 'fast-check';
import { blocksToText } from './blocks-to-text.ts';
import { checkBlocks } from './check-blocks.ts';
import { savedBlocks } from './saved-blocks.fixture.ts';
import { BlockSchema } from './schema.ts';

const schema = Type.Array(BlockSchema);

/** Refusals that JSON Schema cannot express: limits over the whole, text that is no Unicode, items within items. */
const beyondSchema = /the limit is|NUL|surrogate pair|too large to keep|\.items\[\d+\]\.items\[|must be an https URL$/;

/** A value with one place, chosen by `which`, replaced, removed or added to: close to valid, where faults hide. */
function mutated(value: unknown, which: number, replacement: unknown, how: 'replace' | 'remove' | 'add'): unknown {
  const copy = structuredClone(value);
  const places: { holder: Record<string, unknown>; key: string }[] = [];
  const walk = (holder: unknown): void => {
    if (typeof holder !== 'object' || holder === null) return;
    for (const key of Object.keys(holder)) {
      places.push({ holder: holder as Record<string, unknown>, key });
      walk((holder as Record<string, unknown>)[key]);
    }
  };
  walk(copy);
  const place = places[which % places.length];
  if (place === undefined) return replacement;
  if (how === 'remove' && !Array.isArray(place.holder)) delete place.holder[place.key];
  else if (how === 'add' && !Array.isArray(place.holder)) place.holder[`${place.key}x`] = replacement;
  else place.holder[place.key] = replacement;
  return copy;
}

const replacement = fc.oneof(
  fc.constantFrom(
    null,
    '',
    'x',
    '\0',
    '\ud800',
    -1,
    0,
    7,
    1.5,
    true,
    'https://a.example/',
    'http://a.example/',
    'ordered',
    'left',
  ),
  fc.constantFrom<unknown>([], {}, ['a'], [['a']], [{}], { url: 'https://a.example/' }, [{ content: 'a' }], {
    type: 'x',
    data: {},
  }),
  fc.jsonValue({ stringUnit: 'binary' }),
);
const nearlyValid = fc
  .tuple(
    fc.array(fc.constantFrom(...savedBlocks.map(({ block }) => block)), { minLength: 1, maxLength: 3 }),
    fc.array(fc.tuple(fc.nat(), replacement, fc.constantFrom('replace' as const, 'remove' as const, 'add' as const)), {
      maxLength: 3,
    }),
  )
  .map(([blocks, changes]) =>
    changes.reduce<unknown>((value, [which, by, how]) => mutated(value, which, by, how), blocks),
  );
/** As it comes out of JSON, which writes -0 as 0. */
const anyValue = fc
  .oneof({ weight: 4, arbitrary: nearlyValid }, fc.jsonValue({ stringUnit: 'binary' }))
  .map((value) => JSON.parse(JSON.stringify(value)) as typeof value);

test('the checker and the schema of the OpenAPI document agree', () => {
  let accepted = 0;
  fc.assert(
    fc.property(anyValue, (value) => {
      const verdict = checkBlocks(value);
      if (verdict.ok) accepted += 1;
      if (verdict.ok || !beyondSchema.test(verdict.message)) expect(Value.Check(schema, value)).toBe(verdict.ok);
    }),
    { numRuns: 5000 },
  );
  // Were nothing accepted, or everything, this would prove nothing.
  expect(accepted).toBeGreaterThan(500);
  expect(accepted).toBeLessThan(4500);
});

test('what is accepted is the same object, unchanged, can be stored as UTF-8 JSON and read as text', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      const before = JSON.stringify(value);
      const verdict = checkBlocks(value);
      expect(JSON.stringify(value)).toBe(before);
      if (!verdict.ok) return;
      expect(verdict.blocks).toBe(value as never);
      expect(JSON.parse(new TextDecoder().decode(new TextEncoder().encode(before)))).toEqual(value as never);
      const text = blocksToText(verdict.blocks);
      expect(text.isWellFormed() && !text.includes('\0')).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('a refusal begins with a place in blocks or names the other format, and is one readable line', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      const verdict = checkBlocks(value);
      if (!verdict.ok)
        expect(verdict.message).toMatch(/^(?:blocks[ .[]|These look like )[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u);
    }),
    { numRuns: 2000 },
  );
});
