import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { post, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { adminJson, memberOf, signedIn } from '@hub/testkit/in-process/users';

let hub: TestHub;
beforeEach(async () => {
  hub = await startTestHub();
});
afterEach(() => hub[Symbol.asyncDispose]());

const change = (body: object) => adminJson(hub, 'PATCH', '/workspace', body);

describe('the workspace', () => {
  test('is visible to every member and can be changed by admins only', async () => {
    const [member, admin] = [await signedIn(hub), await signedIn(hub, { role: 'admin' })];
    const before = { name: 'Hub', botName: 'Bot', membersManageKeys: true, longestKeyLifetimeDays: null };
    expect((await member.json('GET', '/workspace')).body).toEqual(before);
    expect((await member.json('PATCH', '/workspace', { name: 'x' })).status).toBe(403);
    expect((await hub.fetch('/api/v1/workspace')).status).toBe(401);
    const changed = await admin.json('PATCH', '/workspace', { name: ' Example Ltd ', membersManageKeys: false });
    expect(changed.body).toEqual({ ...before, name: 'Example Ltd', membersManageKeys: false });
    expect((await member.json('GET', '/workspace')).body).toEqual(changed.body);
    expect((await hub.admin.audit('?limit=1')).items[0]).toMatchObject({
      action: 'workspace.changed',
      actor: { id: admin.user.id },
      details: {
        from: { name: 'Hub', membersManageKeys: true },
        to: { name: 'Example Ltd', membersManageKeys: false },
      },
    });
  });

  test('shows a new bot name on all of its posts immediately', async () => {
    const { id: hubId } = await hub.admin.createHub();
    const { key } = await hub.admin.issueKey({ hubId });
    await post(hub, 'messages', key, { text: 'before' });
    await change({ botName: 'Release bot' });
    await post(hub, 'messages', key, { text: 'after' });
    const member = await memberOf(hub, hubId);
    const { body } = await member.json<{ items: { author: { name: string } }[] }>('GET', `/hubs/${hubId}/messages`);
    expect(body.items.map(({ author }) => author.name)).toEqual(['Release bot', 'Release bot']);
  });
});
