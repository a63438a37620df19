import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import fc from 'fast-check';
import { blocksToText } from './blocks-to-text.ts';
import { checkBlocks } from './check-blocks.ts';
import { savedBlocks } from './saved-blocks.fixture.ts';
import { BlockSchema } from './schema.ts';

const schema = Type.Array(BlockSchema);

/** Errors that JSON Schema cannot express: overall limits, text that is not valid Unicode, nested items. */
const beyondSchema = /the limit is|NUL|lone surrogate|too large to store|\.items\[\d+\]\.items\[|must be an https URL$/;

/** Replaces, removes or adds one member, chosen by `which`. The result is close to valid, where bugs hide. */
function mutated(value: unknown, which: number, replacement: unknown, how: 'replace' | 'remove' | 'add'): unknown {
  const copy = structuredClone(value);
  const members: { parent: Record<string, unknown>; key: string }[] = [];
  const walk = (parent: unknown): void => {
    if (typeof parent !== 'object' || parent === null) return;
    for (const key of Object.keys(parent)) {
      members.push({ parent: parent as Record<string, unknown>, key });
      walk((parent as Record<string, unknown>)[key]);
    }
  };
  walk(copy);
  const member = members[which % members.length];
  if (member === undefined) return replacement;
  if (how === 'remove' && !Array.isArray(member.parent)) delete member.parent[member.key];
  else if (how === 'add' && !Array.isArray(member.parent)) member.parent[`${member.key}x`] = replacement;
  else member.parent[member.key] = replacement;
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
/** A value as parsed from JSON, which writes -0 as 0. */
const anyValue = fc
  .oneof({ weight: 4, arbitrary: nearlyValid }, fc.jsonValue({ stringUnit: 'binary' }))
  .map((value) => JSON.parse(JSON.stringify(value)) as typeof value);

test('checkBlocks and the schema of the OpenAPI document accept the same values', () => {
  let accepted = 0;
  fc.assert(
    fc.property(anyValue, (value) => {
      const result = checkBlocks(value);
      if (result.ok) accepted += 1;
      if (result.ok || !beyondSchema.test(result.message)) expect(Value.Check(schema, value)).toBe(result.ok);
    }),
    { numRuns: 5000 },
  );
  // The test would prove nothing if every value or no value were accepted.
  expect(accepted).toBeGreaterThan(500);
  expect(accepted).toBeLessThan(4500);
});

test('accepted blocks are returned as the same, unchanged object, and can be stored as JSON and read as text', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      const before = JSON.stringify(value);
      const result = checkBlocks(value);
      expect(JSON.stringify(value)).toBe(before);
      if (!result.ok) return;
      expect(result.blocks).toBe(value as never);
      expect(JSON.parse(new TextDecoder().decode(new TextEncoder().encode(before)))).toEqual(value as never);
      const text = blocksToText(result.blocks);
      expect(text.isWellFormed() && !text.includes('\0')).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('an error message begins with a path or names the other format, and is a single readable line', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      const result = checkBlocks(value);
      if (!result.ok) expect(result.message).toMatch(/^(?:blocks[ .[]|These look like )[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u);
    }),
    { numRuns: 2000 },
  );
});
