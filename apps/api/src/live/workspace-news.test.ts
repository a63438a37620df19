import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { ServerFrame, WorkspaceTopic } from '@hub/contract';
import { type LiveClient, liveClient } from '../testing/live-client.ts';
import { post, startTestHub, type TestHub } from '../testing/start-test-hub.ts';
import { adminJson, memberOf, signedIn, signIn } from '../testing/users.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub[Symbol.asyncDispose]());

type News = Extract<ServerFrame, { type: 'workspace.changed' }>;
const isNew = (frame: ServerFrame): frame is News => frame.type === 'workspace.changed';
const topicsOf = ({ frames }: LiveClient): WorkspaceTopic[] => frames.filter(isNew).flatMap(({ topics }) => topics);
const about =
  (topic: WorkspaceTopic) =>
  (frame: ServerFrame): frame is News =>
    isNew(frame) && frame.topics.includes(topic);

/** What an admin hears of one deed. The clients are new, and so hear of this alone. */
async function heardOf(action: () => Promise<unknown>): Promise<WorkspaceTopic[]> {
  using client = await liveClient(hub, (await signedIn(hub, { role: 'admin' })).headers);
  await action();
  await client.until(isNew);
  await client.settled();
  return topicsOf(client);
}

test('every deed that others see in a list is told by its topic', async () => {
  const { id: hubId } = await hub.admin.createHub();
  const { id: keyId } = await hub.admin.issueKey({ hubId });
  const { user } = await signedIn(hub);
  expect(await heardOf(() => hub.admin.issueKey({ hubId }))).toEqual(['keys']);
  expect(await heardOf(() => hub.admin.rotateKey(keyId))).toEqual(['keys']);
  expect(await heardOf(() => hub.admin.revokeKey(keyId))).toEqual(['keys']);
  expect(await heardOf(() => hub.admin.raw('POST', `/keys/${keyId}/removals`))).toEqual(['keys']);
  expect(await heardOf(() => adminJson(hub, 'PATCH', `/hubs/${hubId}`, { name: 'Renamed' }))).toEqual(['hubs']);
  expect(await heardOf(() => adminJson(hub, 'POST', `/people/${user.id}/deactivation`))).toEqual(['people']);
  expect(await heardOf(() => adminJson(hub, 'PATCH', '/workspace', { name: 'Workshop' }))).toEqual(['workspace']);
});

test('what changes no list is told as news of the audit log, to admins alone', async () => {
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

test('a block is told, the use of a key is not', async () => {
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

test('members hear of the keys of their Hubs alone, and of the rest as everybody', async () => {
  const { id: mine } = await hub.admin.createHub();
  const { id: foreign } = await hub.admin.createHub();
  using client = await liveClient(hub, (await memberOf(hub, mine)).headers);
  await hub.admin.issueKey({ hubId: foreign });
  await signedIn(hub);
  await adminJson(hub, 'PATCH', '/workspace', { name: 'Another name' });
  await client.until(about('workspace'));
  expect(topicsOf(client)).not.toContain('keys');
  expect(topicsOf(client)).toContain('people');
  await hub.admin.issueKey({ hubId: mine });
  await client.until(about('keys'));
});

test('members hear of no keys where the workspace keeps them to admins', async () => {
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
