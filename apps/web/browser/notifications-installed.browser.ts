import { expect, test } from 'bun:test';
import { expectAccessible } from '@hub/testkit/browser/axe';
import type { TestSession } from '@hub/testkit/browser/browser';
import { teamSessions, untilInstalled } from '@hub/testkit/browser/hub-test-sessions';
import { show } from '@hub/testkit/browser/steps';
import { startTeam } from '@hub/testkit/in-process/team';

const { team, session, open, newHub, forgetProblems } = await teamSessions(startTeam(), { isWhole: true });

async function installed(): Promise<TestSession> {
  const opened = await session(team.ada, { isInstalled: true });
  await opened.page.goto('/stream');
  await untilInstalled(opened.page);
  return opened;
}

test('a page reloaded while offline says that it is offline and what is saved; once back online, it continues where it was', async () => {
  const { page, context } = await installed();
  await page.evaluate(() => localStorage.setItem('hub.draft.usr_1.hub_1', 'half a'));
  await context.setOffline(true);
  await page.goto(`/hubs/${team.hubId}`);
  // Chromium 150 emulates this for the documents that were open, but not for a new one.
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'onLine', { value: false });
    dispatchEvent(new Event('offline'));
  });
  await page.getByRole('heading', { name: 'You’re offline' }).waitFor();
  await page.getByText('Saved in this browser until you’re back: 1 draft.').waitFor();
  await expectAccessible(page);
  forgetProblems(page);
  await context.setOffline(false);
  await page.locator('h1', { hasText: 'Releases' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/hubs/${team.hubId}`);
});

test('the app is installable, its page always comes from the server, API responses are never cached, and a new build deletes the cache of the previous one', async () => {
  const { page, context } = await installed();
  // Without cookies, an authenticating proxy would refuse it.
  expect(await page.locator('link[rel="manifest"]').getAttribute('crossorigin')).toBe('use-credentials');
  const worker = await team.hub.fetch('/service-worker.js');
  expect(Object.fromEntries(worker.headers)).toMatchObject({
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'none'; connect-src 'self'",
    'service-worker-allowed': '/',
  });
  const session = await context.newCDPSession(page);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);

  await page.reload();
  await page.locator('.side .nav-row').first().waitFor();
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(kept).toContain('/offline');
  expect(
    kept.filter((path) => path !== '/offline' && !/^\/app\/[\w-]+-[a-z0-9]{8}\.(?:js|css|png|svg)$/.test(path)),
  ).toEqual([]);
  expect(kept.some((path) => path.startsWith('/app/main-'))).toBe(true);

  await page.evaluate(async () => {
    await (await caches.open('hub-files-previous')).put('/offline', new Response('old'));
    await (await caches.open('other-app')).put('/x', new Response('stays'));
    await (await navigator.serviceWorker.getRegistration('/'))?.unregister();
  });
  await page.reload();
  await page.waitForFunction(async () => !(await caches.keys()).includes('hub-files-previous'));
  expect(await page.evaluate(() => caches.keys())).toContain('other-app');
});

test('a muted Hub has an icon, and is counted neither in the sidebar nor in the title; the notification settings are saved, including by keyboard', async () => {
  const team = await newHub();
  const page = await open(team.ada, '/mentions');
  const row = page.locator('.side .nav-row', { hasText: 'Releases' });
  await team.message(team.bob, 'One');
  await row.locator('.count').waitFor();
  await page.waitForFunction(() => document.title.startsWith('(1) '));
  const options = page.getByRole('button', { name: 'Hub options' });
  await show(page, `/hubs/${team.hubId}`, options);
  await options.click();
  await page.getByRole('menuitem', { name: 'Mute this Hub' }).click();
  await row.getByText('muted').waitFor();
  await page.locator('.side .nav-row', { hasText: 'For you' }).click();
  await team.message(team.bob, 'Two');
  await page.waitForFunction(() => document.title.startsWith('For you'));
  expect(await row.locator('.count').count()).toBe(0);
  const mode = page.getByLabel('Notifications for Releases');
  await show(page, '/settings/notifications', mode);
  expect(await mode.inputValue()).toBe('muted');
  await mode.selectOption('usual');
  await page.getByText('You’ll be notified about mentions and replies in Releases.').waitFor();
  await page.waitForFunction(() => /^\(\d+\) /.test(document.title));

  const replies = page.getByLabel('Replies');
  const wasOn = await replies.isChecked();
  await replies.focus();
  await page.keyboard.press('Space');
  await page.waitForFunction(
    (was) => [...document.querySelectorAll<HTMLInputElement>('.switch input')].at(4)?.checked === !was,
    wasOn,
  );
  // While quiet hours are off, their fields are not shown.
  await page.getByRole('button', { name: 'Set quiet hours' }).click();
  await page.getByLabel('From', { exact: true }).fill('21:30');
  await page.getByRole('button', { name: 'Sun', exact: true }).click();
  await page.getByRole('button', { name: /Turn on quiet hours|Save quiet hours/ }).click();
  await page
    .getByText(/On: no notifications on Mon, Tue, Wed, Thu, Fri, Sat from 21:30 to 07:00 in Europe.Berlin/)
    .waitFor();
  await page.getByRole('button', { name: 'Choose a key' }).click();
  await page.getByRole('menuitem', { name: 'ci in Releases' }).click();
  await page.getByLabel('Notifications for ci').waitFor();
  await expectAccessible(page);
  await page.reload();
  expect(await replies.isChecked()).toBe(!wasOn);
  await page.getByText(/On: no notifications .* from 21:30 to 07:00/).waitFor();
  const { body } = await team.ada.json('GET', '/me/notifications');
  expect(body).toMatchObject({
    replies: !wasOn,
    quietHours: { fromMinute: 1_290, toMinute: 420, days: [1, 2, 3, 4, 5, 6] },
    keys: [{ name: 'ci', mode: 'every' }],
  });
});
