import { describe, expect, test } from 'bun:test';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';

const hub = shared(startTestHub);

describe('the query of a list is rejected with a message that says what to change, if', () => {
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
