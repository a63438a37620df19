import { beforeEach, describe, expect, test } from 'bun:test';
import type { IssuedKey } from '@hub/contract';
import type { Locator, Page } from 'playwright-core';
import { axeInBothThemes } from './axe.ts';
import { PHONE } from './browser.ts';
import { keyManager, leave } from './keys-fixture.ts';

const { team, issue, say, open, choose } = keyManager();
let key: IssuedKey;
let keyCount = 0;
beforeEach(async () => {
  keyCount += 1;
  key = await issue(`canary-${keyCount}`);
});

/** With a finger, until it is done. */
async function hold(page: Page, button: Locator): Promise<void> {
  const box = await button.boundingBox();
  if (!box) throw new Error('There is nothing to hold');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await button.waitFor({ state: 'detached' });
  await page.mouse.up();
}

describe('stopping a key', () => {
  test('takes three steps on a phone, from any of its posts: name, revoke, hold', async () => {
    await say(key, 'Something that nobody should see');
    const taken = await open(`/hubs/${team().hubId}`, { look: PHONE });
    const { page } = taken;
    const message = page.locator('.feed').getByText('Something that nobody should see');
    await message.waitFor();
    const started = Date.now();
    await page.getByRole('button', { name: `${key.name}, where this post came from` }).click();
    await page.getByRole('button', { name: 'Revoke this key' }).click();
    const dialog = page.getByRole('dialog', { name: `Revoke ${key.name}?` });
    await dialog.waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    await hold(page, dialog.getByRole('button', { name: 'Hold to revoke' }));
    expect((await say(key, 'too late')).status).toBe(401);
    expect(Date.now() - started).toBeLessThan(30_000);

    const removal = page.getByRole('dialog', { name: `Remove what ${key.name} posted?` });
    await removal.getByText('is stopped: it is refused from now on').waitFor();
    await removal.getByText('Something that nobody should see').waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    await removal.getByRole('button', { name: 'Remove 1 post' }).click();
    await message.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await message.waitFor();
    // The panel asks once for the post that was gone for a moment, and the browser writes that down.
    expect(taken.problems.filter((problem) => !problem.includes('status of 404'))).toEqual([]);
    await taken.context.close();
  });

  test('is five presses from the gear on a phone: API keys, its name, revoke, hold; and each page leads back', async () => {
    const taken = await open('/mentions', { look: PHONE });
    const { page } = taken;
    await page.getByRole('button', { name: /^Hubs/ }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: key.name, exact: true }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await hold(page, page.getByRole('button', { name: 'Hold to revoke' }));
    expect((await say(key, 'too late')).status).toBe(401);
    await page.getByRole('link', { name: 'All settings' }).click();
    await page.getByRole('link', { name: 'Back from the settings' }).click();
    await page.getByRole('heading', { name: 'Mentions' }).waitFor();
    await leave(taken);
  });

  test('is nothing that a tap, a click or a short press of a key does', async () => {
    const taken = await open('/settings/keys');
    const { page } = taken;
    await choose(page, key, 'Revoke');
    const button = page.getByRole('button', { name: 'Hold to revoke' });
    await button.click();
    await button.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.down('Space');
    await page.keyboard.up('Space');
    expect((await say(key, 'still there')).status).toBe(201);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await leave(taken);
  });

  test('works by holding Enter, and whatever it posted can be left', async () => {
    await say(key, 'before');
    const taken = await open('/settings/keys');
    const { page } = taken;
    await choose(page, key, 'Revoke');
    const button = page.getByRole('button', { name: 'Hold to revoke' });
    await button.focus();
    await page.keyboard.down('Enter');
    await button.waitFor({ state: 'detached' });
    await page.keyboard.up('Enter');
    expect((await say(key, 'too late')).status).toBe(401);
    await page.getByRole('button', { name: 'Leave it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await leave(taken);
  });

  test('says why it failed, and what was typed is kept', async () => {
    const taken = await open('/settings/keys');
    const { page, context } = taken;
    await choose(page, key, 'Revoke');
    const dialog = page.getByRole('dialog', { name: `Revoke ${key.name}?` });
    await dialog.getByRole('textbox').fill(key.name);
    await context.setOffline(true);
    await dialog.getByRole('button', { name: 'Revoke now' }).click();
    await dialog.getByText('The server cannot be reached').waitFor();
    expect(await dialog.getByRole('textbox').inputValue()).toBe(key.name);
    await context.setOffline(false);
    await dialog.getByRole('button', { name: 'Revoke now' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await say(key, 'too late')).status).toBe(401);
    await context.close();
  });
});

describe('replacing a key', () => {
  test('by holding on for too long presses nothing of what comes next', async () => {
    const taken = await open('/settings/keys');
    const { page } = taken;
    await choose(page, key, 'Replace, it leaked');
    await page.getByRole('button', { name: 'Hold to replace' }).focus();
    await page.keyboard.down('Enter');
    await page.locator('.secret code').waitFor();
    // As a key that is down does by itself.
    for (let n = 0; n < 3; n += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    const done = page.getByRole('button', { name: 'Done' });
    expect(await done.isDisabled()).toBe(true);
    expect(await page.getByText('It is selected. Copy it with the keyboard.').count()).toBe(0);
    await page.getByText('The old key has stopped').waitFor();
    await page.getByLabel('I have stored the key').focus();
    await page.keyboard.press('Space');
    await done.click();
    // It has posted nothing, so there is nothing to remove.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await leave(taken);
  });

  test('shows the new one once, the old one is refused by then, and what that posted can be removed at once or later', async () => {
    await say(key, 'leaked');
    const taken = await open('/settings/keys');
    const { page } = taken;
    await choose(page, key, 'Replace, it leaked');
    const dialog = page.getByRole('dialog', { name: `Replace ${key.name}?` });
    await dialog.getByRole('textbox').fill(key.name);
    await dialog.getByRole('button', { name: 'Replace now' }).click();
    const issued = (await page.locator('.secret code').textContent()) ?? '';
    expect(issued).toMatch(/^hub_live_\w{40}$/);
    expect((await say(key, 'old')).status).toBe(401);
    expect((await say({ key: issued }, 'new')).status).toBe(201);
    expect(
      await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])),
    ).not.toContain(issued);
    await page.getByLabel('I have stored the key').check();
    await page.getByRole('button', { name: 'Done' }).click();
    const removal = page.getByRole('dialog', { name: `Remove what the old key of ${key.name} posted?` });
    await removal.getByRole('button', { name: 'Leave it' }).click();
    await page.locator('tr', { hasText: key.name }).getByText('Replaced one just now').waitFor();
    await choose(page, key, 'Remove posts of the old key');
    await removal.getByRole('button', { name: 'Leave it' }).click();
    await page.getByRole('button', { name: key.name, exact: true }).click();
    await page.getByRole('button', { name: 'Remove posts of the old key' }).click();
    await removal.getByRole('button', { name: 'Remove 1 post' }).click();
    await page.getByText('1 post removed.').waitFor();
    await leave(taken);
  });
});

describe('rotating a key', () => {
  test('says what happens, takes a lifetime, and hangs the old key beneath its successor until that is ended', async () => {
    team().hub.comeFrom('10.0.4.22');
    await say(key, 'from the old machine');
    const taken = await open('/settings/keys');
    const { page } = taken;
    await page
      .getByRole('table')
      .getByRole('button', { name: `Rotate ${key.name}`, exact: true })
      .click();
    const avatarOf = (name: string) =>
      page.locator('tr[data-row-id]', { hasText: name }).first().locator('.avatar').getAttribute('class');
    const avatar = await avatarOf(key.name);
    const dialog = page.getByRole('dialog', { name: `Rotate ${key.name}?` });
    await dialog.getByText('The present one keeps working for 24 hours more').waitFor();
    await dialog.getByRole('combobox').selectOption('30');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    const issued = (await page.locator('.secret code').textContent()) ?? '';
    team().hub.comeFrom('10.0.4.17');
    await say({ key: issued }, 'from the new machine');
    await page.goto('/settings/keys');
    const old = page.locator(`tr.is-old[data-row-id="${key.id}"]`);
    await old.getByText('Stops in').waitFor();
    expect(await avatarOf(key.name)).toBe(avatar);
    await old.getByText('Its machine has not moved yet').waitFor();
    await old.getByText('10.0.4.22 only').waitFor();
    expect(await page.locator('body').textContent()).not.toContain(issued);

    await old.getByRole('button', { name: /^End it now/ }).click();
    const end = page.getByRole('dialog', { name: `End the old key of ${key.name}?` });
    await end.getByRole('textbox').fill(key.name);
    await end.getByRole('button', { name: 'End it now' }).click();
    await old.waitFor({ state: 'detached' });
    expect((await say(key, 'too late')).status).toBe(401);
    await leave(taken);
  });
});

test('who is about to stop a key is told at once that another has', async () => {
  const taken = await open('/settings/keys');
  const { page } = taken;
  await choose(page, key, 'Revoke');
  const dialog = page.getByRole('dialog', { name: `Revoke ${key.name}?` });
  await dialog.getByRole('textbox').fill(key.name);
  await team().hub.admin.revokeKey(key.id);
  const notified = page.getByRole('dialog', { name: `${key.name} is revoked already` });
  await notified.getByText('Somebody has revoked this key meanwhile.').waitFor();
  expect(await notified.getByRole('button').allTextContents()).toEqual(['Close']);
  expect(await notified.getByRole('textbox').count()).toBe(0);
  expect(await notified.textContent()).not.toContain('Issue a new one');
  await page.waitForFunction(() => document.activeElement?.textContent === 'Close');
  await page.keyboard.press('Enter');
  await notified.waitFor({ state: 'detached' });
  await leave(taken);
});

test('who is slower than another is told who was quicker, and led to the new key', async () => {
  const taken = await open('/settings/keys');
  const { page } = taken;
  await choose(page, key, 'Rotate');
  const dialog = page.getByRole('dialog', { name: `Rotate ${key.name}?` });
  await dialog.waitFor();
  const { body: successor } = await team().bob.json<IssuedKey>('POST', `/keys/${key.id}/rotation`);
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  await dialog.getByText(`Bob Kahn has rotated this key just now; the new one is ${successor.hint}.`).waitFor();
  expect(await dialog.textContent()).not.toContain('key_');
  await dialog.getByRole('link', { name: 'Show the new key' }).click();
  await page.locator('.key-detail-row').getByText(successor.id).waitFor();
  await dialog.waitFor({ state: 'detached' });
  // The browser writes down that it was refused.
  expect(taken.problems.filter((problem) => !problem.includes('status of 409'))).toEqual([]);
  await taken.context.close();
});

describe('removing what a key posted', () => {
  test('is counted first, can be narrowed, and undone later from the list of removals', async () => {
    await say(key, 'the first');
    await say(key, 'the second');
    const taken = await open('/settings/keys');
    const { page } = taken;
    await choose(page, key, 'Remove its posts');
    const dialog = page.getByRole('dialog', { name: `Remove what ${key.name} posted?` });
    await dialog.getByText('the first').waitFor();
    await dialog.getByRole('combobox').selectOption('time');
    await dialog.getByText('Choose a time.').waitFor();
    await dialog.getByRole('combobox').selectOption('all');
    await dialog.getByRole('button', { name: 'Remove 2 posts' }).click();
    await page.getByText('2 posts removed.').waitFor();
    await choose(page, key, 'Remove its posts');
    await dialog.getByText('It posted nothing in that time.').waitFor();
    await dialog.getByRole('button', { name: 'Undo the removal of 2 posts' }).click();
    await dialog.getByText('undone', { exact: true }).waitFor();
    await leave(taken);
  });
});
