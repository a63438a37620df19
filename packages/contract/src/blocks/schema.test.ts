import { expect, test } from 'bun:test';
import type { Static } from '@sinclair/typebox';
import { isKnownBlock } from './known-block.ts';
import { type Block, BlockSchema, KNOWN_BLOCK_TYPES } from './schema.ts';

/**
 * The JSON Schema 2020-12 keywords that the block schema may use, because the OpenAPI document contains it unchanged.
 */
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

test('the schema is plain JSON Schema without references, and small enough to read', () => {
  const written = JSON.stringify(BlockSchema);
  expect(keywordsOf(JSON.parse(written)).filter((keyword) => !allowed.has(keyword))).toEqual([]);
  expect(written.length).toBeLessThan(12_000);
});

test('the known types are the documented ones', () => {
  expect(new Set<string>(KNOWN_BLOCK_TYPES)).toEqual(
    new Set(['checklist', 'code', 'delimiter', 'header', 'image', 'list', 'paragraph', 'quote', 'table', 'warning']),
  );
});

test('a type with the name of an Object.prototype method is unknown', () => {
  expect(isKnownBlock({ type: 'toString', data: {} })).toBe(false);
  expect(isKnownBlock({ type: 'delimiter', data: {} })).toBe(true);
});

test('the TypeScript types match the schema', () => {
  // These lines fail in the type check, not at run time.
  const fromSchema = (block: Static<typeof BlockSchema>): Block => block;
  const toSchema = (block: Block): Static<typeof BlockSchema> => block;
  // An OutputBlockData of Editor.js can be posted without a cast.
  const saved: { id?: string; type: string; data: Record<string, unknown> } = { type: 'poll', data: {} };
  expect(toSchema(fromSchema(saved))).toBe(saved);
});
