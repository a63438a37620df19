import { describe, expect, test } from 'bun:test';
import type { Hub } from '@hub/contract';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { createUser, memberOf } from '@hub/testkit/in-process/users';
import { startScriptedServer } from '@hub/testkit/scripted-server';
import { errorOf, type RunOptions, runHubctl } from '../../../test/run-hubctl.ts';

describe('hubs', () => {
  const hub = shared(startTestHub);

  const hubctl = (argv: string[], options: RunOptions = {}) =>
    runHubctl(argv, { ...options, env: { HUB_ADMIN_SOCKET: hub.socketPath, ...options.env } });

  describe('hubs create', () => {
    test('exits with 1 if a live Hub has the name, whatever its case', async () => {
      await hub.admin.createHub('Single');
      const message = 'error: There is already a Hub named “Single”. ';
      const created = await hubctl(['hubs', 'create', 'single']);
      expect(created.stderr).toStartWith(`${message}Choose another name.\n`);
      const error = errorOf(await hubctl(['hubs', 'create', 'Single', '--json']));
      expect(error).toMatchObject({ code: 'conflict', statusCode: 409, exitCode: 1 });
    });
  });

  describe('hubs list', () => {
    test('lists live, deleted or all Hubs by --state', async () => {
      const gone = await hub.admin.createHub('Gone');
      await hub.admin.deleteHub(gone.id);
      const names = async (...flags: string[]) => (await hubctl(['hubs', 'list', ...flags])).stdout;
      expect(await names()).not.toContain('Gone');
      expect(await names('--state', 'deleted')).toContain(gone.id);
      expect(await names('--state', 'all')).toContain('Gone');
    });

    test('strips terminal escapes from names in text, and keeps the names intact in JSON', async () => {
      const name = 'a\x1b]52;c;eA==\x07\x9b31m\u202eb';
      const item = { id: 'hub_1', name, createdAt: '2026-03-01T09:30:00.000Z', deletedAt: null };
      await using server = startScriptedServer(() => Response.json({ items: [item], next: null }));
      const users = await runHubctl(['hubs', 'list', '--data-dir', server.dataDir]);
      expect(users.stdout).toContain('ab    hub_1');
      const program = await runHubctl(['hubs', 'list', '--json', '--data-dir', server.dataDir]);
      expect(program.stdout).not.toMatch(/[\x80-\x9f\u202e]/);
      expect(program.json<{ items: Hub[] }>().items[0]?.name).toBe(name);
    });
  });

  describe('a Hub reference', () => {
    test('exits with 1 and suggests the nearest spelling if there is no such Hub', async () => {
      await hub.admin.createHub('Canary');
      for (const name of ['canary', 'Cnary']) {
        const stderr = expect.stringContaining('Did you mean "Canary"?');
        expect(await hubctl(['hubs', 'show', name])).toMatchObject({ code: 1, stderr });
      }
      expect((await hubctl(['hubs', 'show', 'Nothing like it'])).stderr).toContain('To list them: hubctl hubs list');
      expect((await hubctl(['hubs', 'show', 'hub_01KA3T8Q6V5M0G7ZB4W2N9RXEC'])).code).toBe(1);
    });
  });

  const change = (argv: string[], options?: RunOptions) => hubctl(['hubs', 'edit', ...argv], options);

  test('hubs edit sets the name, and sets or removes the topic and the retention', async () => {
    const { id } = await hub.admin.createHub('Changed');
    const both = await change([id, '--name', 'Changed name', '--retention', '90', '--yes', '--json']);
    expect(both.json()).toMatchObject({ id, name: 'Changed name', retentionDays: 90 });
    expect((await change(['Changed name', '--retention', 'none'])).stdout).toContain('keeps items forever');
    const renamed = await change(['Changed name', '--name', 'Another name', '--json']);
    expect(renamed.json()).toMatchObject({ retentionDays: null });
    const topic = 'Runbook: https://wiki.example.com/x';
    expect((await change([id, '--topic', topic, '--json'])).json()).toMatchObject({ topic, name: 'Another name' });
    expect((await hubctl(['hubs', 'show', id])).stdout).toContain(topic);
    expect((await change([id, '--no-topic', '--json'])).json()).toMatchObject({ topic: null });
    expect((await hubctl(['hubs', 'create', 'With topic', '--topic', topic, '--json'])).json()).toMatchObject({
      topic,
    });
  });

  test('a shorter retention needs confirmation or --yes; a longer one does not', async () => {
    const { id } = await hub.admin.createHub('Kept');
    const rejected = await change([id, '--retention', '30', '--json']);
    expect(errorOf(rejected)).toMatchObject({ exitCode: 2, message: expect.stringContaining('--yes') });
    const no = await change([id, '--retention', '30'], { responses: [false] });
    expect(no).toMatchObject({ code: 1, asked: [expect.stringContaining('older than 30 days')] });
    expect((await change([id, '--retention', '30'], { responses: [true] })).code).toBe(0);
    expect((await change([id, '--retention', '29', '--json'])).code).toBe(2);
    expect((await change([id, '--retention', '31', '--json'])).json()).toMatchObject({ retentionDays: 31 });
  });

  const names = async (hubId: string) =>
    (await hub.admin.all('GET /hubs/{hubId}/members', { hubId })).map(({ name }) => name);

  const members = (argv: string[]) => hubctl(['hubs', 'members', ...argv]);

  describe('hubs members', () => {
    test('add accepts names and IDs, and changes nothing for an existing member', async () => {
      const { id } = await hub.admin.createHub('Let in');
      const user = await createUser(hub, { name: 'Ida' });
      const added = await members(['add', 'Let in', user.email, '--json']);
      expect(added.json()).toMatchObject({ id: user.id, name: 'Ida' });
      expect((await members(['add', id, 'Ida'])).stdout).toBe(`Ida (${user.email}) is now a member of Hub Let in\n`);
      expect(await names(id)).toEqual(['Ida']);
      expect((await members(['list', 'Let in'])).stdout).toContain(user.email);
    });

    test('remove removes a member, and fails for users who are not members', async () => {
      const { id } = await hub.admin.createHub('Taken out');
      const { user: account } = await memberOf(hub, id, { name: 'Otto' });
      const stranger = await createUser(hub, { name: 'Stranger' });
      for (const reference of [stranger.email, stranger.id]) {
        const ran = await members(['remove', id, reference]);
        expect(ran.code).toBe(1);
        expect(ran.stderr).toContain(`There is no member "${reference}".`);
        expect(ran.stderr).toContain(`hubctl hubs members list ${id}`);
      }
      expect((await members(['remove', id, 'otto'])).stderr).toContain('Did you mean "Otto"?');
      expect((await members(['remove', id, account.id, '--json'])).json()).toMatchObject({ id: account.id });
      expect(await names(id)).toEqual([]);
      expect((await members(['list', id])).stderr).toContain(`hubctl hubs members add ${id} USER`);
    });
  });
});
