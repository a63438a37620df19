import { expect, test } from 'bun:test';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { adminJson, outcomeOf } from '@hub/testkit/in-process/users';

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
    expect(outcomeOf(await adminJson(hub, 'GET', `${list}?${query}`))).toBe(`400 ${message}`);
  }
});

test('an empty id filter is rejected in every list', async () => {
  const { id } = await hub.admin.createHub();
  const items = [`/hubs/${id}/todos?assigneeId=`, `/hubs/${id}/notes?keyId=`, '/search?q=x&authorId='];
  for (const list of [
    '/keys?hubId=',
    '/audit?hubId=',
    '/audit?actorId=',
    '/stream?hubId=',
    '/stream?keyId=',
    ...items,
  ]) {
    const name = list.slice(0, -1).split(/[?&]/).at(-1);
    const message = `400 ${name} is empty: send an id or omit the parameter`;
    expect([list, outcomeOf(await adminJson(hub, 'GET', list))]).toEqual([list, message]);
  }
});
