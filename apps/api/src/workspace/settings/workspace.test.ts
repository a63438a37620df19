import { expect, test } from 'bun:test';
import { shared } from '@hub/testkit/in-process/shared';
import { post, startTestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf, signedIn } from '@hub/testkit/in-process/users';

const hub = shared(startTestHub);

test('the settings of the workspace are visible to every member and can be changed by admins only', async () => {
  const [member, admin] = [await signedIn(hub), await signedIn(hub, { role: 'admin' })];
  const from = { name: 'Hub', membersManageKeys: true };
  const before = { ...from, botName: 'Bot', longestKeyLifetimeDays: null, secondFactor: 'optional' };
  expect((await member.json('GET', '/workspace')).body).toEqual(before);
  const to = { name: 'Example Ltd', membersManageKeys: false };
  const changed = await admin.json('PATCH', '/workspace', { ...to, name: ' Example Ltd ' });
  expect(changed.body).toEqual({ ...before, ...to });
  expect((await member.json('GET', '/workspace')).body).toEqual(changed.body);
  const entry = { action: 'workspace.changed', actor: { id: admin.user.id }, details: { from, to } };
  expect((await hub.admin.audit('?limit=1')).items).toMatchObject([entry]);
});

test('a new name of the bot shows on all of its posts immediately', async () => {
  const { key, hubId } = await hub.admin.issueKey();
  await post(hub, 'messages', key, { text: 'before' });
  await hub.admin.json('PATCH', '/workspace', { botName: 'Release bot' });
  await post(hub, 'messages', key, { text: 'after' });
  const member = await memberOf(hub, hubId);
  const { body } = await member.json<{ items: { author: { name: string } }[] }>('GET', `/hubs/${hubId}/messages`);
  expect(body.items.map(({ author }) => author.name)).toEqual(['Release bot', 'Release bot']);
});
