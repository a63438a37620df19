import { describe, expect, test } from 'bun:test';
import { rawHead, sendOnce } from '@hub/testkit/http';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { requestPath } from './request-context.ts';

describe('the path that is authorized and routed', () => {
  for (const host of ['x', 'ab', 'hub', 'x:1', 'example.org', '[::1]:3000']) {
    test(`is not changed by a Host of "${host}", which could bypass the gates`, async () => {
      await using hub = await startTestHub();
      await hub.admin.createHub('Secret plans');
      // Wherever a router might start reading, what follows is the path of an admin route.
      for (const prefix of ['/z', '/zz', '/zzz', '/zzzz', '/zzzzzzzz']) {
        const response = await sendOnce(hub.url, rawHead(`GET ${prefix}/api/v1/hubs HTTP/1.1`, `Host: ${host}`));
        expect(response.status).toBe(404);
        expect(response.body).not.toContain('Secret plans');
      }
    });
  }

  test('is read correctly for a host name of three characters or fewer', async () => {
    await using hub = await startTestHub();
    for (const host of ['x', 'hub', 'a.b']) {
      const open = await sendOnce(hub.url, rawHead('GET /api/v1?a=/b HTTP/1.1', `Host: ${host}`));
      expect(open.status).toBe(200);
      const closed = await sendOnce(hub.url, rawHead('POST /api/public/v1/messages HTTP/1.1', `Host: ${host}`));
      expect(closed.status).toBe(401);
    }
  });

  test('cannot contain a #, since the router and the gates would read it differently', async () => {
    await using hub = await startTestHub();
    const response = await sendOnce(hub.url, rawHead('GET /api/v1#/hubs HTTP/1.1', 'Host: example.org'));
    expect(response.status).toBe(404);
    expect(JSON.parse(response.body).path).toBe('/api/v1');
  });

  test('is the part between the host and the query, not decoded', () => {
    const pathOf = (url: string) => requestPath(new Request(url));
    expect(pathOf('https://hub.example/api/v1/hubs?x=/y')).toBe('/api/v1/hubs');
    expect(pathOf('https://hub.example')).toBe('/');
    expect(pathOf('https://hub.example/%61pi//v1')).toBe('/%61pi//v1');
  });
});
