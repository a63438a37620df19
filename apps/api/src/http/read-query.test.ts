import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startTestHub, type TestHub } from '../testing/start-test-hub.ts';

describe('the query of a list is refused, with what to change, if', () => {
  let hub: TestHub;
  beforeAll(async () => {
    hub = await startTestHub();
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  const FORM = 'before must be the next of the page before, as it was given';
  const cases: [string, string, string][] = [
    ['before is empty', 'before=', FORM],
    ['before is no id', 'before=zzz', FORM],
    ['before is an id in another case', 'before=hub_01ka3t8q6v5m0g7zb4w2n9rxec', FORM],
    ['before goes on after an id', 'before=hub_01KA3T8Q6V5M0G7ZB4W2N9RXEC0', FORM],
    ['a parameter is there twice', 'limit=1&limit=2', 'limit is given 2 times; give it once'],
    ['a parameter is there twice, with the same value', 'before=&before=', 'before is given 2 times; give it once'],
    ['limit is empty', 'limit=', 'limit must be a whole number from 1 to 100'],
    ['limit is beyond what a page holds', 'limit=101', 'limit must be a whole number from 1 to 100'],
    ['a value holds NUL', 'before=%00', 'before holds a NUL character (U+0000): take it out'],
    [
      'a value is not UTF-8',
      'before=%C3',
      'before is not valid UTF-8: encode its characters as UTF-8, then with percent signs',
    ],
    ['it names what the list does not know', 'befor=x', 'befor is not a parameter of this list; did you mean before?'],
  ];
  test.each(cases)('%s', async (_, query, message) => {
    for (const list of ['/hubs', '/keys', '/audit']) {
      const response = await hub.admin.raw('GET', `${list}?${query}`);
      expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([400, message]);
    }
  });
});

test('an id to filter by is not empty, in any list', async () => {
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
    expect([list, response.status, message]).toEqual([list, 400, `${name} is empty: give an id, or leave it out`]);
  }
});

test('an id that no item has, or has no longer, still says where a page begins', async () => {
  await using hub = await startTestHub();
  await hub.admin.createHub();
  expect((await hub.admin.listHubs('?before=hub_00000000000000000000000000')).items).toEqual([]);
});
