import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type HubctlOnHub, startHubctl } from '../../testing/hubctl-on-hub.ts';
import { errorOf } from '../../testing/run-hubctl.ts';

let on: HubctlOnHub;
beforeAll(async () => {
  on = await startHubctl();
});
afterAll(() => on.stop());

test('a lifetime above the limit of the workspace is rejected with an error that names the flags to use', async () => {
  const old = await on.issue('permanent');
  await on.hub.admin.raw('PATCH', '/workspace', { longestKeyLifetimeDays: 90 });
  const issue = ['keys', 'issue', '--hub', 'Releases', '--name', 'ci', '--scopes', 'messages', '--json'];
  for (const argv of [issue, [...issue, '--expires-in', '91d'], ['keys', 'rotate', old.id, '--json']]) {
    const ran = await on.hubctl(argv);
    expect(ran.code).toBe(1);
    expect(errorOf(ran)).toMatchObject({ statusCode: 400 });
    expect(errorOf(ran).message).toContain(
      'can last at most 90 days: set --expires-at to 2026-05-30T09:30:00.000Z or earlier, or --expires-in to 90 days or less.',
    );
  }
  const replaced = await on.hubctl(['keys', 'replace', old.id, '--yes', '--expires-in', '90d', '--json']);
  expect(replaced.json()).toMatchObject({ expiresAt: '2026-05-30T09:30:00.000Z' });
  expect((await on.hubctl([...issue, '--expires-in', '30d'])).code).toBe(0);
});
