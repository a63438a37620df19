import { expect, test } from 'bun:test';
import type { ServerFrame, WorkspaceTopic } from '@hub/contract';
import { type LiveClient, liveClient } from '@hub/testkit/in-process/live-client';
import { shared } from '@hub/testkit/in-process/shared';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { adminJson, memberOf, signedIn } from '@hub/testkit/in-process/users';
import type { EventRecord } from '../storage/events.ts';
import { FrameQueue } from './client-frames.ts';
import { ReplayedFrames } from './live-frames.ts';

const event = (seq: number, { hubId = 'hub_1', itemId = `msg_${seq}`, at = 0 } = {}): EventRecord => ({
  hubId,
  seq,
  at,
  event: 'message.changed',
  itemId,
  data: null,
  item: null,
});

function replayed(...seqs: number[]): ReplayedFrames {
  const frames = new ReplayedFrames();
  for (const seq of seqs) frames.add(event(seq), { isFresh: true });
  return frames;
}

const seqsAfter = (frames: ReplayedFrames, after: number, limit = 50): number[] =>
  frames.after('hub_1', after, limit).map(({ seq }) => seq);

test('returned frames never have a gap', () => {
  const frames = replayed(1, 2, 4, 5);
  expect(seqsAfter(frames, 0)).toEqual([1, 2]);
  expect(seqsAfter(frames, 2)).toEqual([]);
  expect(seqsAfter(frames, 3)).toEqual([4, 5]);
});

test('a change to an item drops its frames and no others', () => {
  const frames = replayed(1, 2);
  frames.add(event(3, { itemId: 'msg_1' }), { isFresh: true });
  frames.invalidate(event(4, { itemId: 'msg_1' }));
  expect(seqsAfter(frames, 0)).toEqual([]);
  expect(seqsAfter(frames, 1)).toEqual([2]);
  expect(seqsAfter(frames, 2)).toEqual([]);
});

test('a new item makes no frame stale, neither a cached one nor one that is being read', () => {
  const frames = replayed(1, 2);
  const { version } = frames;
  frames.invalidate({ ...event(3), event: 'message.created' });
  expect(seqsAfter(frames, 0)).toEqual([1, 2]);
  expect(frames.version).toBe(version);
  frames.invalidate(event(3));
  expect(frames.version).toBeGreaterThan(version);
});

test('the cache is bounded: older frames are dropped first', () => {
  const frames = new ReplayedFrames();
  const longEvent = (seq: number): EventRecord => event(seq, { itemId: `${seq}${'x'.repeat(1024 * 1024)}` });
  for (let seq = 1; seq <= 7; seq += 1) frames.add(longEvent(seq), { isFresh: true });
  expect(seqsAfter(frames, 0)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  frames.add(longEvent(8), { isFresh: true });
  expect(seqsAfter(frames, 0)).toEqual([]);
  expect(seqsAfter(frames, 7)).toEqual([8]);
});

test('frames from one user are processed in order, and users take turns', async () => {
  const frames = new FrameQueue(new TestClock());
  const done: string[] = [];
  const add = (user: string, name: string) => frames.add(user, async () => void done.push(name));
  for (const name of ['a1', 'a2', 'a3']) add('ada', name);
  for (const name of ['b1', 'b2']) add('bob', name);
  await new Promise(setImmediate);
  expect(done).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
});

const hub = shared(startTestHub);

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
  for (const [topic, method, path, body] of [
    ['keys', 'POST', '/keys', { hubId, name: 'x', scopes: ['messages:create'] }],
    ['keys', 'POST', `/keys/${keyId}/rotation`],
    ['keys', 'POST', `/keys/${keyId}/revocation`],
    ['keys', 'POST', `/keys/${keyId}/removals`],
    ['hubs', 'PATCH', `/hubs/${hubId}`, { name: 'Renamed' }],
    ['users', 'POST', `/users/${user.id}/deactivation`],
    ['workspace', 'PATCH', '/workspace', { name: 'Workshop' }],
  ] as [WorkspaceTopic, string, string, object?][]) {
    expect([path, await topicsAfter(() => adminJson(hub, method, path, body))]).toEqual([path, [topic]]);
  }
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

test('members are not notified of key changes while only admins manage keys', async () => {
  const { id: hubId } = await hub.admin.createHub();
  await adminJson(hub, 'PATCH', '/workspace', { membersManageKeys: false });
  using client = await liveClient(hub, (await memberOf(hub, hubId)).headers);
  await hub.admin.issueKey({ hubId });
  await adminJson(hub, 'PATCH', '/workspace', { name: 'Once more another name' });
  await client.until(about('workspace'));
  expect(topicsOf(client)).not.toContain('keys');
});
