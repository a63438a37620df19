import { describe, expect, test } from 'bun:test';
import { checkBlocks } from './check-blocks.ts';

function messageOf(value: unknown): string {
  const result = checkBlocks(value);
  return result.ok ? 'accepted' : result.message;
}

describe('content that cannot be stored is rejected with its path', () => {
  const half = '\ud83d';
  test.each([
    [{ type: 'paragraph', data: { text: 'a\0b' } }, '.data.text contains a NUL'],
    [{ type: 'paragraph', data: { text: `a${half}` } }, '.data.text contains a lone surrogate'],
    [{ type: 'paragraph', data: { text: '', extra: ['', '\0'] } }, '.data.extra[1] contains a NUL'],
    [{ type: 'paragraph', data: { text: '', '\0': 1 } }, '.data has a property whose name contains a NUL'],
    [
      { type: 'list', data: { style: 'ordered', items: [{ content: 'a', items: [{ content: half }] }] } },
      '.data.items[0].items[0].content contains a lone surrogate',
    ],
    [{ type: 'poll', data: { a: { b: [half] } } }, '.data.a.b[0] contains a lone surrogate'],
    [{ type: 'poll', data: { a: { [half]: 1 } } }, '.data.a has a property whose name contains a lone surrogate'],
    [{ type: half, data: {} }, '.type contains a lone surrogate'],
    [{ id: '\0', type: 'poll', data: {} }, '.id contains a NUL'],
    [{ type: 'poll', data: {}, tunes: { a: half } }, '.tunes.a contains a lone surrogate'],
    [{ type: 'poll', data: {}, [`x${half}`]: 1 }, '["x\\ud83d"] is not a field'],
  ])('%j', (block, message) => {
    expect(messageOf([block])).toStartWith(`blocks[0]${message}`);
    expect(messageOf([block]).isWellFormed()).toBe(true);
  });

  test('unlike surrogate pairs, which are accepted', () => {
    expect(messageOf([{ type: 'paragraph', data: { text: '😀' } }])).toBe('accepted');
  });
});
