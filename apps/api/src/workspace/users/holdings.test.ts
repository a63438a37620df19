import { expect, test } from 'bun:test';
import type { Responsibilities, Todo } from '@hub/contract';
import { startTeam } from '@hub/testkit/in-process/team';
import { adminJson, memberOf, outcomeOf, signedIn } from '@hub/testkit/in-process/users';

const nobody = 'usr_01KA3T8Q6V5M0G7ZB4W2N9RXEC';

test('the memberships, keys and to-dos of a user are listed per Hub, even for a disabled account', async () => {
  await using team = await startTeam();
  const { hub, hubId, ada, bob } = team;
  const other = await hub.admin.createHub('Alarms');
  const gone = await hub.admin.createHub('Gone');
  const admin = await memberOf(hub, gone.id, { role: 'admin' });
  for (const id of [gone.id, other.id]) {
    await adminJson(hub, 'POST', `/hubs/${id}/members`, { userId: bob.user.id });
    await bob.json('POST', '/keys', { hubId: id, name: 'of-bob', scopes: ['messages:create'] });
  }
  await adminJson(hub, 'DELETE', `/hubs/${other.id}/members/${bob.user.id}`);
  const { body: revoked } = await bob.json('POST', '/keys', { hubId, name: 'old', scopes: ['notes:create'] });
  await bob.json('POST', `/keys/${String(revoked.id)}/revocation`);
  await bob.json('POST', '/keys', { hubId, name: 'new', scopes: ['notes:create'] });
  const made: Todo[] = [];
  for (const title of ['one', 'two', 'done']) {
    made.push(await team.todo(ada, { title, assigneeId: bob.user.id }));
  }
  await ada.json('PATCH', `/todos/${made[2]?.id}`, { status: 'done' });
  await hub.admin.deleteHub(gone.id);

  const responsibilities = async () =>
    (await admin.json<Responsibilities>('GET', `/users/${bob.user.id}/responsibilities`)).body;
  const expected = {
    items: [
      { hubId: other.id, hubName: 'Alarms', isMember: false, keys: 1, openTodos: 0 },
      { hubId, hubName: 'Releases', isMember: true, keys: 1, openTodos: 2 },
    ],
  };
  expect(await responsibilities()).toEqual(expected);
  await adminJson(hub, 'POST', `/users/${bob.user.id}/deactivation`);
  expect(await responsibilities()).toEqual(expected);
});

test('listing the memberships, keys and to-dos of a user requires an admin, and returns 404 for an unknown user', async () => {
  await using team = await startTeam();
  const path = `/users/${team.bob.user.id}/responsibilities`;
  const admin = await signedIn(team.hub, { role: 'admin' });
  expect(outcomeOf(await admin.json('GET', path))).toBe('200');
  expect(outcomeOf(await team.ada.json('GET', path))).toStartWith('403 Only workspace admins');
  expect(outcomeOf(await admin.json('GET', `/users/${nobody}/responsibilities`))).toStartWith('404 There is no user');
  expect((await team.hub.fetch(`/api/v1${path}`)).status).toBe(401);
});
