import { expect, test } from 'bun:test';
import type { Static } from '@sinclair/typebox';
import { type Block, BlockSchema, isKnownBlock, KNOWN_BLOCK_TYPES } from './schema.ts';

/** The keywords of JSON Schema 2020-12 that the schema of a block may use: the OpenAPI document holds it as it is. */
const keywords = 'type const anyOf properties required additionalProperties items minimum maximum pattern';
const annotations = 'title description examples';
const allowed = new Set(`${keywords} ${annotations}`.split(' '));

function keywordsOf(schema: object): string[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword === 'examples') return [keyword];
    if (keyword === 'properties') return [keyword, ...Object.values(value as object).flatMap(keywordsOf)];
    const inner = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'object');
    return [keyword, ...inner.flatMap(keywordsOf)];
  });
}

test('the schema is plain JSON Schema that refers to nothing, and small enough to read', () => {
  const written = JSON.stringify(BlockSchema);
  expect(keywordsOf(JSON.parse(written)).filter((keyword) => !allowed.has(keyword))).toEqual([]);
  expect(written.length).toBeLessThan(12_000);
});

test('the known types are those of the product', () => {
  expect(new Set<string>(KNOWN_BLOCK_TYPES)).toEqual(
    new Set(['checklist', 'code', 'delimiter', 'header', 'image', 'list', 'paragraph', 'quote', 'table', 'warning']),
  );
});

test('a type named like a method of Object is not known', () => {
  expect(isKnownBlock({ type: 'toString', data: {} })).toBe(false);
  expect(isKnownBlock({ type: 'delimiter', data: {} })).toBe(true);
});

test('the types say the same as the schema', () => {
  // These lines fail in the type check, not when they run.
  const fromSchema = (block: Static<typeof BlockSchema>): Block => block;
  const toSchema = (block: Block): Static<typeof BlockSchema> => block;
  // What Editor.js calls OutputBlockData can be posted without a cast.
  const saved: { id?: string; type: string; data: Record<string, unknown> } = { type: 'poll', data: {} };
  expect(toSchema(fromSchema(saved))).toBe(saved);
});
