import { expect, test } from 'bun:test';
import type { Message } from '@hub/contract';
import { startHubctl } from '@hub/testkit/cli/hubctl-on-hub';
import { errorOf } from '@hub/testkit/cli/run-hubctl';

test('items deleted lists what can be restored, and items restore restores it', async () => {
  const on = await startHubctl();
  const env = { HUB_API_KEY: (await on.issue('ci')).key };
  const { id } = (await on.hubctl(['post', '**Deployed** 4.18', '--json'], { env })).json<{ id: string }>();
  await on.hub.admin.raw('DELETE', `/messages/${id}`);
  const listed = await on.hubctl(['items', 'deleted', 'Releases']);
  expect(listed.stdout).toContain('Deployed 4.18');
  expect(listed.stdout).toContain(id);
  const restored = await on.hubctl(['items', 'restore', id]);
  expect(restored).toMatchObject({ code: 0, stdout: `Restored the message ${id}\n` });
  const response = await on.hub.admin.raw('GET', `/items/${id}`);
  expect(((await response.json()) as Message).text).toBe('**Deployed** 4.18');
  expect((await on.hubctl(['items', 'deleted', 'Releases'])).stderr).toContain('Nothing was deleted');
  expect(errorOf(await on.hubctl(['items', 'restore', 'msg_none', '--json']))).toMatchObject({ code: 'not_found' });
  await on.stop();
});
