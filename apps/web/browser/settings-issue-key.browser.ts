import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { ApiKey, Message } from '@hub/contract';
import type { Browser, Page } from 'playwright-core';
import { startTeam } from '../../api/src/testing/team.ts';
import { memberOf, signedIn, type UserCaller } from '../../api/src/testing/users.ts';
import { axeInBothThemes } from './axe.ts';
import { type Look, PHONE, startBrowser, type TestSession, testSession, WIDE } from './browser.ts';
import { LIVE_MS } from './hub-test-sessions.ts';

type StartedTeam = Awaited<ReturnType<typeof startTeam>>;

let browser: Browser;
let team: StartedTeam;
beforeAll(async () => {
  browser = await startBrowser();
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

/** A Hub in which nothing is yet, open before who may issue keys for it. */
async function atEmptyHub({ look, caller }: { look?: Look; caller?: UserCaller } = {}) {
  const { id: hubId } = await team.hub.admin.createHub('Backups');
  const ada = caller ?? (await memberOf(team.hub, hubId, { name: 'Ada Lovelace' }));
  const taken = await testSession(browser, team.hub, { caller: ada, ...(look ? { look } : {}) });
  await taken.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await taken.page.goto(`/hubs/${hubId}`);
  return { ...taken, hubId, ada };
}

async function issue(page: Page, name = 'nightly-backup'): Promise<string> {
  await page.getByRole('button', { name: 'Issue a key' }).first().click();
  await formOf(page).getByLabel('Name').fill(name);
  await page.keyboard.press('Enter');
  await keyOf(page).waitFor();
  return (await keyOf(page).locator('.secret code').textContent()) ?? '';
}

async function leave({ problems, context }: TestSession): Promise<void> {
  expect(problems).toEqual([]);
  await context.close();
}

/** Whether a key is anywhere in the page: markup, fields, both storages, history, address, title. */
const tracesOf = (page: Page, key: string) =>
  page.evaluate((key) => {
    const fields = [...document.querySelectorAll('input, textarea')].map((field) => (field as HTMLInputElement).value);
    const places: Record<string, string> = {
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
    return Object.keys(places).filter((place) => places[place]?.includes(key));
  }, key);

test('from an empty Hub: a name and Enter, the key is there with Copy under the finger; copied, Done closes it', async () => {
  const s = await atEmptyHub();
  const { page, hubId } = s;
  const key = await issue(page);
  expect(key).toMatch(KEY);
  await keyOf(page).getByText('It posts messages into Backups and never expires.').waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Copy the key');
  expect(await doneOf(page).isDisabled()).toBe(true);
  await page.keyboard.press('Enter');
  await keyOf(page).getByRole('button', { name: 'Copied the key' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await doneOf(page).click();
  await keyOf(page).waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.textContent === 'Issue a key');
  const { items } = await team.hub.admin.listKeys(`?hubId=${hubId}`);
  expect(items.map(({ name, scopes, expiresAt }) => [name, scopes, expiresAt])).toEqual([
    ['nightly-backup', ['messages:create'], null],
  ]);
  await page.getByRole('link', { name: 'Keys that post here: 1' }).waitFor();
  await team.hub.admin.revokeKey(items[0]?.id ?? '');
  await page.getByRole('link', { name: 'Keys that post here: 0' }).waitFor({ timeout: LIVE_MS });
  await leave(s);
});

test('a key leaves no trace once its dialog is closed: not in the page, in storages, the history or the console', async () => {
  const { id: hubId } = await team.hub.admin.createHub('Traces');
  const ada = await memberOf(team.hub, hubId);
  const s = await testSession(browser, team.hub, { caller: ada });
  const { page } = s;
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`));
  await page.goto(`/hubs/${hubId}`);
  const key = await issue(page);
  expect(await tracesOf(page, key)).toEqual(['markup']);
  await keyOf(page).getByRole('button', { name: 'Send a test post' }).click();
  await keyOf(page).getByText('It has arrived in Traces.').waitFor();
  for (const name of ['hubctl', 'TypeScript', 'GitHub Actions']) await keyOf(page).getByRole('tab', { name }).click();
  await keyOf(page).getByLabel('I have stored the key').check();
  await doneOf(page).click();
  await keyOf(page).waitFor({ state: 'detached' });
  // What one came from is gone with the first post.
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  expect(await tracesOf(page, key)).toEqual([]);
  expect([...said, ...asked].filter((text) => text.includes(key))).toEqual([]);
  // The entry that lay above the page while it was held is still there, ahead.
  const untilCovered = (isCovered: boolean) =>
    page.waitForFunction((is) => Boolean(history.state?.isCover) === is, isCovered);
  await untilCovered(false);
  await page.evaluate(() => history.forward());
  await untilCovered(true);
  expect(await tracesOf(page, key)).toEqual([]);
  await leave(s);
});

test('in the list of keys, a key whose test post has arrived is not said to be never used', async () => {
  const admin = await signedIn(team.hub, { role: 'admin', name: 'Grace Hopper' });
  const { id: hubId } = await team.hub.admin.createHub('Tried');
  const s = await testSession(browser, team.hub, { caller: admin });
  const { page } = s;
  await page.goto(`/settings/keys?hub=${hubId}`);
  await issue(page, 'tried-key');
  await keyOf(page).getByRole('button', { name: 'Send a test post' }).click();
  await keyOf(page).getByText('It is in Tried.').waitFor();
  await keyOf(page).getByLabel('I have stored the key').check();
  await doneOf(page).click();
  const row = page.getByRole('row', { name: /tried-key/ });
  await row.getByText('Never used').waitFor({ state: 'detached' });
  expect(await row.count()).toBe(1);
  await leave(s);
});

test('a press beside it does nothing, Escape asks, and what is asked can be taken back', async () => {
  const s = await atEmptyHub();
  const { page } = s;
  const key = await issue(page);
  const question = page.getByRole('dialog', { name: 'Close without the key?' });
  await page.mouse.click(5, 5);
  expect(await keyOf(page).isVisible()).toBe(true);
  expect(await question.count()).toBe(0);
  for (let n = 0; n < 3; n += 1) {
    await page.keyboard.press('Escape');
    await question.getByText('It cannot be shown again.').waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Back to the key');
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await keyOf(page).locator('.secret code').textContent()).toBe(key);
  }
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Close without the key' }).click();
  await keyOf(page).waitFor({ state: 'detached' });
  expect(await tracesOf(page, key)).toEqual([]);
  await leave(s);
});

test('a reload and the way back ask while the key is not stored, and not any more then', async () => {
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
  await page.evaluate(() => history.back());
  const question = page.getByRole('dialog', { name: 'Close without the key?' });
  await question.getByRole('button', { name: 'Back to the key' }).click();
  expect(page.url()).toEndWith(`/hubs/${hubId}`);
  expect(await keyOf(page).locator('.secret code').textContent()).toBe(key);
  await keyOf(page).getByLabel('I have stored the key').check();
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

test('a test post goes out with the real key and is seen arriving, while the dialog stays over what changes below it', async () => {
  const s = await atEmptyHub();
  const { page, hubId, ada, context } = s;
  await issue(page);
  await keyOf(page).getByRole('button', { name: 'Send a test post' }).click();
  await keyOf(page).getByText('It has arrived in Backups.').waitFor();
  const { body } = await ada.json<{ items: Message[] }>('GET', `/hubs/${hubId}/messages`);
  expect(body.items.map(({ text, key }) => [text, key?.name])).toEqual([
    ['A test post: this key works.', 'nightly-backup'],
  ]);
  const opened = context.waitForEvent('page');
  await keyOf(page).getByRole('link', { name: 'See it' }).click();
  const tab = await opened;
  await tab.getByText('A test post: this key works.').first().waitFor();
  await tab.close();
  const [issued] = (await team.hub.admin.listKeys(`?hubId=${hubId}`)).items;
  await team.hub.admin.revokeKey(issued?.id ?? '');
  await keyOf(page).getByRole('button', { name: 'Send another' }).click();
  await keyOf(page).getByText('Not sent.').waitFor();
  expect(s.problems.filter((problem) => !problem.includes('status of 401'))).toEqual([]);
  await context.close();
});

test('an admin issues for a Hub that he does not read, and is told so when he tries the key', async () => {
  const { id: hubId } = await team.hub.admin.createHub('Elsewhere');
  const admin = await memberOf(team.hub, team.hubId, { role: 'admin', name: 'Grace Hopper' });
  const s = await testSession(browser, team.hub, { caller: admin });
  const { page } = s;
  await page.goto(`/hubs/${team.hubId}`);
  await page.getByRole('button', { name: 'More about this Hub' }).click();
  await page.getByRole('menuitem', { name: 'Issue a key' }).click();
  const form = formOf(page);
  await form.getByLabel('Posts into').selectOption('Elsewhere');
  await form.getByLabel('Name').fill('ci');
  await form.getByLabel('Messages').uncheck();
  await form.getByRole('button', { name: 'Issue the key' }).click();
  await form.getByText('Choose at least one.').waitFor();
  await form.getByLabel('To-dos').check();
  await form.getByLabel('90 days').check();
  await form.getByRole('button', { name: 'Issue the key' }).click();
  await keyOf(page).getByText('It posts to-dos into Elsewhere, until').waitFor();
  await keyOf(page).getByRole('button', { name: 'Send a test post' }).click();
  await keyOf(page).getByText('It is in Elsewhere. You do not belong to that Hub').waitFor();
  const [key] = (await team.hub.admin.listKeys(`?hubId=${hubId}`)).items as [ApiKey];
  expect([key.scopes, key.postCount]).toEqual([['todos:create'], 1]);
  expect(Date.parse(key.expiresAt ?? '') - Date.parse(key.createdAt)).toBe(90 * 86_400_000);
  await leave(s);
});

test('where the workspace has a longest lifetime, no longer one is offered and the longest is chosen', async () => {
  await using own = await startTeam();
  await own.hub.admin.raw('PATCH', '/workspace', { longestKeyLifetimeDays: 60, botName: 'Printer' });
  const { id: hubId } = await own.hub.admin.createHub('Limited');
  const ada = await memberOf(own.hub, hubId);
  const s = await testSession(browser, own.hub, { caller: ada });
  const { page } = s;
  await page.goto(`/hubs/${hubId}`);
  await page.getByRole('button', { name: 'Issue a key' }).click();
  const form = formOf(page);
  await form.getByText('Keys of this workspace last 60 days at most.').waitFor();
  await form.getByText('“Printer via nightly-backup”').waitFor();
  expect(await form.getByRole('radio').count()).toBe(3);
  expect(await form.getByLabel('60 days').isChecked()).toBe(true);
  await form.getByLabel('A date').check();
  await form.getByLabel('Name').fill('ci');
  await page.keyboard.press('Enter');
  await form.getByText('Choose the last day on which it works.').waitFor();
  expect(await form.getByLabel('Last day on which it works').getAttribute('max')).toMatch(/^\d{4}-\d\d-\d\d$/);
  await form.getByLabel('30 days').check();
  await page.keyboard.press('Enter');
  await keyOf(page).waitFor();
  await own.hub.admin.raw('PATCH', '/workspace', { membersManageKeys: false });
  await keyOf(page).getByLabel('I have stored the key').check();
  await page.keyboard.press('Escape');
  await keyOf(page).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Issue a key' }).click();
  await page.getByText('In this workspace only admins manage keys.').waitFor();
  await leave(s);
});

test.each([WIDE, PHONE])(
  'axe finds nothing at $width px, in either theme: form with faults, key, question, test post',
  async (look) => {
    const s = await atEmptyHub({ look });
    const { page } = s;
    await page.getByRole('button', { name: 'Issue a key' }).click();
    await formOf(page).getByLabel('Messages').uncheck();
    await formOf(page).getByLabel('A date').check();
    await formOf(page).getByRole('button', { name: 'Issue the key' }).click();
    await formOf(page).getByText('Type a name').waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    await formOf(page).getByRole('button', { name: 'Cancel' }).click();
    await issue(page);
    expect(await axeInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Close without the key?' }).waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await keyOf(page).getByRole('button', { name: 'Send a test post' }).click();
    await keyOf(page).getByText('It has arrived').waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await leave(s);
  },
);
