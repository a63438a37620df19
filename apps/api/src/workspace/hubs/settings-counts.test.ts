import { describe, expect, test } from 'bun:test';
import type { Hub, RetentionPreview } from '@hub/contract';
import { startTeam } from '@hub/testkit/in-process/team';
import { adminJson, memberOf, outcomeOf, signedIn } from '@hub/testkit/in-process/users';

const DAY_MS = 86_400_000;

describe('the list of Hubs with include=counts', () => {
  test('has the number of members, and the number of keys for callers who manage keys', async () => {
    await using team = await startTeam();
    const { hub, hubId, bob } = team;
    const admin = await signedIn(hub, { role: 'admin' });
    const { id } = await hub.admin.issueKey({ hubId });
    await hub.admin.issueKey({ hubId });
    await adminJson(hub, 'POST', `/keys/${id}/revocation`);
    const first = async (caller: typeof bob, query = '?include=counts') =>
      (await caller.json<{ items: Hub[] }>('GET', `/hubs${query}`)).body.items[0];
    expect(await first(admin)).toMatchObject({ id: hubId, memberCount: 2, keyCount: 2, isMember: false });
    expect(await first(bob)).toMatchObject({ memberCount: 2, keyCount: 2 });
    await adminJson(hub, 'PATCH', '/workspace', { membersManageKeys: false });
    expect(await first(bob)).toMatchObject({ memberCount: 2, keyCount: null });
    expect(await first(admin, '')).not.toHaveProperty('memberCount');
    expect(outcomeOf(await admin.json('GET', '/hubs?include=all'))).toBe('400 include must be one of counts');
  });
});

describe('the preview of a retention period', () => {
  test('counts the messages, notes and to-dos that are older than the period', async () => {
    await using team = await startTeam();
    const { hub, hubId, ada } = team;
    const admin = await signedIn(hub, { role: 'admin' });
    const old = await team.message(ada, 'old');
    await team.reply(ada, old, 'a reply goes with it');
    await team.note(ada, { content: 'old' });
    hub.clock.advance(10 * DAY_MS);
    await team.todo(ada, { title: 'young' });
    const preview = async (days: unknown) =>
      (await admin.json<RetentionPreview>('GET', `/hubs/${hubId}/retention-preview?retentionDays=${days}`)).body;
    expect(await preview(5)).toEqual({ hubId, retentionDays: 5, items: 2 });
    expect((await preview(30)).items).toBe(0);
    expect((await team.messages()).items).toHaveLength(1);
  });

  test('requires an admin, an existing Hub and a valid number of days', async () => {
    await using team = await startTeam();
    const { hub, hubId } = team;
    const admin = await memberOf(hub, hubId, { role: 'admin' });
    const path = `/hubs/${hubId}/retention-preview`;
    expect(outcomeOf(await team.ada.json('GET', `${path}?retentionDays=5`))).toStartWith('403 Only workspace admins');
    expect(outcomeOf(await admin.json('GET', path))).toBe('400 retentionDays is required');
    for (const days of ['0', '-1', '1.5', 'x', '36501']) {
      expect(outcomeOf(await admin.json('GET', `${path}?retentionDays=${days}`))).toBe(
        '400 retentionDays must be a whole number from 1 to 36500',
      );
    }
    const none = '/hubs/hub_01KA3T8Q6V5M0G7ZB4W2N9RXEC/retention-preview?retentionDays=5';
    expect(outcomeOf(await admin.json('GET', none))).toStartWith('404 There is no Hub');
    expect((await hub.fetch(`/api/v1${path}?retentionDays=5`)).status).toBe(401);
  });
});
