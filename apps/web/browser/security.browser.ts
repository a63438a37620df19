import { afterAll, beforeAll, expect, test } from 'bun:test';
import { testBrowser, testSession } from '@hub/testkit/browser/browser';
import { problemsBut401 } from '@hub/testkit/browser/problems';
import { startTeam } from '@hub/testkit/in-process/team';
import type { Browser, Page } from 'playwright-core';

let browser: Browser;
let team: Awaited<ReturnType<typeof startTeam>>;
beforeAll(async () => {
  browser = await testBrowser();
  team = await startTeam();
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
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
  for (const path of ['/stream', '/', '/setup', '/join', '/p/msg_x', '/settings/keys', '/api/docs', '/api/v1/me']) {
    await using site = startForeignSite(`<iframe src="${team.hub.url}${path}"></iframe>`);
    const { page, context } = await testSession(browser, team.hub, { caller: team.ada });
    const error = page.waitForEvent('console', (line) => line.text().includes('frame-ancestors'));
    await page.goto(site.url);
    await error;
    const frame = page.frames().find((each) => each !== page.mainFrame());
    expect(frame?.url() ?? 'chrome-error://chromewebdata/').toBe('chrome-error://chromewebdata/');
    await context.close();
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
  const { page, context } = await testSession(browser, team.hub, { caller: team.ada });
  await page.goto(site.url);
  const outcome = await page.evaluate('window.done');
  expect(outcome).toEqual(Array.from({ length: 7 }, () => 'refused'));
  const [response] = await Promise.all([
    page.waitForResponse(target),
    page.evaluate(() => document.querySelector('form')?.submit()),
  ]);
  expect([401, 403, 415]).toContain(response.status());
  expect(await team.seq()).toBe(before);
  expect((await team.ada.json('GET', '/me')).status).toBe(200);
  await context.close();
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

test('no URL on this server redirects to another site', async () => {
  const EVIL = [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'https:evil.example',
    '/\t/evil.example',
    '///evil.example',
    'javascript:alert(1)',
    '\\\\evil.example',
  ];
  for (const caller of [team.ada, undefined]) {
    const { page, problems, context } = await testSession(browser, team.hub, caller ? { caller } : {});
    for (const to of caller ? EVIL : EVIL.slice(0, 3)) {
      const query = ['return', 'next', 'redirect', 'welcome', 'open', 'at', 'q', 'hub']
        .map((name) => `${name}=${encodeURIComponent(to)}`)
        .join('&');
      await stays(page, `/?${query}`);
      await stays(page, `/hubs/${encodeURIComponent(to)}?${query}`);
      await stays(page, `/p/${encodeURIComponent(to)}`);
    }
    const unexpected = problemsBut401(problems).filter((problem) => !/status of (?:400|404)/.test(problem));
    expect(unexpected).toEqual([]);
    await context.close();
  }
  const { page, context } = await testSession(browser, team.hub);
  await page.goto(`/?return=${encodeURIComponent('//evil.example')}`);
  await page.getByLabel('E-mail').fill(team.bob.user.email);
  await page.getByLabel('Password', { exact: true }).fill(team.bob.user.password);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${team.hub.url}/stream`);
  await context.close();
});

test('a path that browsers interpret as another host is not a page of the app', async () => {
  const { page, context } = await testSession(browser, team.hub, { caller: team.ada });
  for (const path of ['//evil.example/stream', '/%2F%2Fevil.example', '/%5Cevil.example']) {
    const response = await page.goto(`${team.hub.url}${path}`);
    expect([path, response?.status()]).toEqual([path, 404]);
    expect(page.url()).toStartWith(team.hub.url);
  }
  await context.close();
});

test('a link to another site opens without an opener or a referrer', async () => {
  const referers: (string | null)[] = [];
  await using site = startForeignSite('<title>there</title>');
  const { page, context } = await testSession(browser, team.hub, { caller: team.ada });
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
  await context.close();
});
