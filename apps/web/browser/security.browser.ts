import { expect, test } from 'bun:test';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { signInAt } from '@hub/testkit/browser/steps';
import { startTeam } from '@hub/testkit/in-process/team';
import type { Page } from 'playwright-core';

const { team, session, open } = await teamSessions(startTeam(), {
  expected: /status of 40[0134]|response code: 403|CORS policy|frame-ancestors|ERR_/,
});

/** Another site. It is on a different loopback port, so the browser still sends the cookie; only the origin differs. */
function startForeignSite(html: string) {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response(`<!doctype html>${html}`, { headers: { 'content-type': 'text/html' } }),
  });
  return { url: `http://127.0.0.1:${server.port}/`, [Symbol.asyncDispose]: () => server.stop(true) };
}

test('the pages cannot be framed by another site', async () => {
  const { page } = await session(team.ada);
  for (const path of ['/stream', '/join', '/api/docs']) {
    await using site = startForeignSite(`<iframe src="${team.hub.url}${path}"></iframe>`);
    const error = page.waitForEvent('console', (line) => line.text().includes('frame-ancestors'));
    await page.goto(site.url);
    await error;
    const frame = page.frames().find((each) => each !== page.mainFrame());
    expect(frame?.url() ?? 'chrome-error://chromewebdata/').toBe('chrome-error://chromewebdata/');
  }
});

test("another site cannot read or write with its visitor's session", async () => {
  const before = await team.seq();
  const target = `${team.hub.url}/api/v1/hubs/${team.hubId}/messages`;
  await using site = startForeignSite(`
    <form method="post" action="${target}" enctype="text/plain"><input name='{"text":"forged","x":"' value='"}'></form>
    <script>
      const tries = [
        () => fetch('${target}', { method: 'POST', credentials: 'include', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body: '{"text":"forged"}' }),
        () => fetch('${target}', { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body: '{"text":"forged"}' }),
        () => fetch('${target}', { method: 'POST', credentials: 'include', mode: 'no-cors', body: new URLSearchParams({ text: 'forged' }) }),
        () => fetch('${target}', { method: 'POST', credentials: 'include', mode: 'no-cors', body: new Blob(['{"text":"forged"}'], { type: 'text/plain' }) }),
        () => fetch('${team.hub.url}/api/v1/session', { method: 'DELETE', credentials: 'include' }),
        () => fetch('${team.hub.url}/api/v1/me', { credentials: 'include' }).then((answer) => answer.text()),
        () => new Promise((resolve, reject) => {
          const socket = new WebSocket('${team.hub.url.replace('http', 'ws')}/api/v1/live');
          socket.onopen = resolve;
          socket.onerror = reject;
        }),
      ];
      window.done = Promise.all(tries.map((each) => each().then(() => 'worked', () => 'refused')));
    </script>`);
  const page = await open(team.ada, site.url);
  const outcome = await page.evaluate('window.done');
  expect(outcome).toEqual(Array.from({ length: 7 }, () => 'refused'));
  const [response] = await Promise.all([
    page.waitForResponse(target),
    page.evaluate(() => document.querySelector('form')?.submit()),
  ]);
  expect([401, 403, 415]).toContain(response.status());
  expect([await team.seq(), (await team.ada.json('GET', '/me')).status]).toEqual([before, 200]);
});

async function stays(page: Page, path: string): Promise<void> {
  const elsewhere: string[] = [];
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame() && !frame.url().startsWith(team.hub.url)) elsewhere.push(frame.url());
  });
  await page.goto(path);
  await page.locator('.me, #email').first().waitFor();
  expect(elsewhere).toEqual([]);
}

test('a link to another site opens without an opener or a referrer; no URL on this server redirects to one', async () => {
  const referers: (string | null)[] = [];
  await using site = startForeignSite('<title>there</title>');
  const { page, context } = await session(team.ada);
  context.on('request', (request) => {
    if (request.url().startsWith(site.url)) referers.push(request.headers().referer ?? null);
  });
  const message = await team.message(
    team.bob,
    `[there](${site.url}) <a href="${site.url}" target="_top">not there</a>`,
  );
  await page.goto(`/hubs/${team.hubId}`);
  const [other] = await Promise.all([
    context.waitForEvent('page'),
    page.locator(`#${message.id}`).getByRole('link', { name: 'there', exact: true }).click(),
  ]);
  await other.waitForLoadState();
  expect(await other.evaluate('[opener, document.referrer, location.href, document.title]')).toEqual([
    null,
    '',
    site.url,
    'there',
  ]);
  expect(new Set(referers)).toEqual(new Set([null]));
  expect(await page.locator(`#${message.id} a[target="_top"]`).count()).toBe(0);

  for (const to of ['//evil.example', '/\\evil.example', '/\t/evil.example', 'javascript:alert(1)']) {
    const names = ['return', 'next', 'redirect', 'welcome', 'open', 'at', 'q', 'hub'];
    const query = names.map((name) => `${name}=${encodeURIComponent(to)}`).join('&');
    await stays(page, `/?${query}`);
  }
  for (const path of ['hubs', 'p']) await stays(page, `/${path}/${encodeURIComponent('//evil.example')}`);
  // A path that browsers interpret as another host is not a page of the app.
  for (const path of ['//evil.example/stream', '/%2F%2Fevil.example', '/%5Cevil.example']) {
    const response = await page.goto(`${team.hub.url}${path}`);
    expect([path, response?.status()]).toEqual([path, 404]);
    expect(page.url()).toStartWith(team.hub.url);
  }
  const nobody = await open(null, `/?return=${encodeURIComponent('//evil.example')}`);
  await signInAt(nobody, team.bob.user);
  await nobody.waitForURL(`${team.hub.url}/stream`);
});
