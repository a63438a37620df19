import { expect, test } from 'bun:test';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { createUser } from '@hub/testkit/in-process/users';
import { errorOf, type RunOptions, runHubctl } from '../../../test/run-hubctl.ts';

const hub = shared(startTestHub);

const hubctl = (argv: string[], options: RunOptions = {}) =>
  runHubctl(argv, { ...options, env: { HUB_ADMIN_SOCKET: hub.socketPath, ...options.env } });

test('hubs create exits with 1 if a live Hub has the name, whatever its case', async () => {
  await hub.admin.createHub('Single');
  const stderr = expect.stringMatching(/^error: There is already a Hub named “Single”\. Choose another name\.\n/);
  expect(await hubctl(['hubs', 'create', 'single'])).toMatchObject({ code: 1, stderr });
});

test('hubs list lists live, deleted or all Hubs by --state', async () => {
  const gone = await hub.admin.createHub('Gone');
  await hub.admin.deleteHub(gone.id);
  const names = async (...flags: string[]) => (await hubctl(['hubs', 'list', ...flags])).stdout;
  expect(await names()).not.toContain('Gone');
  expect(await names('--state', 'deleted')).toContain(gone.id);
  expect(await names('--state', 'all')).toContain('Gone');
});

test('names have no terminal escapes in text, and are intact in JSON', async () => {
  const name = 'a\x1b]52;c;eA==\x07\x9b31m\u202eb';
  const item = { id: 'hub_1', name, createdAt: '2026-03-01T09:30:00.000Z', deletedAt: null };
  const fetch = async () => Response.json({ items: [item], next: null });
  expect((await hubctl(['hubs', 'list'], { fetch })).stdout).toContain('ab    hub_1');
  const program = await hubctl(['hubs', 'list', '--json'], { fetch });
  expect(program.stdout).not.toMatch(/[\x80-\x9f\u202e]/);
  expect(program.json()).toMatchObject({ items: [{ name }] });
});

test('an unknown Hub causes exit code 1 and suggests the nearest spelling', async () => {
  await hub.admin.createHub('Canary');
  for (const name of ['canary', 'Cnary']) {
    const stderr = expect.stringContaining('Did you mean "Canary"?');
    expect(await hubctl(['hubs', 'show', name])).toMatchObject({ code: 1, stderr });
  }
  expect((await hubctl(['hubs', 'show', 'Nothing like it'])).stderr).toContain('To list them: hubctl hubs list');
  expect((await hubctl(['hubs', 'show', 'hub_01KA3T8Q6V5M0G7ZB4W2N9RXEC'])).code).toBe(1);
});

const change = (argv: string[], options?: RunOptions) => hubctl(['hubs', 'edit', ...argv], options);

test('hubs edit sets the name, and sets or removes the topic and the retention', async () => {
  const { id } = await hub.admin.createHub('Changed');
  const both = await change([id, '--name', 'Changed name', '--retention', '90', '--yes', '--json']);
  expect(both.json()).toMatchObject({ id, name: 'Changed name', retentionDays: 90 });
  expect((await change(['Changed name', '--retention', 'none'])).stdout).toContain('keeps items forever');
  const topic = 'Runbook: https://wiki.example.com/x';
  const withTopic = { topic, name: 'Changed name', retentionDays: null };
  expect((await change([id, '--topic', topic, '--json'])).json()).toMatchObject(withTopic);
  expect((await hubctl(['hubs', 'show', id])).stdout).toContain(topic);
  expect((await change([id, '--no-topic', '--json'])).json()).toMatchObject({ topic: null });
  const created = await hubctl(['hubs', 'create', 'With topic', '--topic', topic, '--json']);
  expect(created.json()).toMatchObject({ topic });
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

test('members are added and removed by names and IDs, and users who are not members cause exit code 1', async () => {
  const { id } = await hub.admin.createHub('Crew');
  const [{ email, ...ida }, stranger] = [await createUser(hub, { name: 'Ida' }), await createUser(hub)];
  const members = (...argv: string[]) => hubctl(['hubs', 'members', ...argv]);
  expect((await members('add', 'Crew', email, '--json')).json()).toMatchObject({ id: ida.id, name: 'Ida' });
  expect((await members('add', id, 'Ida')).stdout).toBe(`Ida (${email}) is now a member of Hub Crew\n`);
  expect((await members('list', 'Crew')).stdout).toContain(email);
  for (const reference of [stranger.email, stranger.id]) {
    const { code, stderr } = await members('remove', id, reference);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`There is no member "${reference}".`)]);
    expect(stderr).toContain(`hubctl hubs members list ${id}`);
  }
  expect((await members('remove', id, 'ida')).stderr).toContain('Did you mean "Ida"?');
  expect((await members('remove', id, ida.id, '--json')).json()).toMatchObject({ id: ida.id });
  const { stdout, stderr } = await members('list', id);
  expect([stdout, stderr]).toEqual(['', expect.stringContaining(`hubctl hubs members add ${id} USER`)]);
});
