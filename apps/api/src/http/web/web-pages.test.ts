import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { LINK_PATHS } from '@hub/contract';
import { post, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { serveStatic } from '../static-file.ts';
import { readWebApp, WEB_PATHS } from './pages.routes.ts';

const BROWSER = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
const LINKS = Object.values(LINK_PATHS);
const ADDRESSES = [...WEB_PATHS, ...LINKS].map((path) => path.replaceAll(/:\w+/g, 'hub_01KA3T8Q6V5M0G7ZB4W2N9RXEC'));

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
      if (LINKS.includes(address as never)) {
        expect(policy).toContain("img-src 'self'; connect-src 'self'; manifest-src 'self'; ");
        expect(policy).toContain("trusted-types 'none'");
      }
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

  test.each(['application/json, text/plain, */*', 'text/html;q=0.5, application/json'])(
    'returns 404 for Accept: %s, exactly as an unknown path does',
    async (accept) => {
      for (const path of ADDRESSES) {
        const response = await hub.fetch(path, { headers: { accept } });
        expect([response.status, await response.json()]).toEqual([
          404,
          { statusCode: 404, message: `There is nothing at ${path}.`, timestamp: expect.any(String), path },
        ]);
      }
    },
  );
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
});

test('an error page for browsers needs no other file and runs no code', async () => {
  const response = await hub.fetch('/<b>nowhere', BROWSER);
  const html = await response.text();
  expect([response.status, html]).toEqual([404, expect.stringContaining('<h1>Page not found</h1>')]);
  expect(html).not.toMatch(/<script|<b>|src=|\son\w+=|href="(?!\/")/);
  const [, style = ''] = /<style>(.*)<\/style>/s.exec(html) ?? [];
  const hash = new Bun.CryptoHasher('sha256').update(style).digest('base64');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toStartWith(`default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none';`);
});

const TEXT = 'The same words over and over. '.repeat(100);

describe('a static file', () => {
  const served = () => {
    const read = async () => new TextEncoder().encode(TEXT);
    const headers = { 'referrer-policy': 'no-referrer' };
    const serve = serveStatic({ read, type: 'txt', headers });
    return (headers: Record<string, string> = {}) =>
      serve({ request: new Request('http://localhost/file', { headers }) });
  };

  test.each([
    ['', null],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
  ])('requested with accept-encoding %p has content-encoding %p', async (accepted, encoding) => {
    const response = await served()({ 'accept-encoding': accepted });
    const bytes = await response.bytes();
    const plain = encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes;
    expect(new TextDecoder().decode(plain)).toBe(TEXT);
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('returns 304 for a matching tag, whatever the encoding', async () => {
    const ask = served();
    const tag = (await ask({ 'accept-encoding': 'br' })).headers.get('etag') ?? '';
    for (const sent of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
      const response = await ask({ 'if-none-match': sent });
      expect([sent, response.status, await response.text()]).toEqual([sent, 304, '']);
    }
    expect((await ask({ 'if-none-match': '"other"' })).status).toBe(200);
  });
});
