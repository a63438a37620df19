import { describe, expect, test } from 'bun:test';
import { bothWays, filter } from '@hub/contract/operations/operation';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import fc from 'fast-check';
import { AppError } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import { readQuery } from './read-query.ts';

describe('the query of a list is rejected with a message that says what to change, if', () => {
  const hub = shared(startTestHub);

  const FORM = 'before must be the value of next from the previous page, unchanged';
  const cases: [string, string, string][] = [
    ['before is empty', 'before=', FORM],
    ['before is not an id', 'before=zzz', FORM],
    ['before is an id in another case', 'before=hub_01ka3t8q6v5m0g7zb4w2n9rxec', FORM],
    ['before has characters after an id', 'before=hub_01KA3T8Q6V5M0G7ZB4W2N9RXEC0', FORM],
    ['a parameter is sent twice', 'limit=1&limit=2', 'limit is sent 2 times; send it once'],
    ['a parameter is sent twice with the same value', 'before=&before=', 'before is sent 2 times; send it once'],
    ['limit is empty', 'limit=', 'limit must be a whole number from 1 to 100'],
    ['limit is above the maximum', 'limit=101', 'limit must be a whole number from 1 to 100'],
    ['a value contains NUL', 'before=%00', 'before contains a NUL character (U+0000): remove it'],
    ['a value is not UTF-8', 'before=%C3', 'before is not valid UTF-8: send percent-encoded UTF-8'],
    ['a parameter is unknown', 'befor=x', 'befor is not a known parameter of this list; did you mean before?'],
  ];
  test.each(cases)('%s', async (_, query, message) => {
    for (const list of ['/hubs', '/keys', '/audit']) {
      const response = await hub.admin.raw('GET', `${list}?${query}`);
      expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([400, message]);
    }
  });
});

test('an empty id filter is rejected in every list', async () => {
  await using hub = await startTestHub();
  const { id } = await hub.admin.createHub();
  const lists = [
    ['/keys', 'hubId'],
    ['/audit', 'hubId'],
    ['/audit', 'actorId'],
    ['/stream', 'hubId'],
    ['/stream', 'keyId'],
    ['/search?q=x', 'authorId'],
    [`/hubs/${id}/todos`, 'assigneeId'],
    [`/hubs/${id}/notes`, 'keyId'],
  ] as const;
  for (const [list, name] of lists) {
    const response = await hub.admin.raw('GET', `${list}${list.includes('?') ? '&' : '?'}${name}=`);
    const { message } = (await response.json()) as { message: string };
    expect([list, response.status, message]).toEqual([list, 400, `${name} is empty: send an id or omit the parameter`]);
  }
});

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
