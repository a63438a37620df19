import { expect, test } from 'bun:test';
import type { IssuedInvitation, IssuedLink, Note } from '@hub/contract';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { startTeam } from '@hub/testkit/in-process/team';
import { onlyOnSqlite, post, startOnDatabase, startRestored, startTestHub } from '@hub/testkit/in-process/test-hub';
import { inspect, signIn, tokenIn, tokenOf } from '@hub/testkit/in-process/users';

test('a server on a restored backup has its content and accepts its keys, tokens and passwords, but no sessions, links or positions in live views', async () => {
  await using team = await startTeam();
  const { hub, hubId, ada, bob } = team;
  const { id } = await team.message(ada, 'kept');
  await ada.json('PATCH', `/messages/${id}`, { text: 'kept as edited' });
  const note = await team.note(ada, { content: 'C' });
  await bob.json('PATCH', `/notes/${note.id}`, { content: 'D' });
  const other = await team.note(ada, { content: 'C' });
  await hub.admin.raw('PATCH', `/notes/${other.id}`, { content: 'D' });
  const token = await tokenOf(hub, ada.user);
  const { body: reset } = await hub.admin.json<IssuedLink>('POST', `/users/${ada.user.id}/password-reset`);
  const { body: invitation } = await hub.admin.json<IssuedInvitation>('POST', '/invitations', { email: 'c@x.org' });
  const links = [tokenIn(hub, reset.link, '/reset'), tokenIn(hub, invitation.link, '/join')];
  for (const link of links) expect((await inspect(hub, link)).status).toBe(200);
  using before = await liveClient(hub);
  const { epoch } = await before.subscribe(hubId);

  await using restored = await startRestored(hub);
  await team.message(ada, 'written after the backup');
  const fetchMe = (headers: Readonly<Record<string, string>>) => restored.fetch('/api/v1/me', { headers });
  expect((await fetchMe(ada.headers)).status).toBe(401);
  expect((await fetchMe(token.headers)).status).toBe(200);
  for (const link of links) expect((await inspect(restored, link)).status).not.toBe(200);
  const again = await signIn(restored, ada.user);
  const list = await again.request('GET /hubs/{hubId}/messages', { hubId });
  expect(list.items.map((item) => item.id)).toEqual([id]);
  expect(list.items[0]).toMatchObject({ text: 'kept as edited', editedBy: null });
  expect((await again.json<Note>('GET', `/items/${note.id}`)).body.editedBy?.name).toBe('Bob Kahn');
  const local = { kind: 'local' as const, id: null, name: 'local admin' };
  expect((await again.json<Note>('GET', `/items/${other.id}`)).body.editedBy).toEqual(local);
  expect((await again.json<{ items: unknown[] }>('GET', '/search?q=kept')).body.items).toHaveLength(1);

  // The server has reached the sequence number of the original again, but in another epoch.
  expect((await post(restored, 'messages', team.key, { text: 'another with the same number' })).status).toBe(201);
  using after = await liveClient(restored);
  after.send({ type: 'subscribe', hubId, after: await team.seq(), epoch });
  const frame = await after.until('reset');
  expect(frame).toMatchObject({ hubId, seq: await team.seq() });
  expect(frame.epoch).not.toBe(epoch);
});

onlyOnSqlite('a dump does not say when it was taken').test(
  'a restored server records in its audit log that it was restored, and when the backup was taken',
  async () => {
    await using hub = await startTestHub();
    const backup = await (await hub.admin.raw('POST', '/backups')).bytes();
    hub.clock.advance(86_400_000);
    await using restored = await startOnDatabase(hub, backup);
    expect((await restored.admin.audit('?limit=1')).items[0]).toMatchObject({
      action: 'workspace.restored',
      at: '2026-03-02T09:30:00.000Z',
      details: { takenAt: '2026-03-01T09:30:00.000Z' },
    });
    expect((await restored.admin.status()).lastBackup).toBeNull();
  },
);
