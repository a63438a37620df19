import { expect, test } from 'bun:test';
import { startTestHub } from '@hub/testkit/in-process/test-hub';

test('operations without fields reject any field without changing anything, and accept an empty or missing body', async () => {
  await using hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const { id: keyId } = await hub.admin.issueKey({ hubId });
  const operations = [
    ['POST', `/keys/${keyId}/revocation`, 'a revocation'],
    ['DELETE', `/hubs/${hubId}`, 'a deletion'],
    ['POST', `/hubs/${hubId}/restoration`, 'a restoration'],
  ] as const;
  for (const [method, path, noun] of operations) {
    const ask = async (init: RequestInit) => {
      const response = await fetch(`http://localhost/api/v1${path}`, { method, unix: hub.socketPath, ...init });
      return { status: response.status, body: await response.text() };
    };
    const headers = { 'content-type': 'application/json' };
    const entries = async () => (await hub.admin.audit()).items.length;
    const before = await entries();
    const rejected = await ask({ headers, body: '{"inSeconds":60}' });
    expect([rejected.status, JSON.parse(rejected.body).message]).toEqual([
      400,
      `inSeconds is not a field of ${noun}, which has none`,
    ]);
    expect((await ask({ headers, body: '{"a":1,"b":2}' })).body).toContain(
      `a and b are not fields of ${noun}, which has none`,
    );
    expect((await ask({ headers, body: '[]' })).status).toBe(400);
    expect((await ask({ headers, body: '{' })).status).toBe(400);
    expect(await entries()).toBe(before);
    for (const body of [undefined, '', '{}']) expect((await ask({ headers, body })).status).toBe(200);
    expect((await ask({ body: '' })).status).toBe(200);
    expect(await entries()).toBe(before + 1);
  }
});
