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

test('hubs change sets name and retention, and takes the retention away', async () => {
  const { id } = await hub.admin.createHub('Changed');
  const both = await change([id, '--name', 'Anew', '--retention-days', '90', '--yes', '--json']);
  expect(both.json()).toMatchObject({ id, name: 'Anew', retentionDays: 90 });
  expect((await change(['Anew', '--retention-days', 'none'])).stdout).toContain('its items stay for ever');
  expect((await change(['Anew', '--name', 'Again', '--json'])).json()).toMatchObject({ retentionDays: null });
});

test('a retention that removes something is asked first, and needs --yes without a terminal; a longer one does not', async () => {
  const { id } = await hub.admin.createHub('Kept');
  const rejected = await change([id, '--retention-days', '30', '--json']);
  expect(errorOf(rejected)).toMatchObject({ exitCode: 2, message: expect.stringContaining('--yes') });
  const no = await change([id, '--retention-days', '30'], { responses: [false] });
  expect(no).toMatchObject({ code: 1, asked: [expect.stringContaining('older than 30 days')] });
  expect((await change([id, '--retention-days', '30'], { responses: [true] })).code).toBe(0);
  expect((await change([id, '--retention-days', '29', '--json'])).code).toBe(2);
  expect((await change([id, '--retention-days', '31', '--json'])).json()).toMatchObject({ retentionDays: 31 });
});

test('nothing to change, and what is no number of days, is wrong usage', async () => {
  const { id } = await hub.admin.createHub('Unchanged');
  for (const flags of [[], ['--retention-days', '1.5'], ['--retention-days', '-1'], ['--retention-days', '90d']]) {
    expect((await change([id, ...flags, '--yes'])).code).toBe(2);
  }
  const none = await change([id, '--retention-days', '0'], { responses: [] });
  expect(none).toMatchObject({ code: 2, asked: [], stderr: expect.stringContaining('Write it as 90, or none.') });
  expect(errorOf(await change([id, '--retention-days', '99999', '--yes', '--json']))).toMatchObject({
    code: 'usage',
    message: '--retention-days must be a whole number from 1 to 36500',
  });
});
