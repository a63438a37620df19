import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';

const PAGES = ['/setup', '/join', '/reset'] as const;

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub[Symbol.asyncDispose]());

/** Returns the paths that a page loads from this server. */
async function assetsOf(path: string): Promise<string[]> {
  const html = await (await hub.fetch(path)).text();
  const named = [...html.matchAll(/(?:src|href)="([^"]+\.\w+)"/g)].map(([, found]) => found ?? '');
  const scripts = named.filter((found) => found.endsWith('.js'));
  const texts = await Promise.all(scripts.map(async (script) => (await hub.fetch(script)).text()));
  const imported = texts.flatMap((text) =>
    [...text.matchAll(/from '\.\/([^']+)'/g)].map(([, name]) => `/assets/${name}`),
  );
  return [...named, ...imported];
}

for (const path of PAGES) {
  describe(`the page at ${path}`, () => {
    test('is HTML that runs and loads only files from this server', async () => {
      const response = await hub.fetch(path);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toStartWith("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|data:|\*/);
      const html = await response.text();
      expect(html).not.toMatch(/<script>|<style|\sstyle=|\son\w+=|javascript:|\/\/[\w-]+\.\w/);
    });

    test('sends no referrer, and cannot be framed or indexed', async () => {
      const { headers } = await hub.fetch(path);
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(await (await hub.fetch(path)).text()).toContain('<meta name="robots" content="noindex">');
    });

    test('loads existing files with the right content types', async () => {
      const types: Record<string, string> = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' };
      const assets = await assetsOf(path);
      expect(assets.length).toBeGreaterThan(4);
      for (const asset of assets) {
        const response = await hub.fetch(asset);
        expect([asset, response.status]).toEqual([asset, 200]);
        expect(response.headers.get('content-type')).toStartWith(types[asset.split('.').at(-1) ?? ''] ?? '?');
      }
    });

    test('and its files are revalidated, and sent again only if they have changed', async () => {
      for (const each of [path, ...(await assetsOf(path))]) {
        const { headers } = await hub.fetch(each);
        expect(headers.get('cache-control')).toBe('no-cache');
        const again = await hub.fetch(each, { headers: { 'if-none-match': headers.get('etag') ?? '?' } });
        expect([each, again.status]).toEqual([each, 304]);
      }
    });

    test('responds to HEAD as to GET and to any other method with 405, and paths below it return 404', async () => {
      const head = await hub.fetch(path, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      const post = await hub.fetch(path, { method: 'POST' });
      expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      for (const beneath of [`${path}/`, `${path}/x`]) expect((await hub.fetch(beneath)).status).toBe(404);
    });
  });
}

describe('a field on the link pages', () => {
  test('has a label, and an autocomplete attribute for password managers', async () => {
    for (const path of PAGES) {
      const html = await (await hub.fetch(path)).text();
      const inputs = html.match(/<input[^>]*>/g) ?? [];
      expect(inputs.length).toBeGreaterThan(1);
      for (const input of inputs) {
        if (html.includes(`<label class="check">${input}`)) continue;
        const [, id] = /id="(\w+)"/.exec(input) ?? [];
        expect(html).toContain(`<label for="${id}">`);
        expect(input).toContain('autocomplete="');
        for (const describer of /aria-describedby="([^"]+)"/.exec(input)?.[1]?.split(' ') ?? ['?']) {
          expect(html).toContain(`id="${describer}"`);
        }
      }
    }
  });

  test('for the password has the minimum length that the server requires', async () => {
    const script = await (await hub.fetch('/assets/link-form.js')).text();
    const html = await (await hub.fetch('/setup')).text();
    expect(script).toContain('const PASSWORD_CHARACTERS = 8;');
    expect(html).toContain('minlength="8"');
    expect(html).toContain('autocomplete="new-password"');
  });
});

test('a redeemed link leads to the workspace, and an invalid link to the sign-in page', async () => {
  const script = await (await hub.fetch('/assets/link.js')).text();
  expect(script).toContain('location.replace(`/?welcome=');
  for (const path of ['/setup', '/join']) {
    expect(await (await hub.fetch(path)).text()).toContain('<a href="/">sign in</a>');
  }
});

test('the secret stays in the URL until it is used, so that it survives a reload, and is then removed', async () => {
  const script = await (await hub.fetch('/assets/link.js')).text();
  expect(script.match(/history\.replaceState\(/g)).toHaveLength(1);
  expect(script).toMatch(/function enter\(\) \{\n[^}]*?history\.replaceState\(null, '', location\.pathname\);/);
  expect(script).not.toMatch(/(?:session|local)Storage/);
});

test('text that is too long is reported and never truncated', async () => {
  const most: Record<string, string> = { name: '64', hubName: '64', password: '1000' };
  for (const path of PAGES) {
    const html = await (await hub.fetch(path)).text();
    expect(html).not.toContain('maxlength');
    for (const [, name, length] of html.matchAll(/<input id="(\w+)"[^>]*data-max="(\d+)"/g)) {
      expect(length).toBe(most[name ?? ''] ?? '?');
    }
  }
  const setup = await (await hub.fetch('/setup')).text();
  expect(setup.match(/data-max=/g)).toHaveLength(3);
  expect(await (await hub.fetch('/assets/link-form.js')).text()).toContain('dataset.max');
});
