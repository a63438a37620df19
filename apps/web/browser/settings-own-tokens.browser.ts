import { afterAll, beforeAll, expect, test } from 'bun:test';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { PHONE, type TestSession, testBrowser, testSession, WIDE } from '@hub/testkit/browser/browser';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { signedIn, type UserCaller } from '@hub/testkit/in-process/users';
import type { Browser, Page } from 'playwright-core';

let browser: Browser;
let hub: TestHub;
beforeAll(async () => {
  browser = await testBrowser();
  hub = await startTestHub();
});
afterAll(async () => {
  await browser.close();
  await hub[Symbol.asyncDispose]();
});

async function openTokens(look = WIDE): Promise<TestSession & { caller: UserCaller }> {
  const caller = await signedIn(hub);
  const opened = await testSession(browser, hub, { caller, look });
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(hub.url).origin });
  await opened.page.goto('/settings/tokens');
  await opened.page.getByRole('heading', { name: 'No tokens yet' }).waitFor();
  return { ...opened, caller };
}

/** Creates a token with the keyboard only, and returns it from the dialog. */
async function makeToken(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'New token' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Name' }).waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await page.locator('.secret code').waitFor();
  return (await page.locator('.secret code').textContent()) ?? '';
}

const me = (token: string) => hub.fetch('/api/v1/me', { headers: { authorization: `Bearer ${token}` } });

/** Returns whether a string is left in the page, its storage or its URL. */
const staysIn = (page: Page, text: string) =>
  page.evaluate(
    (sought) =>
      [
        document.documentElement.outerHTML,
        ...[...document.querySelectorAll('input, textarea')].map((field) => (field as HTMLInputElement).value),
        JSON.stringify({ ...localStorage }),
        JSON.stringify({ ...sessionStorage }),
        JSON.stringify(history.state),
        location.href,
      ].some((content) => content.includes(sought)),
    text,
  );

test('asks for the password when creating a token long after signing in, and then continues', async () => {
  const { page, problems, context, caller } = await openTokens();
  hub.clock.advance(16 * 60_000);
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('hubctl');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
  // A plain dialog is there until the code of this one has loaded.
  await dialog.getByLabel('Password', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('alert').filter({ hasText: 'Confirm your password first' }).waitFor();

  await page.getByRole('button', { name: 'Create token' }).click();
  await dialog.waitFor();
  await page.keyboard.type('a wrong one');
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').filter({ hasText: 'The password is incorrect' }).waitFor();
  await dialog.getByLabel('Password', { exact: true }).fill(caller.user.password);
  await page.keyboard.press('Enter');
  await page.locator('.secret code').waitFor();
  expect(await me((await page.locator('.secret code').textContent()) ?? '').then(({ status }) => status)).toBe(200);
  expect(problems.filter((problem) => !/40[03]/.test(problem))).toEqual([]);
  await context.close();
});

test('shows an error above the open dialog if the dialog that asks for the password cannot be loaded', async () => {
  const { page, context } = await openTokens();
  await page.route('**/app/*.js', (route) => route.abort());
  hub.clock.advance(16 * 60_000);
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('hubctl');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await dialog.getByRole('button', { name: 'Reload page' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('alert').filter({ hasText: 'Confirm your password first' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('hubctl');
  await context.close();
});

test('creates and copies a working token, lists it without its secret, and leaves no trace of it', async () => {
  const { page, problems, context } = await openTokens();
  const token = await makeToken(page, 'hubctl on my laptop');
  expect(token).toStartWith('hub_pat_');
  expect((await me(token)).status).toBe(200);
  await page.getByText(`hubctl login ${new URL(hub.url).origin} --token-stdin`, { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Copy token');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Copied token' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const row = page.locator('.tokens li');
  expect(await row.textContent()).toContain(`hub_pat_…${token.slice(-4)}`);
  expect(await row.textContent()).toContain('Never used');
  expect(await staysIn(page, token)).toBe(false);
  await page.goBack().catch(() => null);
  await page.goForward().catch(() => null);
  expect(await staysIn(page, token)).toBe(false);
  expect(problems).toEqual([]);
  await context.close();
});

test('has the same column as the other list pages, with the button at the same edge', async () => {
  const { page, problems, context } = await openTokens();
  const edges = async (path: string, button: string) => {
    await page.goto(path);
    await page.locator('.page-head .btn', { hasText: button }).waitFor();
    return page.locator('.page-head, .page-head .btn').evaluateAll((all) => {
      const [head, action] = all.map((element) => element.getBoundingClientRect());
      return [head?.left, head?.right, action?.right, action?.top];
    });
  };
  await page.setViewportSize({ width: 1440, height: 800 });
  expect(await edges('/settings/tokens', 'New token')).toEqual(await edges('/settings/keys', 'Issue a key'));
  expect(problems).toEqual([]);
  await context.close();
});

test('asks for confirmation before a click outside, Escape, going back or a reload discards the token', async () => {
  const { page, problems, context } = await openTokens();
  await page.goto('/settings/sessions');
  await page.getByRole('link', { name: 'Access tokens' }).click();
  const token = await makeToken(page, 'x');
  await page.mouse.click(3, 3);
  expect(await page.locator('.secret code').textContent()).toBe(token);
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Close without saving the token?' });
  await question.getByRole('button', { name: 'Go back' }).click();
  expect(await page.locator('.secret code').textContent()).toBe(token);
  await page.evaluate(() => history.back());
  await question.getByRole('button', { name: 'Go back' }).click();
  expect(await page.locator('.secret code').textContent()).toBe(token);
  const asked = page.waitForEvent('dialog');
  void page.reload().catch(() => null);
  const leaving = await asked;
  expect(leaving.type()).toBe('beforeunload');
  await leaving.dismiss();
  expect(await page.locator('.secret code').textContent()).toBe(token);
  await page.getByLabel('I’ve saved the token').check();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await staysIn(page, token)).toBe(false);
  expect(new URL(page.url()).pathname).toBe('/settings/tokens');
  expect(problems).toEqual([]);
  await context.close();
});

test('requires a name, and a date if a custom date is chosen, and keeps the input', async () => {
  const { page, problems, context, caller } = await openTokens();
  await page.getByRole('button', { name: 'New token' }).click();
  const make = page.getByRole('button', { name: 'Create token' });
  await make.click();
  await page.getByText('Enter a name.').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('dashboard');
  await page.getByLabel('Custom date').check();
  await make.click();
  await page.getByText('Choose an expiry date.').waitFor();
  await page.getByLabel('Expiry date').fill('2126-03-01');
  await make.click();
  await page.locator('.secret code').waitFor();
  const { items } = (await caller.json<{ items: { name: string; expiresAt: string }[] }>('GET', '/me/tokens')).body;
  expect(items).toMatchObject([{ name: 'dashboard', expiresAt: '2126-03-01T23:00:00.000Z' }]);
  expect(problems).toEqual([]);
  await context.close();
});

test('revokes a token immediately after a confirmation, and shows an error in place', async () => {
  const { page, problems, context } = await openTokens();
  const token = await makeToken(page, 'old laptop');
  await page.getByLabel('I’ve saved the token').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const revoke = page.getByRole('button', { name: /^Revoke old laptop/ });
  await revoke.press('Enter');
  await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.textContent === 'Revoke');
  expect((await me(token)).status).toBe(200);
  await revoke.click();
  await page.route('**/api/v1/me/tokens/*', (route) => route.abort());
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await page.getByRole('alert').filter({ hasText: 'Couldn’t revoke the token.' }).waitFor();
  await page.unroute('**/api/v1/me/tokens/*');
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await page.getByRole('heading', { name: 'No tokens yet' }).waitFor();
  expect((await me(token)).status).toBe(401);
  expect(problems.filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([]);
  await context.close();
});

test('shows which tokens never expire, expire soon or have expired', async () => {
  const caller = await signedIn(hub);
  for (const [name, lifetimeSeconds] of [
    ['lasting', undefined],
    ['soon', 3 * 86_400],
    ['over', 60],
  ] as const) {
    await caller.json('POST', '/me/tokens', { name, ...(lifetimeSeconds ? { lifetimeSeconds } : {}) });
  }
  const { page, problems, context } = await testSession(browser, hub, { caller });
  await page.clock.setFixedTime(hub.clock.now() + 120_000);
  await page.goto('/settings/tokens');
  const row = (name: string) => page.locator('.tokens li').filter({ has: page.getByText(name, { exact: true }) });
  await row('lasting').getByText('Never expires').waitFor();
  await row('soon').getByText('Expires in 3 days').waitFor();
  await row('over').getByText('Expired').waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

for (const width of [PHONE.width, 1280]) {
  test(`has no axe violations in the tokens and their dialogs at ${width} px in either theme`, async () => {
    const { page, problems, context } = await openTokens({ ...WIDE, width });
    const look = async (what: string) => {
      expect([what, await axeInBothThemes(page)]).toEqual([what, []]);
      expect([what, await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)]).toEqual([
        what,
        false,
      ]);
    };
    await look('nothing');
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Custom date').check();
    await look('new');
    await page.getByLabel('90 days').check();
    await page.getByRole('textbox', { name: 'Name' }).fill('x');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.locator('.secret code').waitFor();
    await look('once');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Close without saving the token?' }).waitFor();
    await look('question');
    await page.getByRole('button', { name: 'Close anyway' }).click();
    await page.getByRole('button', { name: /^Revoke x/ }).click();
    await look('revoke');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await look('list');
    expect(problems).toEqual([]);
    await context.close();
  });
}
