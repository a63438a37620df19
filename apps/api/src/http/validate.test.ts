import { describe, expect, test } from 'bun:test';
import { ChangeMeBody } from '@hub/contract';
import { shared } from '@hub/testkit/in-process/shared';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { startTestHub } from '@hub/testkit/in-process/test-hub';

import fc from 'fast-check';
import { AppError } from '../platform/errors.ts';
import { hiddenCharacter } from '../platform/hidden-character.ts';
import { BodyWatch } from './body-watch.ts';
import { fieldProblem } from './explain.ts';
import { readJsonBody } from './read-body.ts';
import { beginRequest } from './request-context.ts';

test.each([
  ['plain letters', 'Ada Lovelace'],
  ['accents that are written by themselves', 'Jose\u0301'],
  ['an emoji of one character', '👍 Ada'],
  ['an emoji that is put together', '👩‍❤️‍💋‍👨'],
  ['the same without its selector, and a colour of skin', '👩‍❤‍💋‍👨👩🏽‍🚀'],
  ['a flag made of tags', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ['a rainbow flag', '🏳️‍🌈'],
  ['a keycap', '1️⃣'],
  ['a heart in color', '❤️'],
  ['a Persian non-joiner', 'می\u200cخواهم'],
  ['a Sinhala joiner', 'ශ්\u200dරී'],
  ['a Hindi joiner', 'क्\u200dष'],
  ['a Malayalam final consonant in its old form', 'മോഹന്\u200d'],
  ['a Mongolian variation', 'ᠭ\u180bᠠ'],
  ['a variant form in a Japanese family name', '葛\u{e0100}城'],
])('a name can contain %s', (_, name) => expect(hiddenCharacter(name)).toBeNull());

describe('a name cannot contain', () => {
  test.each([
    ['a zero-width space alone', '\u200b'],
    ['a zero-width space between words', 'Ada\u200b Lovelace'],
    ['a Hangul filler', '\u3164'],
    ['a joiner between Latin letters', 'A\u200dda'],
    ['a non-joiner at the end', 'Ada\u200c'],
    ['a joiner at the end of an emoji', '👍\u200d'],
    ['a variation selector after an emoji that has no other form', '👍\ufe0f'],
    ['a variation selector after a letter', 'Ada\ufe0f'],
    ['tag characters on their own', 'Ada\u{e0041}'],
    ['a Han variation selector after a letter', 'Ada\u{e0100}'],
    ['two non-joiners', 'می\u200c\u200cخ'],
  ])('%s', (_, name) => {
    expect(hiddenCharacter(name)).not.toBeNull();
    const problem = /^name cannot contain invisible characters: remove U\+[0-9A-F]{4,5}$/;
    expect(fieldProblem(ChangeMeBody.properties.name, 'name', name)).toMatch(problem);
  });

  test('an invisible character on its own, whether or not the published pattern excludes it', () => {
    for (let code = 1; code < 0x110000; code += 1) {
      const name = `Ada${String.fromCodePoint(code)}`;
      if (!/[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(name)) continue;
      if (fieldProblem(ChangeMeBody.properties.name, 'name', name) === null) throw new Error(`U+${code.toString(16)}`);
    }
  });
});

const BOM = [0xef, 0xbb, 0xbf];

async function read(bytes: Uint8Array, isChunked: boolean): Promise<unknown> {
  const body = isChunked ? new Blob([bytes]).stream() : bytes;
  const headers = { 'content-type': 'application/json', ...(!isChunked && { 'content-length': `${bytes.length}` }) };
  const request = new Request('http://hub.test/', { method: 'POST', body, headers });
  const connection = { transport: 'public', address: '192.0.2.1', origin: 'http://hub.test', startedAt: 0 } as const;
  const bodies = new BodyWatch(new TestClock());
  beginRequest(request, connection).begin('req_test', bodies);
  try {
    return { value: await readJsonBody(request) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, message: error.message };
  }
}

test('JSON is parsed unchanged, with and without a byte order mark, whole and in chunks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.boolean(), fc.boolean(), async (value, hasBom, isChunked) => {
      const bytes = new Uint8Array([...(hasBom ? BOM : []), ...new TextEncoder().encode(JSON.stringify(value))]);
      expect(await read(bytes, isChunked)).toEqual({ value: JSON.parse(JSON.stringify(value)) });
    }),
    { numRuns: 200 },
  );
});

test('any bytes are either parsed or rejected as invalid with a printable message', async () => {
  const almost = fc.tuple(fc.jsonValue(), fc.nat(), fc.nat(255)).map(([value, at, byte]) => {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    bytes[at % bytes.length] = byte;
    return bytes;
  });
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array(), almost), async (bytes) => {
      const result = (await read(bytes, false)) as { code?: string; message?: string };
      const parsed = await Promise.try(() => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))).then(
        (value: unknown) => ({ value }),
        () => ({ code: 'invalid', message: expect.not.stringMatching(/[\p{Cc}\u202a-\u202e]|\p{Cs}|.{400}/u) }),
      );
      expect(result).toEqual(parsed as never);
    }),
    { numRuns: 1_000 },
  );
});

const hub = shared(startTestHub);
const FORM = 'before must be the value of next from the previous page, unchanged';

test.each([
  ['before=', FORM],
  ['before=zzz', FORM],
  ['before=hub_01ka3t8q6v5m0g7zb4w2n9rxec', FORM],
  ['before=hub_01KA3T8Q6V5M0G7ZB4W2N9RXEC0', FORM],
  ['limit=1&limit=2', 'limit is sent 2 times; send it once'],
  ['before=&before=', 'before is sent 2 times; send it once'],
  ['limit=', 'limit must be a whole number from 1 to 100'],
  ['limit=101', 'limit must be a whole number from 1 to 100'],
  ['before=%00', 'before contains a NUL character (U+0000): remove it'],
  ['before=%C3', 'before is not valid UTF-8: send percent-encoded UTF-8'],
  ['befor=x', 'befor is not a known parameter of this list; did you mean before?'],
])('a list with the query %s is rejected with a message that says what to change', async (query, message) => {
  for (const list of ['/hubs', '/keys', '/audit']) {
    expect(await hub.admin.outcome('GET', `${list}?${query}`)).toBe(`400 ${message}`);
  }
});

test('an empty id filter is rejected in every list', async () => {
  const { id } = await hub.admin.createHub();
  const ofItems = [`/hubs/${id}/todos?assigneeId=`, `/hubs/${id}/notes?keyId=`, '/search?q=x&authorId='];
  const others = '/keys?hubId= /audit?hubId= /audit?actorId= /stream?hubId= /stream?keyId='.split(' ');
  for (const list of [...ofItems, ...others]) {
    const name = list.slice(0, -1).split(/[?&]/).at(-1);
    const message = `400 ${name} is empty: send an id or omit the parameter`;
    expect([list, await hub.admin.outcome('GET', list)]).toEqual([list, message]);
  }
});
