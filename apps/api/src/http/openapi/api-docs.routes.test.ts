import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';

let hub: TestHub;
let page: Response;
let html: string;
beforeAll(async () => {
  hub = await startTestHub();
  page = await hub.fetch('/api/docs');
  html = await page.text();
});
afterAll(() => hub[Symbol.asyncDispose]());

const assets = (): string[] => [...html.matchAll(/(?:src|href)="(\/api\/docs\/[^"]+)"/g)].map(([, path]) => path ?? '');

describe('the API docs page', () => {
  test('is HTML that runs only scripts from this server', () => {
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toStartWith("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(html).not.toMatch(/<script>|<style|\son\w+=/);
  });

  test('references no other host, and neither do its own script and style sheet', async () => {
    const own = assets().filter((path) => path.includes('/page.'));
    const texts = await Promise.all(own.map(async (path) => (await hub.fetch(path)).text()));
    expect(own).toHaveLength(2);
    for (const text of [html, ...texts]) expect(text).not.toMatch(/(https?:)?\/\/[\w-]+\.\w/);
  });

  test('loads existing files with the right content types', async () => {
    const types = await Promise.all(
      assets().map(async (path) => {
        const response = await hub.fetch(path);
        expect([path, response.status]).toEqual([path, 200]);
        expect((await response.bytes()).length).toBeGreaterThan(100);
        return response.headers.get('content-type');
      }),
    );
    expect(types.sort()).toEqual([
      'text/css; charset=utf-8',
      'text/css; charset=utf-8',
      'text/javascript; charset=utf-8',
      'text/javascript; charset=utf-8',
    ]);
  });

  test('caches the library permanently, since its version is in its path, and revalidates the rest', async () => {
    for (const path of assets()) {
      const expected = path.includes('/swagger-ui-') ? 'public, max-age=31536000, immutable' : 'no-cache';
      expect([path, (await hub.fetch(path)).headers.get('cache-control')]).toEqual([path, expected]);
    }
  });

  test('stores no key and sends no document to a validator', async () => {
    const script = await (await hub.fetch('/api/docs/page.js')).text();
    expect(script).toContain('persistAuthorization: false');
    expect(script).toContain('queryConfigEnabled: false');
    expect(script).toContain('validatorUrl: null');
  });

  test('is not the page of the plug-in, which loads files from another host', () => {
    const paths = hub.app.routes.map(({ path }) => path).filter((path) => /swagger|docs|openapi|page/.test(path));
    expect(new Set(paths)).toEqual(new Set(['/api/docs', '/api/openapi.json', ...assets()]));
  });
});
