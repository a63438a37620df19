import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { type PostKind, publicCaller } from '@hub/testkit/in-process/public-caller';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';

const paragraph = (text: string) => ({ type: 'paragraph', data: { text } });

describe('limits', () => {
  let hub: TestHub;
  let caller: Awaited<ReturnType<typeof publicCaller>>;
  beforeAll(async () => {
    hub = await startTestHub();
  });
  beforeEach(async () => {
    caller = await publicCaller(hub);
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  const fields: [PostKind, string, number, 'title' | 'body', object][] = [
    ['messages', 'text', 40_000, 'body', {}],
    ['notes', 'title', 255, 'title', { content: 'x' }],
    ['notes', 'content', 200_000, 'body', {}],
    ['todos', 'title', 255, 'title', {}],
    ['todos', 'content', 40_000, 'body', { title: 'x' }],
  ];
  for (const [kind, field, limit, column, rest] of fields) {
    for (const [name, character] of [
      ['letters', 'a'],
      ['umlauts', 'ü'],
      ['emoji, each one character of two UTF-16 units', '😀'],
    ] as const) {
      test(`${kind}: ${field} accepts and stores ${limit} ${name}; one more returns 400 with the limit and the size`, async () => {
        const item = await caller.stored(kind, { ...rest, [field]: character.repeat(limit) });
        expect(item[column] === character.repeat(limit)).toBe(true);
        expect(await caller.error(kind, { ...rest, [field]: character.repeat(limit + 1) })).toBe(
          `${field} has ${limit + 1} characters; at most ${limit} are accepted`,
        );
      });
    }
  }

  test('a family emoji counts as several code points, and a combining accent counts as one', async () => {
    const title = '👩‍👩‍👧'.repeat(51);
    expect((await caller.stored('todos', { title })).title).toBe(title);
    expect(await caller.error('todos', { title: `${title}e` })).toContain('256 characters');
    expect(await caller.error('todos', { title: 'e\u0301'.repeat(128) })).toContain('256 characters');
  });

  test('blocks accepts 100 elements; one more returns 400 with the limit and the size', async () => {
    await caller.stored('messages', { blocks: Array(100).fill(paragraph('x')) });
    const message = await caller.error('messages', { blocks: Array(101).fill(paragraph('x')) });
    expect(message).toStartWith('blocks ');
    expect(message).toContain('101');
    expect(message).toContain('100');
  });

  test('blocks accepts 1,000 nested items; one more returns 400 with the limit and the size', async () => {
    const list = (items: number) => ({
      blocks: [{ type: 'list', data: { style: 'ordered', items: Array(items).fill('x') } }],
    });
    await caller.stored('messages', list(1000));
    const message = await caller.error('messages', list(1001));
    expect(message).toContain('1001');
    expect(message).toMatch(/1000|1,000/);
  });

  test('blocks accepts depth 8; one more returns 400 with the limit and the size', async () => {
    const nested = (depth: number): object => ({ content: 'x', items: depth === 1 ? [] : [nested(depth - 1)] });
    const list = (depth: number) => ({
      blocks: [{ type: 'list', data: { style: 'ordered', items: [nested(depth)] } }],
    });
    await caller.stored('messages', list(8));
    const message = await caller.error('messages', list(9));
    expect(message).toContain('depth 9');
    expect(message).toContain('limit is 8');
  });

  test('blocks accepts 256 KiB serialized, in bytes of UTF-8; one byte more returns 400 with the limit and the size', async () => {
    const limit = 256 * 1024;
    const overhead = new TextEncoder().encode(JSON.stringify([paragraph('ü')])).length - 2;
    const blocks = (bytes: number) => [
      paragraph('ü'.repeat((bytes - overhead) >> 1) + 'a'.repeat((bytes - overhead) & 1)),
    ];
    const item = await caller.stored('messages', { blocks: blocks(limit) });
    expect(new TextEncoder().encode(item.blocks ?? '').length).toBe(limit);
    const message = await caller.error('messages', { blocks: blocks(limit + 1) });
    expect(message).toContain(String(limit));
    expect(message).toContain(String(limit + 1));
  });

  test('white space between blocks does not count toward the size', async () => {
    const spaced = `{"blocks":[${' '.repeat(300_000)}${JSON.stringify(paragraph('x'))}]}`;
    await caller.stored('messages', new TextEncoder().encode(spaced));
  });
});
