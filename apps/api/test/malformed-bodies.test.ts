import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { LIMITS } from '@hub/contract';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';

const utf8 = (text: string) => new TextEncoder().encode(text);

describe('bodies that are not JSON in UTF-8', () => {
  let hub: TestHub;
  let caller: Awaited<ReturnType<typeof publicCaller>>;
  beforeAll(async () => {
    hub = await startTestHub();
  });
  beforeEach(async () => {
    caller = await publicCaller(hub);
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  const malformed: [string, string, RegExp][] = [
    ['nothing', '', /^The body is empty. Send a JSON object\.$/],
    ['spaces', ' \n ', /^The body is empty/],
    ['half an object', '{"text": "x"', /^The body is not valid JSON: /],
    ['single quotes', "{'text': 'x'}", /Single quotes/],
    ['a trailing comma', '{"text": "x",}', /not valid JSON/],
    ['two documents', '{"text": "x"} {"text": "y"}', /unexpected content after the JSON value/],
    ['a line break inside a string', '{"text": "a\nb"}', /line break inside a string as \\n/],
    ['NaN', '{"text": NaN}', /not valid JSON/],
    ['a comment', '{"text": "x"} // why', /not valid JSON/],
    ['a form', 'text=x', /not valid JSON/],
    ['brackets to the limit, never closed', '['.repeat(LIMITS.bodyBytes), /not valid JSON/],
    ['objects to the limit, never closed', '{"a":'.repeat(200_000), /not valid JSON/],
  ];
  for (const [name, body, message] of malformed) {
    test(`${name}: returns 400 with a message that says what is wrong`, async () => {
      const error = await caller.error('messages', utf8(body));
      expect(error).toMatch(message);
      expect(error.length).toBeLessThan(400);
    });
  }

  test('truncates what the parser quotes from the body', async () => {
    expect((await caller.error('messages', utf8(`{"text": ${'w'.repeat(100_000)}}`))).length).toBeLessThan(300);
  });

  test('rejects half a million balanced brackets with an ordinary validation error', async () => {
    const nested = '['.repeat(500_000) + ']'.repeat(500_000);
    expect(await caller.error('messages', utf8(`{"text":${nested}}`))).toBe('text must be a string, not an array');
    expect(await caller.error('messages', utf8(nested))).toContain('must be a JSON object');
    expect(await caller.error('messages', utf8(`{"blocks":[{"type":"x","data":{"a":${nested}}}]}`))).toMatch(
      /^blocks\[0\]\.data.* is nested too deeply: depth \d+, and the limit is 8$/,
    );
  });

  test('rejects 70,000 unknown fields', async () => {
    const fields = Array.from({ length: 70_000 }, (_, index) => `"f${index}":1`).join(',');
    expect(await caller.error('messages', utf8(`{${fields}}`))).toContain('and 69995 more are not fields of a message');
  });

  for (const [kind, field] of [
    ['messages', 'text'],
    ['notes', 'content'],
    ['notes', 'title'],
    ['todos', 'title'],
    ['todos', 'content'],
  ] as const) {
    test(`returns 400 with the field name for a lone surrogate or a NUL in ${field} of ${kind}`, async () => {
      const required = kind === 'notes' ? '"content":"c",' : kind === 'todos' ? '"title":"t",' : '';
      const only = (value: string) => utf8(`{${required}"${field}":"a${value}b"}`);
      for (const surrogate of ['\\ud800', '\\udc00', '\\udc00\\ud800']) {
        expect(await caller.error(kind, only(surrogate))).toStartWith(`${field} contains a lone surrogate`);
      }
      expect(await caller.error(kind, only('\\u0000'))).toStartWith(`${field} contains a NUL character`);
    });
  }

  test('accepts a surrogate pair written as two escapes', async () => {
    expect((await caller.stored('messages', utf8('{"text":"\\ud83d\\ude00"}'))).body).toBe('😀');
  });

  for (const [name, bytes] of [
    ['a byte that begins nothing', [0xff]],
    ['a character cut short', [0xe2, 0x82]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate as UTF-8 (CESU-8)', [0xed, 0xa0, 0x80]],
    ['Latin-1', [0xe9]],
  ] as const) {
    test(`returns 400 for invalid UTF-8: ${name}`, async () => {
      const body = Buffer.concat([utf8('{"text":"a'), Uint8Array.from(bytes), utf8('b"}')]);
      expect(await caller.error('messages', body)).toBe(
        'The body is not valid UTF-8. Send JSON text encoded as UTF-8.',
      );
    });
  }

  test('returns 400 for UTF-16', async () => {
    await caller.error('messages', Buffer.from('\ufeff{"text":"x"}', 'utf16le'));
  });

  test('accepts a leading byte order mark, which is not part of the text', async () => {
    expect((await caller.stored('messages', utf8('\ufeff{"text":"x"}'))).body).toBe('x');
  });

  test('accepts white space around the object', async () => {
    expect((await caller.stored('messages', utf8('\r\n {"text":"x"} \n'))).body).toBe('x');
  });
});
