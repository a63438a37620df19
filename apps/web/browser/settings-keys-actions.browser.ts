import { beforeEach, describe, expect, test } from 'bun:test';
import type { IssuedKey } from '@hub/contract';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { PHONE } from '@hub/testkit/browser/browser';
import { keyManager, leave } from '@hub/testkit/browser/keys-fixture';
import type { Locator, Page } from 'playwright-core';

const { team, issue, postWith, open, choose } = keyManager();
let key: IssuedKey;
let keyCount = 0;
beforeEach(async () => {
  keyCount += 1;
  key = await issue(`canary-${keyCount}`);
});

/** Holds a button until it disappears. */
async function hold(page: Page, button: Locator): Promise<void> {
  const box = await button.boundingBox();
  if (!box) throw new Error('No button to hold');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await button.waitFor({ state: 'detached' });
  await page.mouse.up();
}

describe('revoking a key', () => {
  test('takes three steps on a phone from any post by the key: name, revoke, hold', async () => {
    await postWith(key, 'A leaked secret');
    const opened = await open(`/hubs/${team().hubId}`, { look: PHONE });
    const { page } = opened;
    const message = page.locator('.feed').getByText('A leaked secret');
    await message.waitFor();
    const started = Date.now();
    await page.getByRole('button', { name: `${key.name}: show key` }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    const dialog = page.getByRole('dialog', { name: `Revoke ${key.name}?` });
    await dialog.waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    await hold(page, dialog.getByRole('button', { name: 'Hold to revoke' }));
    expect((await postWith(key, 'too late')).status).toBe(401);
    expect(Date.now() - started).toBeLessThan(30_000);

    const removal = page.getByRole('dialog', { name: `Remove posts by ${key.name}?` });
    await removal.getByText('no longer works').waitFor();
    await removal.getByText('A leaked secret').waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    await removal.getByRole('button', { name: 'Remove 1 post' }).click();
    await message.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await message.waitFor();
    // The panel requests the removed post once, and the browser logs the 404.
    expect(opened.problems.filter((problem) => !problem.includes('status of 404'))).toEqual([]);
    await opened.context.close();
  });

  test('takes five taps on a phone: Settings, API keys, name, revoke, hold; and every page has a back link', async () => {
    const opened = await open('/mentions', { look: PHONE });
    const { page } = opened;
    await page.getByRole('button', { name: /^Hubs/ }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: key.name, exact: true }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await hold(page, page.getByRole('button', { name: 'Hold to revoke' }));
    expect((await postWith(key, 'too late')).status).toBe(401);
    await page.getByRole('link', { name: 'All settings' }).click();
    await page.getByRole('link', { name: 'Close settings' }).click();
    await page.getByRole('heading', { name: 'Mentions', exact: true }).waitFor();
    await leave(opened);
  });

  test('does not happen on a tap, a click or a short key press, after which the dialog says to hold', async () => {
    const opened = await open('/settings/keys');
    const { page } = opened;
    await choose(page, key, 'Revoke');
    const button = page.getByRole('button', { name: 'Hold to revoke' });
    const help = page.getByText('Hold for a second. Space and Enter work too.');
    expect(await help.isVisible()).toBe(false);
    expect(await button.getAttribute('aria-describedby')).toBe(await help.getAttribute('id'));
    await button.click();
    expect(await help.isVisible()).toBe(true);
    await button.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.down('Space');
    await page.keyboard.up('Space');
    expect((await postWith(key, 'still there')).status).toBe(201);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await leave(opened);
  });

  test("works by holding Enter, and the key's posts can be kept", async () => {
    await postWith(key, 'before');
    const opened = await open('/settings/keys');
    const { page } = opened;
    await choose(page, key, 'Revoke');
    const button = page.getByRole('button', { name: 'Hold to revoke' });
    await button.focus();
    await page.keyboard.down('Enter');
    await button.waitFor({ state: 'detached' });
    await page.keyboard.up('Enter');
    expect((await postWith(key, 'too late')).status).toBe(401);
    await page.getByRole('button', { name: 'Keep posts' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await leave(opened);
  });

  test('shows why it failed, and keeps the input', async () => {
    const opened = await open('/settings/keys');
    const { page, context } = opened;
    await choose(page, key, 'Revoke');
    const dialog = page.getByRole('dialog', { name: `Revoke ${key.name}?` });
    await dialog.getByRole('textbox').fill(key.name);
    await context.setOffline(true);
    await dialog.getByRole('button', { name: 'Revoke now' }).click();
    await dialog.getByText('Can’t reach the server').waitFor();
    expect(await dialog.getByRole('textbox').inputValue()).toBe(key.name);
    await context.setOffline(false);
    await dialog.getByRole('button', { name: 'Revoke now' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await postWith(key, 'too late')).status).toBe(401);
    await context.close();
  });
});

describe('replacing a key', () => {
  test('does not trigger the next dialog when the button is held too long', async () => {
    const opened = await open('/settings/keys');
    const { page } = opened;
    await choose(page, key, 'Replace leaked key');
    await page.getByRole('button', { name: 'Hold to replace' }).focus();
    await page.keyboard.down('Enter');
    await page.locator('.secret code').waitFor();
    // A keyboard key that is held down fires repeatedly.
    for (let n = 0; n < 3; n += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    const done = page.getByRole('button', { name: 'Done' });
    expect(await done.isDisabled()).toBe(true);
    expect(await page.getByText('Couldn’t copy.').count()).toBe(0);
    await page.getByText('The old key no longer works').waitFor();
    await page.getByLabel('I’ve saved the key').focus();
    await page.keyboard.press('Space');
    await done.click();
    // The key has no posts, so no removal dialog follows.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await leave(opened);
  });

  test("shows the new key once, rejects the old one, and lets the old key's posts be removed now or later", async () => {
    await postWith(key, 'leaked');
    const opened = await open('/settings/keys');
    const { page } = opened;
    await choose(page, key, 'Replace leaked key');
    const dialog = page.getByRole('dialog', { name: `Replace ${key.name}?` });
    await dialog.getByRole('textbox').fill(key.name);
    await dialog.getByRole('button', { name: 'Replace now' }).click();
    const issued = (await page.locator('.secret code').textContent()) ?? '';
    expect(issued).toMatch(/^hub_live_\w{40}$/);
    expect((await postWith(key, 'old')).status).toBe(401);
    expect((await postWith({ key: issued }, 'new')).status).toBe(201);
    expect(
      await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])),
    ).not.toContain(issued);
    await page.getByLabel('I’ve saved the key').check();
    await page.getByRole('button', { name: 'Done' }).click();
    const removal = page.getByRole('dialog', { name: `Remove posts by the old key of ${key.name}?` });
    await removal.getByRole('button', { name: 'Keep posts' }).click();
    await page
      .locator('tr', { hasText: key.name })
      .getByText(/, replacement issued just now$/)
      .waitFor();
    await choose(page, key, 'Remove the old key’s posts');
    await removal.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: key.name, exact: true }).click();
    await page.getByRole('button', { name: 'Remove the old key’s posts' }).click();
    await removal.getByRole('button', { name: 'Remove 1 post' }).click();
    await page.getByText('1 post removed.').waitFor();
    await leave(opened);
  });
});

describe('rotating a key', () => {
  test('explains the rotation, accepts a lifetime, and lists the old key below its successor until it is revoked', async () => {
    team().hub.setClientAddress('10.0.4.22');
    await postWith(key, 'from the old machine');
    const opened = await open('/settings/keys');
    const { page } = opened;
    await page
      .getByRole('table')
      .getByRole('button', { name: `Rotate ${key.name}`, exact: true })
      .click();
    const avatarOf = (name: string) =>
      page.locator('tr[data-row-id]', { hasText: name }).first().locator('.avatar').getAttribute('class');
    const avatar = await avatarOf(key.name);
    const dialog = page.getByRole('dialog', { name: `Rotate ${key.name}?` });
    await dialog.getByText('You get a new key with the same').waitFor();
    await dialog.getByRole('combobox').selectOption('30');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    const issued = (await page.locator('.secret code').textContent()) ?? '';
    team().hub.setClientAddress('10.0.4.17');
    await postWith({ key: issued }, 'from the new machine');
    await page.goto('/settings/keys');
    const old = page.locator(`tr.is-old[data-row-id="${key.id}"]`);
    await old.getByText('Expires in').waitFor();
    await old.getByRole('button', { name: /^Old key/ }).click();
    const expiry = page.locator('.key-detail-in dt', { hasText: 'Expires' }).locator('+ dd');
    expect(await expiry.textContent()).not.toBe('Never');
    expect(await avatarOf(key.name)).toBe(avatar);
    await old.getByText('1 machine hasn’t switched yet').waitFor();
    await old.getByText('10.0.4.22 only').waitFor();
    expect(await page.locator('body').textContent()).not.toContain(issued);

    await old.getByRole('button', { name: /^Revoke now/ }).click();
    const end = page.getByRole('dialog', { name: `Revoke the old key of ${key.name}?` });
    await end.getByRole('textbox').fill(key.name);
    await end.getByRole('button', { name: 'Revoke now' }).click();
    await old.waitFor({ state: 'detached' });
    expect((await postWith(key, 'too late')).status).toBe(401);
    await leave(opened);
  });
});

test('immediately tells a user who has the revoke dialog open that someone else has revoked the key', async () => {
  const opened = await open('/settings/keys');
  const { page } = opened;
  await choose(page, key, 'Revoke');
  const dialog = page.getByRole('dialog', { name: `Revoke ${key.name}?` });
  await dialog.getByRole('textbox').fill(key.name);
  await team().hub.admin.revokeKey(key.id);
  const revokedDialog = page.getByRole('dialog', { name: `${key.name} is already revoked` });
  await revokedDialog.getByText('This key was revoked by someone else.').waitFor();
  expect(await revokedDialog.getByRole('button').allTextContents()).toEqual(['Close']);
  expect(await revokedDialog.getByRole('textbox').count()).toBe(0);
  expect(await revokedDialog.textContent()).not.toContain('Issue a new one');
  await page.waitForFunction(() => document.activeElement?.textContent === 'Close');
  await page.keyboard.press('Enter');
  await revokedDialog.waitFor({ state: 'detached' });
  await leave(opened);
});

test('tells a user who rotates too late who rotated the key first, and links to the new key', async () => {
  const opened = await open('/settings/keys');
  const { page } = opened;
  await choose(page, key, 'Rotate');
  const dialog = page.getByRole('dialog', { name: `Rotate ${key.name}?` });
  await dialog.waitFor();
  const { body: successor } = await team().bob.json<IssuedKey>('POST', `/keys/${key.id}/rotation`);
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  await dialog.getByText(`Bob Kahn rotated this key just now. The new key is ${successor.hint}.`).waitFor();
  expect(await dialog.textContent()).not.toContain('key_');
  await dialog.getByRole('link', { name: 'Show the new key' }).click();
  await page.locator('.details-row').getByText(successor.id).waitFor();
  await dialog.waitFor({ state: 'detached' });
  // The browser logs the failed request.
  expect(opened.problems.filter((problem) => !problem.includes('status of 409'))).toEqual([]);
  await opened.context.close();
});

test('keeps the details of a key up to date while a program uses it', async () => {
  const opened = await open('/settings/keys');
  const { page } = opened;
  await page.clock.install();
  await page.goto(`/settings/keys?key=${key.id}`);
  const detail = page.locator('.details-row');
  await detail.getByText('0 requests, 0 posts').waitFor();
  team().hub.setClientAddress('10.0.9.9');
  await postWith(key);
  await page.clock.fastForward(60_000);
  await detail.getByText('1 request, 1 post').waitFor();
  await detail.getByText('10.0.9.9').waitFor();
  await leave(opened);
});

describe("removing a key's posts", () => {
  test('shows the count first, can be narrowed to a time range, and can be undone later from the list of removals', async () => {
    await postWith(key, 'the first');
    await postWith(key, 'the second');
    const opened = await open('/settings/keys');
    const { page } = opened;
    await choose(page, key, 'Remove posts');
    const dialog = page.getByRole('dialog', { name: `Remove posts by ${key.name}?` });
    await dialog.getByText('the first').waitFor();
    await dialog.getByRole('combobox').selectOption('time');
    await dialog.getByText('Choose a time.').waitFor();
    await dialog.getByRole('combobox').selectOption('all');
    await dialog.getByRole('button', { name: 'Remove 2 posts' }).click();
    await page.getByText('2 posts removed.').waitFor();
    await choose(page, key, 'Remove posts');
    await dialog.getByText('No posts in that time.').waitFor();
    await dialog.getByRole('button', { name: 'Undo removal of 2 posts' }).click();
    await dialog.getByText('restored', { exact: true }).waitFor();
    await leave(opened);
  });

  test('can be undone in the details of the key, to which the dialog points', async () => {
    await postWith(key, 'a mistake');
    const opened = await open(`/settings/keys?key=${key.id}`);
    const { page } = opened;
    await page.locator('.details-row').getByText('1 request, 1 post').waitFor();
    const removals = page.locator('.details-row').getByRole('region', { name: 'Previous removals' });
    await choose(page, key, 'Remove posts');
    const dialog = page.getByRole('dialog', { name: `Remove posts by ${key.name}?` });
    await dialog.getByText('You can undo this for 30 days in the key’s details on the API keys page.').waitFor();
    await dialog.getByRole('combobox').selectOption('all');
    await dialog.getByRole('button', { name: 'Remove 1 post' }).click();
    await removals.getByRole('button', { name: 'Undo removal of 1 post' }).click();
    await removals.getByText('restored', { exact: true }).waitFor();
    await removals.getByRole('button').waitFor({ state: 'detached' });
    // So it can when the toast undoes it.
    await choose(page, key, 'Remove posts');
    await dialog.getByRole('combobox').selectOption('all');
    await dialog.getByRole('button', { name: 'Remove 1 post' }).click();
    await removals.getByRole('button', { name: 'Undo removal of 1 post' }).waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await removals.getByRole('button').waitFor({ state: 'detached' });
    // Revoked keys are hidden, so the dialog says how to show them.
    await team().hub.admin.revokeKey(key.id);
    await page.goto(`/settings/keys?key=${key.id}&over=true`);
    await choose(page, key, 'Remove posts');
    await dialog.getByText('(choose “Show revoked and expired” there)').waitFor();
    await leave(opened);
  });
});
