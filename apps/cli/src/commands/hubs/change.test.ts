import { afterAll, beforeAll, expect, test } from 'bun:test';
import { startTestHub, type TestHub } from '../../testing/hub.ts';
import { errorOf, type RunOptions, runHubctl } from '../../testing/run-hubctl.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub[Symbol.asyncDispose]());

const change = (argv: string[], options: RunOptions = {}) =>
  runHubctl(['hubs', 'change', ...argv], { ...options, env: { HUB_ADMIN_SOCKET: hub.socketPath } });

test('hubs change sets the name, and sets or removes the retention', async () => {
  const { id } = await hub.admin.createHub('Changed');
  const both = await change([id, '--name', 'Changed name', '--retention-days', '90', '--yes', '--json']);
  expect(both.json()).toMatchObject({ id, name: 'Changed name', retentionDays: 90 });
  expect((await change(['Changed name', '--retention-days', 'none'])).stdout).toContain('keeps items forever');
  expect((await change(['Changed name', '--name', 'Another name', '--json'])).json()).toMatchObject({
    retentionDays: null,
  });
});

test('a shorter retention needs confirmation or --yes; a longer one does not', async () => {
  const { id } = await hub.admin.createHub('Kept');
  const rejected = await change([id, '--retention-days', '30', '--json']);
  expect(errorOf(rejected)).toMatchObject({ exitCode: 2, message: expect.stringContaining('--yes') });
  const no = await change([id, '--retention-days', '30'], { responses: [false] });
  expect(no).toMatchObject({ code: 1, asked: [expect.stringContaining('older than 30 days')] });
  expect((await change([id, '--retention-days', '30'], { responses: [true] })).code).toBe(0);
  expect((await change([id, '--retention-days', '29', '--json'])).code).toBe(2);
  expect((await change([id, '--retention-days', '31', '--json'])).json()).toMatchObject({ retentionDays: 31 });
});

test('hubs change exits with 2 if nothing changes or the retention is not a number of days', async () => {
  const { id } = await hub.admin.createHub('Unchanged');
  for (const flags of [[], ['--retention-days', '1.5'], ['--retention-days', '-1'], ['--retention-days', '90d']]) {
    expect((await change([id, ...flags, '--yes'])).code).toBe(2);
  }
  const none = await change([id, '--retention-days', '0'], { responses: [] });
  expect(none).toMatchObject({
    code: 2,
    asked: [],
    stderr: expect.stringContaining('Use a number of days such as 90, or none.'),
  });
  expect(errorOf(await change([id, '--retention-days', '99999', '--yes', '--json']))).toMatchObject({
    code: 'usage',
    message: '--retention-days must be a whole number from 1 to 36500',
  });
});
