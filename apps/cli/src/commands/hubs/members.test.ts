import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Member } from '@hub/contract';
import { temporaryHome } from '@hub/testkit/cli/files';
import { createUser, memberOf, startTestHub, type TestHub } from '@hub/testkit/cli/hub';
import { type RunOptions, runHubctl } from '@hub/testkit/cli/run-hubctl';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub[Symbol.asyncDispose]());

const hubctl = (argv: string[], options: RunOptions = {}) =>
  runHubctl(['hubs', 'members', ...argv], { ...options, env: { HUB_ADMIN_SOCKET: hub.socketPath, ...options.env } });

const names = async (hubId: string) =>
  (await hubctl(['list', hubId, '--json'])).json<{ items: Member[] }>().items.map(({ name }) => name);

describe('hubs members', () => {
  test('add accepts names and IDs, and changes nothing for an existing member', async () => {
    const { id } = await hub.admin.createHub('Let in');
    const user = await createUser(hub, { name: 'Ida' });
    expect((await hubctl(['add', 'Let in', user.email, '--json'])).json()).toMatchObject({ id: user.id, name: 'Ida' });
    expect((await hubctl(['add', id, 'Ida'])).stdout).toBe(`Ida (${user.email}) is now a member of Hub Let in\n`);
    expect(await names(id)).toEqual(['Ida']);
    expect((await hubctl(['list', 'Let in'])).stdout).toContain(user.email);
  });

  test('remove removes a member, and fails for users who are not members', async () => {
    const { id } = await hub.admin.createHub('Taken out');
    const { user: account } = await memberOf(hub, id, { name: 'Otto' });
    const stranger = await createUser(hub, { name: 'Stranger' });
    for (const reference of [stranger.email, stranger.id]) {
      const ran = await hubctl(['remove', id, reference]);
      expect([ran.code, ran.stderr.includes('no user')]).toEqual([1, false]);
      expect(ran.stderr).toContain(`${reference} is not a member of Hub Taken out.`);
      expect(ran.stderr).toContain(`hubctl hubs members list ${id}`);
    }
    expect((await hubctl(['remove', id, 'otto'])).stderr).toContain(`Did you mean Otto (${account.email})?`);
    expect((await hubctl(['remove', id, account.id, '--json'])).json()).toMatchObject({ id: account.id });
    expect(await names(id)).toEqual([]);
    expect((await hubctl(['list', id])).stderr).toContain(`hubctl hubs members add ${id} USER`);
  });

  test('lets a member leave, but not add others', async () => {
    using home = temporaryHome();
    const { id } = await hub.admin.createHub('Left');
    const { user: account } = await memberOf(hub, id, { name: 'Lea' });
    await home.hubctl(['login', hub.url], { responses: [account.email, account.password] });
    expect((await home.hubctl(['hubs', 'members', 'add', 'Left', 'Lea'])).code).toBe(4);
    expect((await home.hubctl(['hubs', 'members', 'remove', 'Left', 'Lea'])).code).toBe(0);
    expect(await names(id)).toEqual([]);
  });
});
