import { describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { checkBlocks } from './check-blocks.ts';
import { savedBlocks } from './saved-blocks.fixture.ts';
import { BlockSchema } from './schema.ts';

function messageOf(value: unknown): string {
  const result = checkBlocks(value);
  return result.ok ? 'accepted' : result.message;
}
const ofData = (type: string, data: unknown) => messageOf([{ type, data }]);

describe('the output of the Editor.js tools', () => {
  test.each(savedBlocks)('is accepted unchanged: $by', ({ block }) => {
    expect(messageOf([block])).toBe('accepted');
    expect(Value.Check(BlockSchema, block)).toBe(true);
  });

  test('is returned as the same object, with nothing removed', () => {
    const value = [{ id: 'a', type: 'paragraph', data: { text: 'x', alignment: 'right' }, tunes: { anchor: 'top' } }];
    const before = structuredClone(value);
    const result = checkBlocks(value);
    expect(result.ok && result.blocks).toBe(value as never);
    expect(value).toEqual(before);
  });
});

describe('the value of blocks', () => {
  test.each([[null], [undefined], ['[]'], [3], [{}], [true]])(
    'is rejected if it is %p instead of an array',
    (value) => {
      expect(messageOf(value)).toBe('blocks must be an array of Editor.js blocks');
    },
  );

  test("is rejected with a hint if it is the whole output of Editor.js' save()", () => {
    expect(messageOf({ time: 1, blocks: [], version: '2.31.0' })).toContain('send the `blocks` of what');
  });
});

describe('a block', () => {
  test.each([
    [null, 'blocks[1] must be an object with a string `type` and an object `data`'],
    [[], 'blocks[1] must be an object with a string `type` and an object `data`'],
    ['text', 'blocks[1] must be an object with a string `type` and an object `data`'],
    [{}, 'blocks[1].type is missing; it must be a string'],
    [{ type: null, data: {} }, 'blocks[1].type must be a string'],
    [{ type: 'poll' }, 'blocks[1].data is missing; it must be an object'],
    [{ type: 'poll', data: [] }, 'blocks[1].data must be an object'],
    [{ type: 'poll', data: null }, 'blocks[1].data must be an object'],
    [{ type: 'poll', data: 'x' }, 'blocks[1].data must be an object'],
    [{ id: 5, type: 'poll', data: {} }, 'blocks[1].id must be a string'],
    [{ type: 'poll', data: {}, tunes: [] }, 'blocks[1].tunes must be an object'],
    [{ type: 'poll', dta: {} }, 'blocks[1].dta is not a field of a block; did you mean data?'],
    [{ type: 'poll', data: {}, Type: 'x' }, 'blocks[1].Type is not a field of a block; did you mean type?'],
    [
      { type: 'poll', data: {}, 'my colour': 1 },
      'blocks[1]["my colour"] is not a field of a block; a block has id, type, data, tunes',
    ],
  ])('with the value %j is rejected with its path', (block, message) => {
    expect(messageOf([{ type: 'delimiter', data: {} }, block])).toBe(message);
  });

  test('may have null for id and tunes, which counts as absent', () => {
    expect(messageOf([{ id: null, type: 'delimiter', data: {}, tunes: null }])).toBe('accepted');
  });
});

describe('invalid data of a known type is rejected with its path', () => {
  const items = (...list: unknown[]) => ({ style: 'unordered', items: list });
  test.each([
    ['paragraph', {}, 'text is missing; it must be a string'],
    ['paragraph', { text: null }, 'text must be a string'],
    ['header', { text: 'x', level: 7 }, 'level must be 1 to 6'],
    ['header', { text: 'x', level: 0 }, 'level must be 1 to 6'],
    ['header', { text: 'x', level: 2.5 }, 'level must be 1 to 6'],
    ['header', { text: 'x', level: '2' }, 'level must be 1 to 6'],
    ['header', { text: 'x' }, 'level is missing; it must be 1 to 6'],
    ['list', { items: [] }, 'style is missing; it must be "ordered", "unordered" or "checklist"'],
    ['list', { style: 'dotted', items: [] }, 'style must be "ordered", "unordered" or "checklist"'],
    ['list', { style: 'ordered', items: 'a' }, 'items must be an array'],
    ['list', items('a', 3), 'items[1] must be a string or an object'],
    ['list', items('a', ['b']), 'items[1] must be a string or an object'],
    ['list', items('a', 'b', 'c', { content: 4 }), 'items[3].content must be a string'],
    ['list', items({ content: 'a', items: ['b'] }), 'items[0].items[0] must be an object'],
    ['list', items({ content: 'a', items: {} }), 'items[0].items must be an array'],
    ['list', items({ content: 'a', meta: { checked: 'yes' } }), 'items[0].meta.checked must be true or false'],
    ['list', { ...items(), meta: { start: -1 } }, 'meta.start must be 0 to 2147483647'],
    ['list', { ...items(), meta: [] }, 'meta must be an object'],
    ['checklist', { items: [{ text: 'a' }] }, 'items[0].checked is missing; it must be true or false'],
    ['checklist', { items: ['a'] }, 'items[0] must be an object'],
    ['quote', { text: 'a', alignment: 'up' }, 'alignment must be "left" or "center"'],
    ['quote', { text: 'a', caption: 1 }, 'caption must be a string'],
    ['code', { code: ['a'] }, 'code must be a string'],
    ['table', { content: [['a'], 'b'] }, 'content[1] must be an array'],
    ['table', { content: [['a'], ['b', 2]] }, 'content[1][1] must be a string'],
    ['table', { content: [], withHeadings: 1 }, 'withHeadings must be true or false'],
    ['warning', { title: 'a' }, 'message is missing; it must be a string'],
    ['image', { file: { url: 'http://example.com/a.png' } }, 'file.url must be an https URL'],
    ['image', { file: {} }, 'file.url is missing; it must be an https URL'],
    ['image', { url: 'data:image/png;base64,AAAA' }, 'url must be an https URL'],
    ['image', { url: 'https://' }, 'url must be an https URL'],
    ['image', { url: 'javascript:https://a.example/' }, 'url must be an https URL'],
    ['image', { url: '/a.png' }, 'url must be an https URL'],
    ['image', { file: { url: 'https://example.com/a.png' }, url: 'javascript:alert(1)' }, 'url must be an https URL'],
    ['image', { file: { url: 'http://a' }, url: 'https://example.com/a.png' }, 'file.url must be an https URL'],
  ])('%s %j', (type, data, rest) => {
    expect(ofData(type, data)).toBe(`blocks[0].data.${rest}`);
    expect(Value.Check(BlockSchema, { type, data })).toBe(false);
  });

  test.each([
    ['image', { url: 'https://[' }, 'url must be an https URL'],
    ['list', items({ content: 'a', items: [{ content: 'b', meta: 1 }] }), 'items[0].items[0].meta must be an object'],
    [
      'list',
      items({ content: 'a', items: [{ content: 'b', items: [{}] }] }),
      'items[0].items[0].items[0].content is missing; it must be a string',
    ],
  ])('even where the OpenAPI document describes the rule only in prose: %s %j', (type, data, rest) => {
    expect(ofData(type, data)).toBe(`blocks[0].data.${rest}`);
    expect(Value.Check(BlockSchema, { type, data })).toBe(true);
  });
});

describe('an unknown type', () => {
  test.each([
    'poll',
    '',
    'Header',
    'paragraph ',
    'paragraph\n',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
  ])('%j is accepted with any data', (type) => {
    const block = { type, data: { level: 9, text: null, items: [1, { a: true }] } };
    expect(messageOf([block])).toBe('accepted');
    expect(Value.Check(BlockSchema, block)).toBe(true);
  });
});
