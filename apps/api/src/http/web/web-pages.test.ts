import { afterAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { LINK_PATHS } from '@hub/contract';
import { shared } from '@hub/testkit/in-process/shared';
import { post, startTestHub } from '@hub/testkit/in-process/test-hub';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { serveStatic } from '../static-file.ts';
import { readWebApp, WEB_PATHS } from './pages.routes.ts';

const BROWSER = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
const LINKS = Object.values(LINK_PATHS);
const ADDRESSES = [...WEB_PATHS, ...LINKS].map((path) => path.replaceAll(/:\w+/g, 'hub_01KA3T8Q6V5M0G7ZB4W2N9RXEC'));

const folder = temporaryFolder();
const hub = shared(() => {
  for (const [name, text] of Object.entries({
    'index.html': '<!doctype html><title>Hub</title>',
    'main-0a1b2c3d.js': 'export {};',
    'main-0a1b2c3d.css': 'body {}',
    'manifest.json': '{"page": "index.html", "files": ["main-0a1b2c3d.js", "main-0a1b2c3d.css"]}',
  }))
    writeFileSync(folder.file(name), text);
  return startTestHub({ web: readWebApp(folder.path) });
});
afterAll(() => folder[Symbol.dispose]());

describe('a URL of the web app', () => {
  test('serves browsers one page, which runs and loads only files from this server', async () => {
    for (const address of ADDRESSES) {
      const response = await hub.fetch(address, BROWSER);
      expect([address, response.status]).toEqual([address, 200]);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        vary: 'Accept-Encoding, Accept',
      });
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toStartWith("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      if (LINKS.includes(address as never)) {
        expect(policy).toContain("img-src 'self'; connect-src 'self'; manifest-src 'self'; ");
        expect(policy).toContain("trusted-types 'none'");
      }
      expect(policy).not.toMatch(/unsafe|data:|\*/);
      expect(await response.text()).toContain('<title>Hub</title>');
    }
  });

  test('returns the same page whether or not the item exists', async () => {
    const { id: hubId } = await hub.admin.createHub('Secret plans');
    const { key } = await hub.admin.issueKey({ hubId });
    const { id } = (await (await post(hub, 'messages', key, { text: 'x' })).json()) as { id: string };
    const addresses = [`/p/${id}`, '/p/msg_01KA3T8Q6V5M0G7ZB4W2N9RXEC', '/p/x', `/hubs/${hubId}`, '/hubs/%3Cb%3E'];
    const pages = new Set<string>();
    for (const address of addresses) {
      const response = await hub.fetch(address, BROWSER);
      pages.add(`${response.status} ${await response.text()}`);
    }
    expect(pages.size).toBe(1);
  });

  test.each(['application/json, text/plain, */*', 'text/html;q=0.5, application/json'])(
    'returns 404 for Accept: %s, exactly as an unknown path does',
    async (accept) => {
      for (const path of ADDRESSES) {
        const response = await hub.fetch(path, { headers: { accept } });
        const error = { statusCode: 404, message: `There is nothing at ${path}.`, timestamp: expect.any(String), path };
        expect([response.status, await response.json()]).toEqual([404, error]);
      }
    },
  );
});

test('the files of the web app are cached permanently, since their names change with their content', async () => {
  for (const [name, type] of Object.entries({ js: 'javascript', css: 'css' })) {
    const response = await hub.fetch(`/app/main-0a1b2c3d.${name}`);
    const expected = [`text/${type}; charset=utf-8`, 'public, max-age=31536000, immutable'];
    expect(['content-type', 'cache-control'].map((header) => response.headers.get(header))).toEqual(expected);
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

const read = async () => new TextEncoder().encode(TEXT);
const serve = serveStatic({ read, type: 'txt', headers: { 'referrer-policy': 'no-referrer' } });
const ask = (headers: Record<string, string>) => serve({ request: new Request('http://localhost/file', { headers }) });

test.each([
  ['', null],
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
])('a static file requested with accept-encoding %p has content-encoding %p', async (accepted, encoding) => {
  const response = await ask({ 'accept-encoding': accepted });
  const bytes = await response.bytes();
  const plain = encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes;
  expect(new TextDecoder().decode(plain)).toBe(TEXT);
  expect(response.headers.get('content-encoding')).toBe(encoding);
  expect(response.headers.get('vary')).toBe('Accept-Encoding');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
});

test('a static file returns 304 for a matching tag, whatever the encoding', async () => {
  const tag = (await ask({ 'accept-encoding': 'br' })).headers.get('etag') ?? '';
  for (const sent of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
    const response = await ask({ 'if-none-match': sent });
    expect([sent, response.status, await response.text()]).toEqual([sent, 304, '']);
  }
  expect((await ask({ 'if-none-match': '"other"' })).status).toBe(200);
});
