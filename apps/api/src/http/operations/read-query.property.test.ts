import { expect, test } from 'bun:test';
import { bothWays, filter, page } from '@hub/contract/operations/operation';
import fc from 'fast-check';
import { AppError } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import { readQuery } from './read-query.ts';

const values = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.integer().map(String),
  fc.constantFrom(
    '',
    '1',
    '100',
    '101',
    '0',
    '007',
    '1e2',
    ' 5',
    '１',
    'msg_01KJMBQDE0EEZDVQTAEDNWQ638',
    'item_00000000000000000000000000',
  ),
);
const names = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('limit', 'before', 'after', 'hubId') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);
const queries = fc.array(fc.tuple(names, values), { maxLength: 4 });

/** Returns the fields, or the message of the error. Anything else that is thrown fails the test. */
function read<T>(pairs: [string, string][], reader: (request: Request) => T): T | string {
  const query = new URLSearchParams();
  for (const [name, value] of pairs) query.append(name.toWellFormed(), value.toWellFormed());
  const request = new Request(`http://hub.test/api/v1/hubs?${query}`);
  try {
    return reader(request);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${error.code} ${error.message}`;
  }
}

test('a query is accepted if and only if each parameter is known, sent once and valid', () => {
  let good = 0;
  fc.assert(
    fc.property(queries, (pairs) => {
      const result = read(pairs, (request) => readQuery(request, { ...bothWays, hubId: filter('') }));
      const sent = new Map(pairs);
      const [limit, before, after, hubId] = ['limit', 'before', 'after', 'hubId'].map((name) => sent.get(name));
      const isGood =
        sent.size === pairs.length &&
        pairs.every(([name]) => ['limit', 'before', 'after', 'hubId'].includes(name)) &&
        (limit === undefined || (/^\d{1,9}$/.test(limit) && +limit >= 1 && +limit <= 100)) &&
        [before, after].every((cursor) => cursor === undefined || isId(cursor)) &&
        (before === undefined || after === undefined) &&
        hubId !== '' &&
        pairs.every(([, value]) => !value.includes('\0'));
      if (!isGood) {
        expect(result).toBeString();
        expect(result).toStartWith('invalid ');
        expect(String(result).length).toBeLessThan(300);
        expect(String(result)).not.toMatch(/[\p{Cc}\u202a-\u202e]|\p{Cs}/u);
        return;
      }
      good += 1;
      expect(result).toEqual({ limit: limit === undefined ? 50 : +limit, before, after, hubId: hubId?.toWellFormed() });
    }),
    { numRuns: 2_000 },
  );
  expect(good).toBeGreaterThan(20);
});

test('no query makes the reader throw anything but an AppError', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const request = { url: `http://hub.test/api/v1/hubs?${text}` } as Request;
      try {
        expect(readQuery(request, page).limit).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
      }
    }),
    { numRuns: 1_000 },
  );
});
