import { expect, test } from 'bun:test';
import { startTestHub } from '@hub/testkit/cli/hub';
import { errorOf, runHubctl } from '@hub/testkit/cli/run-hubctl';

test('setup-link prints a link for the first owner, and exits with 1 once there is an owner', async () => {
  await using fresh = await startTestHub();
  const env = { HUB_ADMIN_SOCKET: fresh.socketPath };
  const ran = await runHubctl(['setup-link'], { env });
  expect(ran.stdout).toMatch(/^http:\S+\/setup#hub_lnk_\w+\n$/);
  const token = new URL(ran.stdout.trim()).hash.slice(1);
  const body = { token, email: 'o@example.org', name: 'Olga', password: 'a good password' };
  const headers = { 'content-type': 'application/json' };
  const response = await fresh.fetch('/api/v1/links/redemption', {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(await response.json()).toMatchObject({ role: 'owner' });
  const rejected = await runHubctl(['setup-link', '--json'], { env });
  expect(errorOf(rejected)).toMatchObject({
    code: 'conflict',
    exitCode: 1,
    // Each command has its own line, so that no terminal wraps it.
    hint: expect.stringContaining('\n  hubctl users reset-password OWNER\n'),
  });
});
