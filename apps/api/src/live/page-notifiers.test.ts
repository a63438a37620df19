import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { ServerFrame, WorkspaceTopic } from '@hub/contract';
import { type LiveClient, liveClient } from '@hub/testkit/in-process/live-client';
import { post, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { adminJson, memberOf, signedIn, signIn } from '@hub/testkit/in-process/users';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub[Symbol.asyncDispose]());

type WorkspaceChangedFrame = Extract<ServerFrame, { type: 'workspace.changed' }>;
const isWorkspaceChanged = (frame: ServerFrame): frame is WorkspaceChangedFrame => frame.type === 'workspace.changed';
const topicsOf = ({ frames }: LiveClient): WorkspaceTopic[] =>
  frames.filter(isWorkspaceChanged).flatMap(({ topics }) => topics);
const about =
  (topic: WorkspaceTopic) =>
  (frame: ServerFrame): frame is WorkspaceChangedFrame =>
    isWorkspaceChanged(frame) && frame.topics.includes(topic);

/** Returns the topics that an admin is notified of for one action. The client is new, so it gets nothing else. */
async function topicsAfter(action: () => Promise<unknown>): Promise<WorkspaceTopic[]> {
  using client = await liveClient(hub, (await signedIn(hub, { role: 'admin' })).headers);
  await action();
  await client.until(isWorkspaceChanged);
  await client.settled();
  return topicsOf(client);
}

test('every action that changes a list is announced with its topic', async () => {
  const { id: hubId } = await hub.admin.createHub();
  const { id: keyId } = await hub.admin.issueKey({ hubId });
  const { user } = await signedIn(hub);
  expect(await topicsAfter(() => hub.admin.issueKey({ hubId }))).toEqual(['keys']);
  expect(await topicsAfter(() => hub.admin.rotateKey(keyId))).toEqual(['keys']);
  expect(await topicsAfter(() => hub.admin.revokeKey(keyId))).toEqual(['keys']);
  expect(await topicsAfter(() => hub.admin.raw('POST', `/keys/${keyId}/removals`))).toEqual(['keys']);
  expect(await topicsAfter(() => adminJson(hub, 'PATCH', `/hubs/${hubId}`, { name: 'Renamed' }))).toEqual(['hubs']);
  expect(await topicsAfter(() => adminJson(hub, 'POST', `/users/${user.id}/deactivation`))).toEqual(['users']);
  expect(await topicsAfter(() => adminJson(hub, 'PATCH', '/workspace', { name: 'Workshop' }))).toEqual(['workspace']);
});

test('an action that changes no list is announced only as a new audit entry, and only to admins', async () => {
  const { user, ...admin } = await signedIn(hub, { role: 'admin' });
  using watcher = await liveClient(hub, admin.headers);
  using member = await liveClient(hub, (await signedIn(hub)).headers);
  await watcher.settled();
  await signIn(hub, user);
  await watcher.until(about('audit'));
  await adminJson(hub, 'PATCH', '/workspace', { name: 'Audited' });
  await member.until(about('workspace'));
  expect(topicsOf(member)).not.toContain('audit');
});

test('blocking a key is announced, but using a key is not', async () => {
  const { id: hubId } = await hub.admin.createHub();
  const { key } = await hub.admin.issueKey({ hubId });
  using client = await liveClient(hub, (await signedIn(hub, { role: 'admin' })).headers);
  await post(hub, 'messages', key, { text: 'x' });
  await hub.deps.usage.flush(hub.deps.store);
  await client.settled();
  expect(topicsOf(client)).toEqual([]);
  for (let n = 0; n < 60; n += 1) await post(hub, 'messages', key, { text: 'x' });
  await client.until(about('keys'));
});

test('members are notified of key changes in their own Hubs only, and of all other topics', async () => {
  const { id: mine } = await hub.admin.createHub();
  const { id: foreign } = await hub.admin.createHub();
  using client = await liveClient(hub, (await memberOf(hub, mine)).headers);
  await hub.admin.issueKey({ hubId: foreign });
  await signedIn(hub);
  await adminJson(hub, 'PATCH', '/workspace', { name: 'Another name' });
  await client.until(about('workspace'));
  expect(topicsOf(client)).not.toContain('keys');
  expect(topicsOf(client)).toContain('users');
  await hub.admin.issueKey({ hubId: mine });
  await client.until(about('keys'));
});

test('members are not notified of key changes when the workspace restricts keys to admins', async () => {
  const { id: hubId } = await hub.admin.createHub();
  await adminJson(hub, 'PATCH', '/workspace', { membersManageKeys: false });
  try {
    using client = await liveClient(hub, (await memberOf(hub, hubId)).headers);
    await hub.admin.issueKey({ hubId });
    await hub.admin.createHub();
    await client.until(about('hubs'));
    expect(topicsOf(client)).not.toContain('keys');
  } finally {
    await adminJson(hub, 'PATCH', '/workspace', { membersManageKeys: true });
  }
});
