import { describe, expect, test } from 'bun:test';
import { checkBlocks } from './check-blocks.ts';

function messageOf(value: unknown): string {
  const verdict = checkBlocks(value);
  return verdict.ok ? 'accepted' : verdict.message;
}

describe('text that cannot be stored is refused with its place', () => {
  const half = '\ud83d';
  test.each([
    [{ type: 'paragraph', data: { text: 'a\0b' } }, '.data.text holds a NUL'],
    [{ type: 'paragraph', data: { text: `a${half}` } }, '.data.text holds half of a surrogate pair'],
    [{ type: 'paragraph', data: { text: '', extra: ['', '\0'] } }, '.data.extra[1] holds a NUL'],
    [{ type: 'paragraph', data: { text: '', '\0': 1 } }, '.data has a property whose name holds a NUL'],
    [
      { type: 'list', data: { style: 'ordered', items: [{ content: 'a', items: [{ content: half }] }] } },
      '.data.items[0].items[0].content holds half',
    ],
    [{ type: 'poll', data: { a: { b: [half] } } }, '.data.a.b[0] holds half'],
    [{ type: 'poll', data: { a: { [half]: 1 } } }, '.data.a has a property whose name holds half'],
    [{ type: half, data: {} }, '.type holds half'],
    [{ id: '\0', type: 'poll', data: {} }, '.id holds a NUL'],
    [{ type: 'poll', data: {}, tunes: { a: half } }, '.tunes.a holds half'],
    [{ type: 'poll', data: {}, [`x${half}`]: 1 }, '["x\\ud83d"] is not a field'],
  ])('%j', (block, place) => {
    expect(messageOf([block])).toStartWith(`blocks[0]${place}`);
    expect(messageOf([block]).isWellFormed()).toBe(true);
  });

  test('a name is quoted so that it can neither steer a terminal nor turn the message around', () => {
    expect(messageOf([{ type: 'poll', data: {}, 'a\u001b\u009b\u202e': 1 }])).toStartWith(
      'blocks[0]["a\\u001b\\u{9b}\\u{202e}"] is not a field',
    );
  });

  test('a whole pair is fine', () => {
    expect(messageOf([{ type: 'paragraph', data: { text: '😀' } }])).toBe('accepted');
  });

  test('so is a number that JSON cannot carry', () => {
    expect(messageOf(JSON.parse('[{"type":"poll","data":{"n":1e999}}]'))).toBe(
      'blocks[0].data.n is a number too large to keep',
    );
  });
});
