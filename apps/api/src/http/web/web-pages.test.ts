import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { post, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { WEB_PATHS } from './pages.routes.ts';
import { readWebApp } from './web-app.ts';

const BROWSER = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
const ADDRESSES = WEB_PATHS.map((path) => path.replaceAll(/:\w+/g, 'hub_01KA3T8Q6V5M0G7ZB4W2N9RXEC'));

const folder = mkdtempSync(join(tmpdir(), 'hub-web-'));
let hub: TestHub;
beforeAll(async () => {
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Hub</title>');
  writeFileSync(join(folder, 'main-0a1b2c3d.js'), 'export {};');
  writeFileSync(join(folder, 'main-0a1b2c3d.css'), 'body {}');
  writeFileSync(
    join(folder, 'manifest.json'),
    JSON.stringify({ page: 'index.html', files: ['main-0a1b2c3d.js', 'main-0a1b2c3d.css'] }),
  );
  hub = await startTestHub({ web: readWebApp(folder) });
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

describe('a URL of the web app', () => {
  test('serves browsers one page, which runs and loads only files from this server', async () => {
    for (const address of ADDRESSES) {
      const response = await hub.fetch(address, BROWSER);
      expect([address, response.status, response.headers.get('content-type')]).toEqual([
        address,
        200,
        'text/html; charset=utf-8',
      ]);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toStartWith("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).not.toMatch(/unsafe|data:|\*/);
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(response.headers.get('vary')).toBe('Accept-Encoding, Accept');
      expect(await response.text()).toContain('<title>Hub</title>');
    }
  });

  test('returns the same page whether or not the item exists', async () => {
    const { id: hubId } = await hub.admin.createHub('Secret plans');
    const { key } = await hub.admin.issueKey({ hubId });
    const { id } = (await (await post(hub, 'messages', key, { text: 'x' })).json()) as { id: string };
    const addresses = [`/p/${id}`, '/p/msg_01KA3T8Q6V5M0G7ZB4W2N9RXEC', '/p/x', `/hubs/${hubId}`, '/hubs/%3Cb%3E'];
    const pages = await Promise.all(
      addresses.map(async (address) => {
        const response = await hub.fetch(address, BROWSER);
        return [response.status, await response.text()];
      }),
    );
    expect(new Set(pages.map((page) => JSON.stringify(page))).size).toBe(1);
  });

  test('is revalidated each time, and sent again only if it has changed', async () => {
    const { headers } = await hub.fetch('/stream', BROWSER);
    expect(headers.get('cache-control')).toBe('no-cache');
    const again = await hub.fetch('/hubs/x', {
      headers: { ...BROWSER.headers, 'if-none-match': headers.get('etag') ?? '?' },
    });
    expect(again.status).toBe(304);
  });

  test('responds to HEAD as to GET, and to any other method with 405', async () => {
    const head = await hub.fetch('/stream', { ...BROWSER, method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const response = await hub.fetch('/stream', { ...BROWSER, method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test.each(['*/*', '', 'text/*;q=0.5', '*/*;q=0.8, application/json;q=0.5'])(
    'serves the page for Accept: %p, which prefers no JSON',
    async (accept) => {
      const response = await hub.fetch('/', { headers: { accept } });
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('<title>Hub</title>')]);
    },
  );

  test.each([
    'application/json',
    'application/json, text/plain, */*',
    'text/html;q=0.5, application/json',
    'image/png',
  ])('returns 404 for Accept: %s, exactly as an unknown path does', async (accept) => {
    for (const path of ADDRESSES) {
      const response = await hub.fetch(path, { headers: { accept } });
      expect([response.status, await response.json()]).toEqual([
        404,
        { statusCode: 404, message: `There is nothing at ${path}.`, timestamp: expect.any(String), path },
      ]);
    }
  });
});

test('the files of the web app are cached permanently, since their names change with their content', async () => {
  for (const [name, type] of [
    ['main-0a1b2c3d.js', 'text/javascript; charset=utf-8'],
    ['main-0a1b2c3d.css', 'text/css; charset=utf-8'],
  ] as const) {
    const response = await hub.fetch(`/app/${name}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
  for (const path of ['/app/manifest.json', '/app/index.html', '/app/main-ffffffff.js', '/app/../package.json']) {
    expect([path, (await hub.fetch(path)).status]).toEqual([path, 404]);
  }
});

test('a server without a built web app returns 503 and says how to build it', async () => {
  await using unbuilt = await startTestHub({ web: null });
  const response = await unbuilt.fetch('/', BROWSER);
  expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('bun run start')]);
  expect((await unbuilt.fetch('/setup', BROWSER)).status).toBe(200);
});
