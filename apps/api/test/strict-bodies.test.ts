import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { type PostKind, publicCaller } from '@hub/testkit/in-process/public-caller';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';

const utf8 = (text: string) => new TextEncoder().encode(text);

describe('strict bodies', () => {
  let hub: TestHub;
  let caller: Awaited<ReturnType<typeof publicCaller>>;
  beforeAll(async () => {
    hub = await startTestHub();
  });
  beforeEach(async () => {
    caller = await publicCaller(hub);
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  describe('unknown fields return 400 with their names', () => {
    const cases: [PostKind, string, string][] = [
      [
        'todos',
        '{"title":"x","dueDte":"2026-03-01T09:30Z"}',
        'dueDte is not a field of a to-do; did you mean dueDate?',
      ],
      [
        'todos',
        '{"title":"x","DueDate":"2026-03-01T09:30Z"}',
        'DueDate is not a field of a to-do; did you mean dueDate?',
      ],
      ['notes', '{"content":"x","body":"y"}', 'body is not a field of a note; its fields are title, content'],
      ['messages', '{"texts":"x"}', 'texts is not a field of a message; did you mean text?'],
      ['messages', '{"text":"x","title":null}', 'title is not a field of a message; its fields are text, blocks'],
      ['messages', '{"text":"x","":1}', '"" is not a field of a message; its fields are text, blocks'],
      [
        'todos',
        '{"title":"x","dueDte":1,"prio":"HIGH"}',
        'dueDte (did you mean dueDate?) and prio (did you mean priority?) are not fields of a to-do; its fields are title, content, dueDate, priority',
      ],
      [
        'messages',
        '{"a1":1,"b2":1,"c3":1,"d4":1,"e5":1,"f6":1,"g7":1}',
        'a1, b2, c3, d4, e5 and 2 more are not fields of a message; its fields are text, blocks',
      ],
    ];
    for (const [kind, body, message] of cases) {
      test(`${kind} ${body}`, async () => {
        expect(await caller.error(kind, utf8(body))).toBe(message);
      });
    }

    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', '$ref']) {
      test(`${name} is not a field, even though JavaScript objects have it`, async () => {
        const message = await caller.error('messages', utf8(`{"text":"x","${name}":{"text":"y"}}`));
        expect(message).toStartWith(`${name} is not a field of a message`);
      });
    }

    test('field names are not read from a prototype in the body', async () => {
      expect(await caller.error('messages', utf8('{"__proto__":{"text":"x"}}'))).toStartWith(
        '__proto__ is not a field',
      );
    });

    test('a long name is truncated, and terminal control characters are replaced', async () => {
      const long = await caller.error('messages', { text: 'x', [`\u001b[31m${'n'.repeat(5000)}`]: 1 });
      expect(long).toMatch(/^\u{fffd}\[31mn+… is not a field of a message/u);
      expect(long.length).toBeLessThan(200);
      expect(await caller.error('messages', utf8('{"text":"x","\\ud800\\u202e":1}'))).toStartWith(
        '\u{fffd}\u{fffd} is not a field',
      );
    });
  });

  describe('absent values', () => {
    const blanks: [string, unknown][] = [
      ['null', null],
      ['an empty string', ''],
      ['spaces, tabs and line breaks', ' \t\r\n\v\f'],
      ['Unicode spaces', '\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000\u0085\ufeff'],
      ['invisible characters', '\u200b\u200c\u200d\u2060\u2800\u3164\uffa0\u00ad\ufe0f\u202e\u{e0041}'],
    ];
    for (const [name, blank] of blanks) {
      test(`${name} counts as absent in every optional field`, async () => {
        const item = await caller.stored('todos', { title: 'x', content: blank, dueDate: blank, priority: blank });
        expect(item).toMatchObject({ title: 'x', body: null, dueAt: null, priority: null });
        expect(await caller.stored('notes', { title: blank, content: 'x' })).toMatchObject({ title: null, body: 'x' });
        expect(await caller.stored('messages', { text: 'x', blocks: blank })).toMatchObject({
          body: 'x',
          blocks: null,
        });
      });

      test(`${name} returns 400 in a required field, with a message that it cannot be blank`, async () => {
        expect(await caller.error('todos', { title: blank })).toBe('title is required in a to-do; it cannot be blank');
        expect(await caller.error('notes', { content: blank, title: 'x' })).toBe(
          'content is required in a note; it cannot be blank',
        );
        expect(await caller.error('messages', { text: blank })).toContain('text or blocks');
      });
    }

    test('empty blocks count as absent', async () => {
      expect(await caller.stored('messages', { text: 'x', blocks: [] })).toMatchObject({ body: 'x', blocks: null });
      expect(await caller.error('messages', { blocks: [] })).toContain('text or blocks');
      expect(await caller.error('messages', { text: ' ', blocks: [] })).toContain('text or blocks');
    });

    test('blank text next to blocks counts as absent, so only the blocks are stored', async () => {
      const blocks = [{ type: 'delimiter', data: {} }];
      expect(await caller.stored('messages', { text: ' ', blocks })).toMatchObject({
        body: null,
        blocks: JSON.stringify(blocks),
      });
    });

    test('a missing required field returns 400 with its name', async () => {
      expect(await caller.error('messages', {})).toBe('A message requires text or blocks, and neither can be empty');
      expect(await caller.error('notes', { title: 'x' })).toBe('content is required in a note');
      expect(await caller.error('todos', { content: 'x' })).toBe('title is required in a to-do');
    });
  });

  describe('types of values', () => {
    const kinds: [string, unknown, string][] = [
      ['a number', 42, 'a number'],
      ['zero', 0, 'a number'],
      ['a boolean', false, 'false'],
      ['an object', {}, 'an object'],
      ['an array', ['x'], 'an array'],
      ['an empty array', [], 'an array'],
    ];
    for (const [name, value, shown] of kinds) {
      test(`${name} returns 400 in a text field and as a priority`, async () => {
        expect(await caller.error('messages', { text: value })).toBe(`text must be a string, not ${shown}`);
        expect(await caller.error('notes', { content: 'x', title: value })).toBe(
          `title must be a string, not ${shown}`,
        );
        expect(await caller.error('todos', { title: 'x', content: value })).toBe(
          `content must be a string, not ${shown}`,
        );
        expect(await caller.error('todos', { title: 'x', priority: value })).toBe(
          'priority must be one of LOW, MEDIUM, HIGH, URGENT',
        );
      });
    }

    for (const body of ['[]', '"text"', '1', 'null', 'true', '[{"text":"x"}]']) {
      test(`a body that is ${body} is rejected: it must be an object`, async () => {
        expect(await caller.error('messages', utf8(body))).toBe(
          'The body must be a JSON object with the fields of a message',
        );
      });
    }

    for (const priority of ['LOW', 'MEDIUM', 'HIGH', 'URGENT']) {
      test(`priority ${priority} is stored`, async () => {
        expect((await caller.stored('todos', { title: 'x', priority })).priority).toBe(priority);
      });
    }

    test('an unknown or lower-case priority is rejected, and the nearest valid one is suggested', async () => {
      const error = (priority: string) => caller.error('todos', { title: 'x', priority });
      expect(await error('high')).toBe('priority must be one of LOW, MEDIUM, HIGH, URGENT; did you mean HIGH?');
      expect(await error('URGNT')).toEndWith('did you mean URGENT?');
      expect(await error('toString')).toBe('priority must be one of LOW, MEDIUM, HIGH, URGENT');
    });
  });

  test('the last value counts for a field that is sent twice, as in common JSON parsers', async () => {
    expect((await caller.stored('messages', utf8('{"text":"first","text":"last"}'))).body).toBe('last');
  });
});
