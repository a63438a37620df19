import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { ApiKey, Message } from '@hub/contract';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { type Look, PHONE, testBrowser, testSession, WIDE } from '@hub/testkit/browser/browser';
import { LIVE_MS } from '@hub/testkit/browser/hub-test-sessions';
import { leave } from '@hub/testkit/browser/keys-fixture';
import { type StartedTeam, startTeam } from '@hub/testkit/in-process/team';
import { memberOf, signedIn, type UserCaller } from '@hub/testkit/in-process/users';
import type { Browser, Page } from 'playwright-core';

let browser: Browser;
let team: StartedTeam;
beforeAll(async () => {
  browser = await testBrowser();
  team = await startTeam();
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

const KEY = /hub_live_[0-9A-Za-z]{40}/;
const formOf = (page: Page) => page.getByRole('dialog', { name: 'Issue a key' });
const keyOf = (page: Page) => page.getByRole('dialog', { name: /^Copy the key for/ });
const doneOf = (page: Page) => keyOf(page).getByRole('button', { name: 'Done' });

/** Opens an empty Hub as a member who can issue keys for it. */
async function atEmptyHub({ look, caller }: { look?: Look; caller?: UserCaller } = {}) {
  const { id: hubId } = await team.hub.admin.createHub('Backups');
  const ada = caller ?? (await memberOf(team.hub, hubId));
  const opened = await testSession(browser, team.hub, { caller: ada, look });
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await opened.page.goto(`/hubs/${hubId}`);
  return { ...opened, hubId, ada };
}

async function issue(page: Page, name = 'nightly-backup'): Promise<string> {
  await page.getByRole('button', { name: 'Issue a key' }).first().click();
  await formOf(page).getByLabel('Name').fill(name);
  await page.keyboard.press('Enter');
  await keyOf(page).waitFor();
  return (await keyOf(page).locator('.secret code').textContent()) ?? '';
}

/** Returns the places in which a key occurs: markup, fields, local and session storage, history, URL, title. */
const tracesOf = (page: Page, key: string) =>
  page.evaluate((key) => {
    const fields = [...document.querySelectorAll('input, textarea')].map((field) => (field as HTMLInputElement).value);
    const contents: Record<string, string> = {
      markup: document.documentElement.outerHTML,
      fields: fields.join(' '),
      localStorage: JSON.stringify({ ...localStorage }),
      sessionStorage: JSON.stringify({ ...sessionStorage }),
      history: JSON.stringify(history.state),
      address: location.href,
      title: document.title,
      cookies: document.cookie,
      requests: performance
        .getEntries()
        .map(({ name }) => name)
        .join(' '),
    };
    return Object.keys(contents).filter((name) => contents[name]?.includes(key));
  }, key);

test('issues a key from an empty Hub with a name and Enter, focuses Copy, and closes with Done once copied', async () => {
  const s = await atEmptyHub();
  const { page, hubId } = s;
  const key = await issue(page);
  expect(key).toMatch(KEY);
  await keyOf(page).getByText('This is the only time it’s shown.').waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Copy key');
  expect(await doneOf(page).isDisabled()).toBe(true);
  await page.keyboard.press('Enter');
  await keyOf(page).getByRole('button', { name: 'Copied key' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await doneOf(page).click();
  await keyOf(page).waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.textContent === 'Issue a key');
  const { items } = await team.hub.admin.listKeys(`?hubId=${hubId}`);
  expect(items.map(({ name, scopes, expiresAt }) => [name, scopes, expiresAt])).toEqual([
    ['nightly-backup', ['messages:create'], null],
  ]);
  await page.getByRole('link', { name: 'API keys: 1' }).waitFor();
  await team.hub.admin.revokeKey(items[0]?.id ?? '');
  await page.getByRole('link', { name: 'API keys: 0' }).waitFor({ timeout: LIVE_MS });
  await leave(s);
});

test('warns about an active key of the same name in the Hub, and issues the key', async () => {
  const s = await atEmptyHub();
  const { page, hubId } = s;
  const { id } = await team.hub.admin.issueKey({ hubId, name: 'nightly-backup' });
  await page.getByRole('button', { name: 'Issue a key' }).first().click();
  const warning = formOf(page).getByText('An active key in this Hub already has this name.');
  await formOf(page).getByLabel('Name').fill('nightly-backup ');
  await warning.waitFor();
  await formOf(page).getByLabel('Name').fill('nightly-backups');
  await warning.waitFor({ state: 'detached' });
  await formOf(page).getByLabel('Name').fill('nightly-backup');
  await warning.waitFor();
  await page.keyboard.press('Enter');
  await keyOf(page).waitFor();
  const names = (await team.hub.admin.listKeys(`?hubId=${hubId}`)).items.map(({ name }) => name);
  expect(names).toEqual(['nightly-backup', 'nightly-backup']);
  await team.hub.admin.revokeKey(id);
  await leave(s);
});

test('leaves no trace of a key in the page, storage, history or console once its dialog is closed', async () => {
  const { id: hubId } = await team.hub.admin.createHub('Traces');
  const ada = await memberOf(team.hub, hubId);
  const s = await testSession(browser, team.hub, { caller: ada });
  const { page } = s;
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`));
  await page.goto(`/hubs/${hubId}`);
  const key = await issue(page);
  expect(await tracesOf(page, key)).toEqual(['markup']);
  await keyOf(page).getByRole('button', { name: 'Send a test post' }).click();
  await keyOf(page).getByText('Arrived in Traces.').waitFor();
  for (const name of ['hubctl', 'TypeScript', 'GitHub Actions']) await keyOf(page).getByRole('tab', { name }).click();
  await keyOf(page).getByLabel('I’ve saved the key').check();
  await doneOf(page).click();
  await keyOf(page).waitFor({ state: 'detached' });
  // The button that opened the dialog disappears with the first post.
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  expect(await tracesOf(page, key)).toEqual([]);
  expect([...logged, ...asked].filter((text) => text.includes(key))).toEqual([]);
  // The history entry of the dialog is still ahead of the current one. Going there leads back at once.
  await page.waitForFunction(() => !history.state?.layers);
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        addEventListener('popstate', () => addEventListener('popstate', () => resolve(), { once: true }), {
          once: true,
        });
        history.forward();
      }),
  );
  expect(await tracesOf(page, key)).toEqual([]);
  await leave(s);
});

test('does not list a key as never used once its test post has arrived', async () => {
  const admin = await signedIn(team.hub, { role: 'admin' });
  const { id: hubId } = await team.hub.admin.createHub('Tried');
  const s = await testSession(browser, team.hub, { caller: admin });
  const { page } = s;
  await page.goto(`/settings/keys?hub=${hubId}`);
  await issue(page, 'tried-key');
  await keyOf(page).getByRole('button', { name: 'Send a test post' }).click();
  await keyOf(page).getByText('Posted to Tried.').waitFor();
  await keyOf(page).getByLabel('I’ve saved the key').check();
  await doneOf(page).click();
  const row = page.getByRole('row', { name: /tried-key/ });
  await row.getByText('Never used').waitFor({ state: 'detached' });
  expect(await row.count()).toBe(1);
  await leave(s);
});

test('ignores clicks outside the dialog; Escape asks for confirmation, which can be canceled', async () => {
  const s = await atEmptyHub();
  const { page } = s;
  const key = await issue(page);
  const question = page.getByRole('dialog', { name: 'Close without saving the key?' });
  await page.mouse.click(5, 5);
  expect(await keyOf(page).isVisible()).toBe(true);
  expect(await question.count()).toBe(0);
  for (let n = 0; n < 3; n += 1) {
    await page.keyboard.press('Escape');
    await question.getByText('You won’t see this key again.').waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Go back');
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await keyOf(page).locator('.secret code').textContent()).toBe(key);
  }
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Close anyway' }).click();
  await keyOf(page).waitFor({ state: 'detached' });
  expect(await tracesOf(page, key)).toEqual([]);
  await leave(s);
});

test('asks before reloading or going back until the key has been saved', async () => {
  const s = await atEmptyHub();
  const { page, hubId } = s;
  await page.goto('/mentions');
  await page.locator('.side .nav-row', { hasText: 'Backups' }).first().click();
  await page.goto(`/hubs/${hubId}`);
  const key = await issue(page);
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  const reloading = page.waitForEvent('dialog');
  await page.evaluate(() => void setTimeout(() => location.reload()));
  await reloading;
  expect(asked).toEqual(['beforeunload']);
  expect(await keyOf(page).locator('.secret code').textContent()).toBe(key);
  // The dialog's history entry is added a moment after it has opened.
  await page.waitForFunction(() => (history.state as { layers?: number } | null)?.layers === 1);
  await page.evaluate(() => history.back());
  const question = page.getByRole('dialog', { name: 'Close without saving the key?' });
  await question.getByRole('button', { name: 'Go back' }).click();
  expect(page.url()).toEndWith(`/hubs/${hubId}`);
  expect(await keyOf(page).locator('.secret code').textContent()).toBe(key);
  await keyOf(page).getByLabel('I’ve saved the key').check();
  await page.evaluate(() => history.back());
  await keyOf(page).waitFor({ state: 'detached' });
  expect(page.url()).toEndWith(`/hubs/${hubId}`);
  await page.evaluate(() => {
    document.documentElement.setAttribute('data-before', '');
    setTimeout(() => location.reload());
  });
  await page.locator('html:not([data-before])').getByRole('button', { name: 'Issue a key' }).waitFor();
  expect(asked).toHaveLength(1);
  await leave(s);
});

test('sends a test post with the real key and shows its arrival, while the dialog stays open over the changing page', async () => {
  const s = await atEmptyHub();
  const { page, hubId, ada, context } = s;
  await issue(page);
  await keyOf(page).getByRole('button', { name: 'Send a test post' }).click();
  await keyOf(page)
    .getByText(/^Arrived in Backups/)
    .waitFor();
  const { body } = await ada.json<{ items: Message[] }>('GET', `/hubs/${hubId}/messages`);
  expect(body.items.map(({ text, key }) => [text, key?.name])).toEqual([
    ['A test post: this key works.', 'nightly-backup'],
  ]);
  const opened = context.waitForEvent('page');
  await keyOf(page).getByRole('link', { name: 'View post' }).click();
  const tab = await opened;
  await tab.getByText('A test post: this key works.').first().waitFor();
  await tab.close();
  const [issued] = (await team.hub.admin.listKeys(`?hubId=${hubId}`)).items;
  await team.hub.admin.revokeKey(issued?.id ?? '');
  await keyOf(page).getByRole('button', { name: 'Send another test post' }).click();
  await keyOf(page).getByText('Not sent.').waitFor();
  expect(s.problems.filter((problem) => !problem.includes('status of 401'))).toEqual([]);
  await context.close();
});

test('lets an admin issue a key for a Hub they are not a member of, and says so after a test post', async () => {
  const { id: hubId } = await team.hub.admin.createHub('Elsewhere');
  const admin = await memberOf(team.hub, team.hubId, { role: 'admin' });
  const s = await testSession(browser, team.hub, { caller: admin });
  const { page } = s;
  await page.goto(`/hubs/${team.hubId}`);
  await page.getByRole('button', { name: 'Hub options' }).click();
  await page.getByRole('menuitem', { name: 'Issue a key' }).click();
  const form = formOf(page);
  await form.getByLabel('Hub', { exact: true }).selectOption('Elsewhere');
  await form.getByLabel('Name').fill('ci');
  await form.getByLabel('Messages').uncheck();
  await form.getByRole('button', { name: 'Issue key' }).click();
  await form.getByText('Choose at least one permission.').waitFor();
  await form.getByLabel('To-dos').check();
  await form.getByLabel('90 days').check();
  await form.getByRole('button', { name: 'Issue key' }).click();
  await keyOf(page).getByText('This is the only time it’s shown.').waitFor();
  await keyOf(page).getByRole('button', { name: 'Send a test post' }).click();
  await keyOf(page).getByText('Posted to Elsewhere. You’re not a member of this Hub').waitFor();
  const [key] = (await team.hub.admin.listKeys(`?hubId=${hubId}`)).items as [ApiKey];
  expect([key.scopes, key.postCount]).toEqual([['todos:create'], 1]);
  expect(Date.parse(key.expiresAt ?? '') - Date.parse(key.createdAt)).toBe(90 * 86_400_000);
  await leave(s);
});

test('offers no lifetime above the maximum of the workspace, and preselects the maximum', async () => {
  await using own = await startTeam();
  await own.hub.admin.raw('PATCH', '/workspace', { longestKeyLifetimeDays: 60, botName: 'Printer' });
  const { id: hubId } = await own.hub.admin.createHub('Limited');
  const ada = await memberOf(own.hub, hubId);
  const s = await testSession(browser, own.hub, { caller: ada });
  const { page } = s;
  await page.goto(`/hubs/${hubId}`);
  await page.getByRole('button', { name: 'Issue a key' }).click();
  const form = formOf(page);
  await form.getByText('Keys in this workspace can last at most 60 days.').waitFor();
  expect(await form.getByRole('radio').count()).toBe(3);
  expect(await form.getByLabel('60 days').isChecked()).toBe(true);
  await form.getByLabel('Custom date').check();
  await form.getByLabel('Name').fill('ci');
  await page.keyboard.press('Enter');
  await form.getByText('Choose an expiry date.').waitFor();
  expect(await form.getByLabel('Expiry date').getAttribute('max')).toMatch(/^\d{4}-\d\d-\d\d$/);
  await form.getByLabel('30 days').check();
  await page.keyboard.press('Enter');
  await keyOf(page).waitFor();
  await own.hub.admin.raw('PATCH', '/workspace', { membersManageKeys: false });
  await keyOf(page).getByLabel('I’ve saved the key').check();
  await page.keyboard.press('Escape');
  await keyOf(page).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Issue a key' }).click();
  await page.getByText('Only admins can manage keys in this workspace.').waitFor();
  await leave(s);
});

test.each([WIDE, PHONE])(
  'has no axe violations at $width px in either theme, with form errors, a new key, the confirmation or a test post',
  async (look) => {
    const s = await atEmptyHub({ look });
    const { page } = s;
    await page.getByRole('button', { name: 'Issue a key' }).click();
    await formOf(page).getByLabel('Messages').uncheck();
    await formOf(page).getByLabel('Custom date').check();
    await formOf(page).getByRole('button', { name: 'Issue key' }).click();
    await formOf(page).getByText('Enter a name').waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    await formOf(page).getByRole('button', { name: 'Cancel' }).click();
    await issue(page);
    expect(await axeInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Close without saving the key?' }).waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await keyOf(page).getByRole('button', { name: 'Send a test post' }).click();
    await keyOf(page).getByText('Arrived in').waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await leave(s);
  },
);
