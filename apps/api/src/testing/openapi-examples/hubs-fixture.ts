import type { Team } from './users-fixture.ts';

export async function recordHubs({ ada, bob, bobId }: Team): Promise<void> {
  const { id: hubId } = await ada('createHub', { body: { name: 'Deploys' } });
  const path = { hubId };
  await ada('changeHub', { path, body: { name: 'Deployments', retentionDays: 90 } });
  await ada('addMember', { path, body: { personId: bobId } });
  await ada('listMembers', { path });
  await bob('writeMessage', { path, body: { text: 'Build 42 is **out**.' }, isAside: true });
  await bob('writeTodo', { path, body: { title: 'Watch the error rate' }, isAside: true });
  await ada('countHub', { path });
  await ada('previewRetention', { path, query: { retentionDays: 30 } });
  await ada('exportHub', { path });
  await ada('removeMember', { path: { hubId, personId: bobId } });
  await ada('deleteHub', { path });
  await ada('restoreHub', { path });
}
