import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { PHONE, TABLET, type TestSession, testBrowser, testSession, WIDE } from '@hub/testkit/browser/browser';
import { LIVE_MS } from '@hub/testkit/browser/hub-test-sessions';
import { leave, startKeysFixture } from '@hub/testkit/browser/keys-fixture';
import { smallTouchTargets } from '@hub/testkit/browser/touch-targets';
import { post } from '@hub/testkit/in-process/test-hub';
import { adminJson, signedIn } from '@hub/testkit/in-process/users';
import type { Browser, Locator, Page } from 'playwright-core';

let browser: Browser;
let fixture: Awaited<ReturnType<typeof startKeysFixture>>;
beforeAll(async () => {
  browser = await testBrowser();
  fixture = await startKeysFixture();
}, 60_000);
afterAll(async () => {
  await browser.close();
  await fixture[Symbol.asyncDispose]();
});

const row = (page: Page, id: string) => page.locator(`tr[data-row-id="${id}"]`);

const isWrong = (field: Locator) =>
  field.evaluate((element) => element.ariaInvalid === 'true' && element === document.activeElement);

async function atKeys(query = '', options: Parameters<typeof testSession>[2] = {}): Promise<TestSession> {
  const opened = await testSession(browser, fixture.hub, { caller: fixture.mara, ...options });
  await opened.page.goto(`/settings/keys${query}`);
  await opened.page.getByRole('heading', { name: 'API keys' }).waitFor();
  return opened;
}

describe('the list of keys', () => {
  test('shows the state, permissions, issuer, last use and address of each key', async () => {
    const mara = await atKeys('?over=true');
    const { page } = mara;
    const { canary, backup, load, probe, rotated, pipeline } = fixture.keys;
    await page.getByRole('table', { name: /^Releases/ }).waitFor();
    await page.getByRole('heading', { name: /^Releases \d of \d keys work$/ }).waitFor();
    const text = async (id: string) => ((await row(page, id).textContent()) ?? '').replaceAll(/\s+/g, ' ');
    expect(await text(canary.id)).toMatch(
      /canary-watch ?hub_live_….{4} by Mara Lindqvist.*Blocked, \d:\d\d left.*10\.0\.4\.31/,
    );
    expect(await text(backup.id)).toMatch(/Expires in [67] days/);
    expect(await text(load.id)).toMatch(/Expired/);
    expect(await text(probe.id)).toMatch(/Revoked/);
    expect(await text(rotated.id)).toMatch(/Active.*(?:Never expires|Until [^,]+), rotated 4\d min ago/);
    expect(await text(pipeline.id)).toMatch(
      /Old key.*Expires in 23 h \d+ min.*10\.0\.4\.22 only.*1 of 2 machines switched/,
    );
    const sparkline = row(page, canary.id).getByRole('img');
    expect(await sparkline.getAttribute('aria-label')).toMatch(/posts in the last 30 days, blocked on 1 day$/);
    await leave(mara);
  });

  test('a link to a revoked key shows its details', async () => {
    const mara = await atKeys(`?key=${fixture.keys.probe.id}`);
    await row(mara.page, fixture.keys.probe.id).locator('[aria-expanded="true"]').waitFor();
    expect(new URL(mara.page.url()).searchParams.get('over')).toBe('true');
    await leave(mara);
  });

  test('hides revoked and expired keys until requested, filters by state, and keeps both in the URL', async () => {
    const mara = await atKeys();
    const { page } = mara;
    await row(page, fixture.keys.canary.id).waitFor();
    expect(await row(page, fixture.keys.probe.id).count()).toBe(0);
    await page.getByRole('button', { name: 'Show revoked and expired' }).click();
    await row(page, fixture.keys.probe.id).waitFor();
    await page.getByRole('button', { name: 'State: Any state' }).click();
    await page.getByRole('menuitemradio', { name: 'Blocked' }).click();
    await row(page, fixture.keys.probe.id).waitFor({ state: 'detached' });
    expect(await page.locator('tr[data-row-id]').count()).toBe(1);
    expect(new URL(page.url()).search).toBe('?over=true&state=blocked');
    await leave(mara);
  });

  test('marks keys of a deleted Hub, and offers no action that would fail', async () => {
    const { id: hubId } = await fixture.hub.admin.createHub('Old website');
    const { id } = await fixture.hub.admin.issueKey({ hubId, name: 'old-forms' });
    await fixture.hub.admin.deleteHub(hubId);
    const mara = await atKeys();
    const { page } = mara;
    const count = page.getByRole('button', { name: '3 keys never expire' });
    await count.waitFor();
    expect(await row(page, id).count()).toBe(0);
    await page.getByRole('button', { name: 'Show revoked and expired' }).click();
    await row(page, id).getByText('Hub deleted').waitFor();
    await page.getByRole('table', { name: /^Old website, deleted/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Rotate old-forms' }).count()).toBe(0);
    await page.getByRole('button', { name: 'More actions for old-forms' }).click();
    const offered = await page.getByRole('menuitem').allTextContents();
    expect(offered).toEqual([
      'Show details',
      'View posts',
      'RevokeIf its program no longer posts: this key stops immediately.',
    ]);
    await leave(mara);
  });

  test('shows the details of a key below its row, including by keyboard', async () => {
    const mara = await atKeys();
    const { page } = mara;
    const { canary } = fixture.keys;
    const name = row(page, canary.id).getByRole('button', { name: 'canary-watch', exact: true });
    await name.focus();
    await page.keyboard.press('Enter');
    const detail = page.locator('.details-row');
    await detail.getByText('Blocked by server').waitFor();
    await detail.getByText('Issued by Mara Lindqvist').waitFor();
    await detail.getByText('10.0.4.31', { exact: true }).waitFor();
    expect(await name.getAttribute('aria-expanded')).toBe('true');
    expect(new URL(page.url()).searchParams.get('key')).toBe(canary.id);
    await leave(mara);
  });

  for (const look of [WIDE, PHONE]) {
    test(`closes the details of a key on Back, and leaves no entry when closed by their button, at ${look.width} px`, async () => {
      const mara = await atKeys('', { look });
      const { page } = mara;
      await page.goto('/settings/tokens');
      await page.goto('/settings/keys');
      const { canary, rotated } = fixture.keys;
      const detail = page.locator('.details-row');
      const name = row(page, canary.id).getByRole('button', { name: 'canary-watch', exact: true });
      const search = () => new URL(page.url()).search;
      await name.click();
      await detail.waitFor();
      await page.goBack();
      await detail.waitFor({ state: 'detached' });
      expect(search()).toBe('');
      await page.goForward();
      await detail.waitFor();
      // Filters stay when the details are closed.
      await page.getByRole('button', { name: 'Show revoked and expired' }).click();
      await row(page, fixture.keys.probe.id).waitFor();
      await name.click();
      await detail.waitFor({ state: 'detached' });
      await page.waitForURL('/settings/keys?over=true');
      await row(page, fixture.keys.probe.id).waitFor();
      // By the menu, which is a layer on phones, and from one key to the next.
      const choose = async (item: string) => {
        await page.getByRole('button', { name: 'More actions for deploy-pipeline', exact: true }).click();
        await page.getByRole('menuitem', { name: item }).click();
        await page.getByRole('menu').waitFor({ state: 'detached' });
      };
      await choose('Show details');
      await detail.getByText('Rotated from').waitFor();
      await detail.getByRole('button', { name: fixture.keys.pipeline.id }).click();
      await detail.getByText('Rotated to').waitFor();
      await page.goBack();
      await detail.getByText('Rotated from').waitFor();
      expect(search()).toContain(rotated.id);
      await detail.getByRole('button', { name: fixture.keys.pipeline.id }).click();
      await detail.getByText('Rotated to').waitFor();
      await choose('Show details');
      await detail.getByText('Rotated from').waitFor();
      await choose('Hide details');
      await detail.waitFor({ state: 'detached' });
      await page.waitForURL('/settings/keys?over=true');
      await page.goBack();
      await page.waitForURL('/settings/tokens');
      await leave(mara);
    });
  }

  test('gives the details of a key the full width of the list at every window width', async () => {
    const wrong: string[] = [];
    for (const width of [360, 600, 768, 1024, 1179, 1280]) {
      const mara = await atKeys(`?key=${fixture.keys.canary.id}`, { look: { ...WIDE, width } });
      const detail = mara.page.locator('.key-detail-in');
      await detail.getByText('Issued by Mara Lindqvist').waitFor();
      const [table = 0, details = 0] = await Promise.all(
        [mara.page.locator('table.keys').first(), detail].map(async (part) => (await part.boundingBox())?.width ?? 0),
      );
      if (details < table * 0.9) wrong.push(`${width}: ${details} of ${table}`);
      await leave(mara);
    }
    expect(wrong).toEqual([]);
  });

  test('has no axe violations in a wide or narrow window in either theme', async () => {
    for (const look of [WIDE, PHONE]) {
      const mara = await atKeys(`?over=true&key=${fixture.keys.canary.id}`, { look });
      const { page } = mara;
      await page.locator('.details-row').getByText('Blocked by server').waitFor();
      expect(await axeInBothThemes(page)).toEqual([]);
      // The search field appears with more than a handful of keys.
      const find = page.getByRole('searchbox', { name: 'Find a key by name or last characters' });
      const { x, width } = await find.evaluate((field) => field.getBoundingClientRect());
      expect(x + width).toBeLessThanOrEqual(look.width);
      const cells = row(page, fixture.keys.canary.id).getByRole('cell');
      expect(await cells.count()).toBe(6);
      expect(await cells.locator('.scope').isVisible()).toBe(true);
      await leave(mara);
    }
  });

  test('keeps the usage bars clear of the buttons on a tablet', async () => {
    const mara = await atKeys('', { look: TABLET });
    const { page } = mara;
    const canary = row(page, fixture.keys.canary.id);
    const bars = await canary.getByRole('img').evaluate((element) => element.getBoundingClientRect());
    const buttons = await canary
      .locator('.actions button')
      .evaluateAll((all) => all.map((element) => element.getBoundingClientRect()));
    expect(buttons.length).toBeGreaterThan(0);
    for (const { left, bottom } of buttons) expect(bars.right <= left || bars.top >= bottom).toBe(true);
    expect(await smallTouchTargets(page)).toEqual([]);
    await leave(mara);
  });
});

describe('the findings', () => {
  test('are listed with actions that fix them', async () => {
    const mara = await atKeys();
    const { page } = mara;
    const doctor = page.getByRole('region', { name: /keys need attention$/ });
    await doctor.getByText('nightly-backup expires on').waitFor();
    await doctor.getByText('canary-watch is blocked now for sending more than 60 requests a minute.').waitFor();
    await doctor.getByRole('button', { name: '2 keys were never used' }).click();
    await doctor.getByText('restore-drill was issued').waitFor();
    // Several keys with the same finding share a line with their count.
    expect(await doctor.locator('.finding').count()).toBe(5);
    expect(await doctor.getByRole('heading').textContent()).toContain('4 keys need attention');
    await doctor.getByRole('button', { name: '3 keys never expire', expanded: false }).click();
    await doctor.getByText('restore-drill never expires.').waitFor();
    await doctor.getByText('deploy-pipeline', { exact: true }).waitFor({ state: 'detached' });
    await doctor.getByRole('button', { name: 'Rotate nightly-backup' }).click();
    await page.getByRole('dialog', { name: 'Rotate nightly-backup?' }).waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    await leave(mara);
  });

  test('let the user replace a key that has unused permissions with a narrower one, then revoke the old key', async () => {
    const mara = await atKeys();
    const { page } = mara;
    const { backup } = fixture.keys;
    await page.getByRole('button', { name: 'Issue a key with fewer permissions nightly-backup' }).click();
    const form = page.getByRole('dialog', { name: 'Issue a key' });
    expect(await form.getByLabel('Name').inputValue()).toBe('nightly-backup');
    expect(await form.locator('.pick:has([type="checkbox"]:checked)').allTextContents()).toEqual(['Messages']);
    await form.getByRole('button', { name: 'Issue key' }).click();
    const once = page.getByRole('dialog', { name: 'Copy the key for nightly-backup' });
    await once.getByText(`The old key, nightly-backup (${backup.hint}), still works`).waitFor();
    await once.getByLabel('I’ve saved the key').check();
    await once.getByRole('button', { name: 'Done' }).click();
    const stop = page.getByRole('dialog', { name: 'Revoke nightly-backup?' });
    await stop.getByRole('textbox').fill('nightly-backup');
    await stop.getByRole('button', { name: 'Revoke now' }).click();
    await row(page, backup.id).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByText('nightly-backup can create to-dos but never has').waitFor({ state: 'detached' });
    await leave(mara);
  });
});

describe('a user who cannot manage keys', () => {
  test('sees that only admins can manage keys', async () => {
    await adminJson(fixture.hub, 'PATCH', '/workspace', { membersManageKeys: false });
    try {
      const ada = await atKeys('', { caller: fixture.ada });
      await ada.page.getByText('Only admins can manage keys').waitFor();
      expect(await axeInBothThemes(ada.page)).toEqual([]);
      // The browser logs the failed request.
      expect(ada.problems.filter((problem) => !problem.includes('status of 403'))).toEqual([]);
      await adminJson(fixture.hub, 'PATCH', '/workspace', { membersManageKeys: true });
      await row(ada.page, fixture.keys.canary.id).waitFor({ timeout: LIVE_MS });
      await ada.context.close();
    } finally {
      await adminJson(fixture.hub, 'PATCH', '/workspace', { membersManageKeys: true });
    }
  });

  test('sees only the keys of their own Hubs, and an empty state if there are none', async () => {
    const stranger = await signedIn(fixture.hub);
    const opened = await atKeys('', { caller: stranger });
    await opened.page.getByText('No keys yet').waitFor();
    expect(await axeInBothThemes(opened.page)).toEqual([]);
    await leave(opened);
  });
});

test('preselects no Hub in the settings, shows errors at their fields, and continues after the user signs in again', async () => {
  const { id: hubId } = await fixture.hub.admin.createHub('Alarms');
  const caller = await signedIn(fixture.hub, { role: 'admin', name: 'Joan Clarke' });
  const joan = await atKeys('', { caller });
  const { page } = joan;
  await page.getByRole('button', { name: 'Issue a key' }).first().click();
  const form = page.getByRole('dialog', { name: 'Issue a key' });
  await form.getByLabel('Name').fill('ci');
  expect(await form.getByLabel('Hub', { exact: true }).locator('option:checked').textContent()).toBe('Choose a Hub');
  await form.getByRole('button', { name: 'Issue key' }).click();
  await form.getByText('Choose a Hub to post to.').waitFor();
  await form.getByLabel('Hub', { exact: true }).selectOption('Alarms');
  await form.getByText('Choose a Hub to post to.').waitFor({ state: 'detached' });

  // An error appears at its field, which gets the focus.
  await form.getByLabel('Custom date').check();
  const day = form.getByLabel('Expiry date');
  await day.fill('2020-01-01');
  await form.getByRole('button', { name: 'Issue key' }).click();
  await form.getByText('That date has passed. Choose a later one.').waitFor();
  expect(await isWrong(day)).toBe(true);
  await form.getByLabel('Never').check();
  const name = form.getByLabel('Name');
  await name.fill('c\u200bi');
  await form.getByRole('button', { name: 'Issue key' }).click();
  await form.getByText('The name cannot contain invisible characters: remove U+200B.').waitFor();
  expect(await isWrong(name)).toBe(true);
  await name.fill('ci');

  // Clear the session cookie: before the page asks for the password, it checks whether the browser has a session.
  await joan.context.clearCookies();
  await form.getByRole('button', { name: 'Issue key' }).click();
  await page.getByRole('textbox', { name: 'Password' }).fill(caller.user.password);
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Password' }).waitFor({ state: 'detached' });
  expect(await form.textContent()).not.toContain('Sign in');
  await form.getByRole('button', { name: 'Issue key' }).click();
  await page.getByText('This is the only time it’s shown.').waitFor();

  await page.goto(`/settings/keys?hub=${hubId}`);
  await page.getByRole('button', { name: 'Issue a key' }).first().click();
  expect(await form.getByLabel('Hub', { exact: true }).inputValue()).toBe(hubId);
  expect(joan.problems.filter((problem) => !/status of 40[01]/.test(problem))).toEqual([]);
  await joan.context.close();
});

test('shows changes to keys by one admin to the other within a second', async () => {
  const jonas = await signedIn(fixture.hub, { role: 'admin', name: 'Jonas Weber' });
  const [one, other] = [await atKeys(), await atKeys('', { caller: jonas })];
  const { id: hubId } = await fixture.hub.admin.createHub('Website');
  const issued = await fixture.hub.admin.issueKey({ hubId, name: 'website-forms' });
  for (const { page } of [one, other]) await row(page, issued.id).waitFor({ timeout: LIVE_MS });

  await one.page.getByRole('button', { name: 'More actions for website-forms' }).click();
  await one.page.getByRole('menuitem', { name: 'Revoke' }).click();
  const dialog = one.page.getByRole('dialog', { name: 'Revoke website-forms?' });
  await dialog.getByRole('textbox').fill('website-forms');
  await dialog.getByRole('button', { name: 'Revoke now' }).click();
  await row(other.page, issued.id).waitFor({ state: 'detached', timeout: LIVE_MS });
  expect((await post(fixture.hub, 'messages', issued.key, { text: 'too late' })).status).toBe(401);
  for (const opened of [one, other]) await leave(opened);
});

test('shows 500 keys in one list, and finds them by name', async () => {
  const { id: hubId } = await fixture.hub.admin.createHub('Fleet');
  for (let n = 0; n < 500; n += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => fixture.hub.admin.issueKey({ hubId, name: `truck-${n + index}` })),
    );
  }
  const mara = await atKeys(`?hub=${hubId}`);
  const { page } = mara;
  await page.getByText('500 keys', { exact: true }).waitFor();
  const started = Date.now();
  await page.getByRole('searchbox').fill('truck-499');
  await page.locator('.keys tr[data-row-id]').nth(1).waitFor({ state: 'detached' });
  expect(Date.now() - started).toBeLessThan(1_000);
  // The last characters of a leaked key are enough to find it, and the URL contains no more of it.
  const leaked = await fixture.hub.admin.issueKey({ hubId, name: 'stolen' });
  await page.getByRole('searchbox').fill(leaked.key);
  await row(page, leaked.id).waitFor();
  expect(new URL(page.url()).searchParams.get('name')).toBe(leaked.key.slice(-4));
  await fixture.hub.admin.revokeKey(leaked.id);
  await page.getByRole('searchbox').fill('');
  await page.getByRole('button', { name: 'Show 440 more' }).click();
  await page.getByText('truck-499', { exact: true }).first().waitFor();
  await leave(mara);
}, 60_000);
