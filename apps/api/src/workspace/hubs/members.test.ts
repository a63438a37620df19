import { expect, test } from 'bun:test';
import type { Member, Todo } from '@hub/contract';
import { perTest } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { createUser, memberOf, signedIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';

const hub = perTest(startTestHub);
const joined = perTest(() => hub.admin.createHub());
const path = () => `/hubs/${joined.id}/members`;
/** An admin who is not a member, a member, and another user. */
const admin = perTest(() => signedIn(hub, { role: 'admin', name: 'Grace' }));
const ada = perTest(() => memberOf(hub, joined.id, { name: 'Ada' }));
const otto = perTest(() => signedIn(hub, { name: 'Otto' }));
const add = (caller: UserCaller, { user }: UserCaller) => caller.json<Member>('POST', path(), { userId: user.id });
const remove = (caller: UserCaller, { user }: UserCaller) => caller.outcome('DELETE', `${path()}/${user.id}`);
const list = async ({ request }: Pick<UserCaller, 'request'>, query: object = {}) => {
  const { items, next } = await request('GET /hubs/{hubId}/members', { hubId: joined.id, query });
  return { names: items.map(({ name }) => name).join(), next };
};
const newestEntry = async () => (await hub.admin.audit('?limit=1')).items[0];

test('adding a member to a Hub gives the user access to the Hub and its members; admins can add themselves, which is audited', async () => {
  const { email, id } = otto.user;
  const shown = { id, name: 'Otto', email, role: 'member', disabledAt: null, joinedAt: '2026-03-01T09:30:00.000Z' };
  expect(await add(admin, otto)).toMatchObject({ status: 201, body: shown as Member });
  expect((await list(otto)).names).toBe('Otto,Ada');
  const read = async () => (await admin.json('GET', `/hubs/${joined.id}/messages`)).status;
  expect([await read(), (await add(admin, admin)).status, await read()]).toEqual([403, 201, 200]);
  const entry = { action: 'member.added', actor: { id: admin.user.id }, targetId: admin.user.id };
  expect(await newestEntry()).toMatchObject(entry);
});

test('adding a member to a Hub returns 404 for an unknown user and 409 for a disabled one', async () => {
  const gone = await createUser(hub, { name: 'Otto Weber' });
  for (const { id } of [gone, ada.user]) await hub.admin.raw('POST', `/users/${id}/deactivation`);
  for (const [userId, outcome] of [
    ['usr_unknown', '404 There is no user usr_unknown.'],
    [undefined, '400 userId is required in a membership'],
    [7, '400 userId '],
    [gone.id, '409 The account of Otto Weber is disabled. Enable it before you add them to a Hub.'],
    // Nothing changes for a member.
    [ada.user.id, '201'],
  ] as const)
    expect(await admin.outcome('POST', path(), { userId })).toStartWith(outcome);
});

test('removing a member from a Hub lets members remove themselves, with a session or a token, and keeps to-dos assigned to them', async () => {
  await add(admin, otto);
  const assignee = { id: ada.user.id, name: 'Ada' };
  const todo = await otto.call('POST', `/hubs/${joined.id}/todos`, { title: 'Renew', assigneeId: assignee.id });
  expect(await remove(ada, ada)).toBe('200');
  expect(await newestEntry()).toMatchObject({ action: 'member.removed', actor: { id: ada.user.id } });
  expect((await otto.call<Todo>('GET', `/items/${todo.id}`)).assignee).toEqual(assignee);
  expect(await remove(await tokenOf(hub, otto.user), otto)).toBe('200');
  expect((await list(admin)).names).toBe('');
});

test('the members of a Hub are listed for members and admins, with pagination', async () => {
  await add(admin, otto);
  for (const { request } of [ada, admin, hub.admin]) expect((await list({ request })).names).toBe('Otto,Ada');
  const next = otto.user.id;
  expect(await list(ada, { limit: 1 })).toEqual({ names: 'Otto', next });
  expect(await list(ada, { limit: 1, before: next })).toEqual({ names: 'Ada', next: null });
});

test('the members of a Hub are removed by admins and themselves only: other members get 403', async () => {
  const third = await memberOf(hub, joined.id);
  const error = '403 Only workspace admins can remove other members from a Hub. You can leave it yourself.';
  expect(await remove(ada, third)).toBe(error);
  expect(await remove(admin, third)).toBe('200');
  expect((await list(admin)).names).toBe('Ada');
});
