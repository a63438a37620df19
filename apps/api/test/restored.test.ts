import { describe, expect, test } from 'bun:test';
import type { IssuedInvitation, IssuedLink, Note, ServerFrame } from '@hub/contract';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { type MessagePage, startTeam } from '@hub/testkit/in-process/team';
import { onlyOnSqlite, post, startOnDatabase, startRestored, startTestHub } from '@hub/testkit/in-process/test-hub';
import { adminJson, inspect, signedIn, signIn, tokenIn, tokenOf } from '@hub/testkit/in-process/users';

const isReset = (frame: ServerFrame): frame is Extract<ServerFrame, { type: 'reset' }> => frame.type === 'reset';

describe('a server on a restored backup', () => {
  test('has the content of the backup, and accepts posts with the keys in it', async () => {
    await using team = await startTeam();
    const { id } = await team.message(team.ada, 'kept');
    await team.ada.json('PATCH', `/messages/${id}`, { text: 'kept as edited' });
    const note = await team.note(team.ada, { content: 'C' });
    await team.bob.json('PATCH', `/notes/${note.id}`, { content: 'D' });
    const other = await team.note(team.ada, { content: 'C' });
    await team.hub.admin.raw('PATCH', `/notes/${other.id}`, { content: 'D' });
    await using restored = await startRestored(team.hub);
    await team.message(team.ada, 'written after the backup');
    const ada = await signIn(restored, team.ada.user);
    const list = (await ada.json<MessagePage>('GET', `/hubs/${team.hubId}/messages`)).body;
    expect(list.items.map((item) => item.id)).toEqual([id]);
    expect(list.items[0]).toMatchObject({ text: 'kept as edited', editedBy: null });
    expect((await ada.json<Note>('GET', `/items/${note.id}`)).body.editedBy?.name).toBe('Bob Kahn');
    expect((await ada.json<Note>('GET', `/items/${other.id}`)).body.editedBy).toEqual({
      kind: 'local',
      id: null,
      name: 'local admin',
    });
    expect((await post(restored, 'messages', team.key, { text: 'again' })).status).toBe(201);
    const found = await ada.json<{ items: unknown[] }>('GET', '/search?q=kept');
    expect(found.body.items).toHaveLength(1);
  });

  test('has a new epoch: clients of the original get a reset, even if the server has reached their sequence number again', async () => {
    await using team = await startTeam();
    const { hub, hubId, ada } = team;
    await using before = await liveClient(hub);
    await team.message(ada, 'one');
    await using restored = await startRestored(hub);
    await team.message(ada, 'lost');
    const { epoch } = await before.subscribe(hubId);
    expect((await post(restored, 'messages', team.key, { text: 'another with the same number' })).status).toBe(201);
    await using after = await liveClient(restored);
    after.send({ type: 'subscribe', hubId, after: await team.seq(), epoch });
    const reset = await after.until(isReset);
    expect(reset).toMatchObject({ hubId, seq: await team.seq() });
    expect(reset.epoch).not.toBe(epoch);
  });

  test('rejects earlier sessions and links, and keeps tokens and passwords', async () => {
    await using hub = await startTestHub();
    const ada = await signedIn(hub, { role: 'owner' });
    const token = await tokenOf(hub, ada.user);
    const { body: reset } = await adminJson<IssuedLink>(hub, 'POST', `/users/${ada.user.id}/password-reset`);
    const { body: invitation } = await adminJson<IssuedInvitation>(hub, 'POST', '/invitations', {
      email: 'bob@example.org',
    });
    const secrets = [tokenIn(hub, reset.link, '/reset'), tokenIn(hub, invitation.link, '/join')];
    for (const secret of secrets) expect((await inspect(hub, secret)).status).toBe(200);

    await using restored = await startRestored(hub);
    const fetchMe = (headers: Readonly<Record<string, string>>) => restored.fetch('/api/v1/me', { headers });
    expect((await fetchMe(ada.headers)).status).toBe(401);
    expect((await fetchMe(token.headers)).status).toBe(200);
    for (const secret of secrets) expect((await inspect(restored, secret)).status).not.toBe(200);
    expect((await signIn(restored, ada.user)).user.id).toBe(ada.user.id);
  });

  onlyOnSqlite('a dump does not say when it was taken').test(
    'records in its audit log that it was restored, and when the backup was taken',
    async () => {
      await using hub = await startTestHub();
      const backup = await (await hub.admin.raw('POST', '/backups')).bytes();
      hub.clock.advance(86_400_000);
      await using restored = await startOnDatabase(hub, backup);
      expect((await restored.admin.audit('?limit=1')).items[0]).toMatchObject({
        action: 'workspace.restored',
        at: '2026-03-02T09:30:00.000Z',
        actor: { kind: 'server', id: null },
        address: null,
        details: { takenAt: '2026-03-01T09:30:00.000Z' },
      });
      expect((await restored.admin.status()).lastBackup).toBeNull();
    },
  );
});
