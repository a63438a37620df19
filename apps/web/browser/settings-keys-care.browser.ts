import { beforeEach, describe, expect, test } from 'bun:test';
import type { IssuedKey } from '@hub/contract';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { keyManager, leave } from '@hub/testkit/browser/keys-fixture';
import { adminJson } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';

const { team, mara, issue, postWith, open, choose } = keyManager();
let old: IssuedKey;
let key: IssuedKey;
let keyCount = 0;
beforeEach(async () => {
  keyCount += 1;
  old = await issue(`form-${keyCount}`);
  key = (await mara().json<IssuedKey>('POST', `/keys/${old.id}/rotation`)).body;
});

describe('revoking a key whose previous key still works', () => {
  test('names the previous key when the key is replaced, revokes the previous key too, and says so', async () => {
    const opened = await open('/settings/keys');
    const { page } = opened;
    await choose(page, key, 'Replace leaked key');
    const dialog = page.getByRole('dialog', { name: `Replace ${key.name}?` });
    await dialog.getByText(`The previous key ${old.hint} works for another 2`).waitFor();
    expect(await dialog.getByRole('checkbox', { name: 'Revoke it too' }).isChecked()).toBe(true);
    expect(await axeInBothThemes(page)).toEqual([]);
    await dialog.getByRole('textbox').fill(key.name);
    await dialog.getByRole('button', { name: 'Replace now' }).click();
    await page.getByText('The old key and its previous key no longer work').waitFor();
    expect((await postWith(key)).status).toBe(401);
    expect((await postWith(old)).status).toBe(401);
    await leave(opened);
  });

  test('keeps the previous key if the user chooses to, and says that it still works', async () => {
    const opened = await open('/settings/keys');
    const { page } = opened;
    await choose(page, key, 'Replace leaked key');
    const dialog = page.getByRole('dialog', { name: `Replace ${key.name}?` });
    await dialog.getByRole('checkbox', { name: 'Revoke it too' }).uncheck();
    await dialog.getByRole('textbox').fill(key.name);
    await dialog.getByRole('button', { name: 'Replace now' }).click();
    await page.getByText(`The previous key ${old.hint} still works`).waitFor();
    expect((await postWith(old)).status).toBe(201);
    await leave(opened);
  });

  test('also revokes the previous key when started from a post, and names a previous key that could not be revoked', async () => {
    const { data } = (await (await postWith(key)).json()) as { data: { id: string } };
    const opened = await open(`/hubs/${team().hubId}?open=${data.id}&show=origin`);
    const { page } = opened;
    await page.route(`**/keys/${old.id}/revocation`, (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: 'Revoke key' }).click();
    const dialog = page.getByRole('dialog', { name: `Revoke ${key.name}?` });
    await dialog.getByText(`The previous key ${old.hint} works for another 2`).waitFor();
    await dialog.getByRole('textbox').fill(key.name);
    await dialog.getByRole('button', { name: 'Revoke now' }).click();
    const removal = page.getByRole('dialog', { name: `Remove posts by ${key.name}?` });
    await removal.getByText(`The previous key ${old.hint} still works`).waitFor();
    expect((await postWith(key)).status).toBe(401);
    await page.keyboard.press('Escape');
    await removal.waitFor({ state: 'detached' });
    // The panel still shows the post.
    await page.waitForFunction(() => document.activeElement?.closest('.panel') !== null);
    await opened.context.close();
  });
});

test('flags a key with too long a lifetime in its row, its details and the findings, which offer the fix', async () => {
  await adminJson(team().hub, 'PATCH', '/workspace', { longestKeyLifetimeDays: 45 });
  const opened = await open(`/settings/keys?key=${key.id}`);
  const { page } = opened;
  await page.locator(`tr[data-row-id="${key.id}"]`).getByText('Longer than 45 days').waitFor();
  await page.locator('.details-row').getByText('Keys can last at most 45 days').waitFor();
  await page.getByRole('button', { name: /keys last longer than allowed$/ }).click();
  const doctor = page.getByRole('region', { name: /keys need attention$/ });
  await doctor.getByText(`${key.name} never expires. Keys can last at most 45 days.`).waitFor();
  await doctor.getByRole('button', { name: `Rotate ${key.name}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Rotate ${key.name}?` });
  await dialog.getByText('valid for 45 days, the maximum allowed').waitFor();
  // Another admin removes the limit, and nothing is flagged anymore.
  await page.keyboard.press('Escape');
  await adminJson(team().hub, 'PATCH', '/workspace', { longestKeyLifetimeDays: null });
  await page.getByText('Longer than 45 days').first().waitFor({ state: 'detached' });
  await leave(opened);
});

const isInView = (page: Page, selector: string) =>
  page.waitForFunction((selector) => {
    const box = document.querySelector(selector)?.getBoundingClientRect();
    const room = document.querySelector('.settings')?.getBoundingClientRect();
    return box && room && box.height > 0 && box.top >= room.top - 1 && box.bottom <= room.bottom + 1;
  }, selector);

test('scrolls a key and its details into view each time they are opened, and keeps the focus near the last action', async () => {
  for (let n = 0; n < 12; n += 1) await issue(`a-${n}`);
  const at = `tr[data-row-id="${key.id}"]`;
  const opened = await open(`/settings/keys?key=${key.id}`);
  const { page } = opened;
  await isInView(page, at);
  await isInView(page, '.details-row');
  await page.locator('.settings').hover();
  await page.mouse.wheel(0, -5_000);
  await page.waitForFunction(() => document.querySelector('.settings')?.scrollTop === 0);
  for (let n = 0; n < 61; n += 1) await postWith(key);
  await page.reload();
  const look = page.getByRole('button', { name: `View ${key.name}` });
  await look.click();
  await isInView(page, '.details-row');
  await page.locator('.settings').hover();
  await page.mouse.wheel(0, -5_000);
  await look.click();
  await isInView(page, at);
  await isInView(page, '.details-row');

  const nameIs = (id: string) =>
    page.waitForFunction((id) => document.activeElement?.closest<HTMLElement>('tr')?.dataset.rowId === id, id);
  await page
    .locator(`tr[data-row-id="${old.id}"]`)
    .getByRole('button', { name: /^Revoke now/ })
    .click();
  await page.getByRole('dialog').getByRole('textbox').fill(key.name);
  await page.keyboard.press('Enter');
  await page.locator(`tr[data-row-id="${old.id}"]`).waitFor({ state: 'detached' });
  await nameIs(key.id);
  // The key's row is the last one, so the focus moves to the row before it.
  const next = await page.locator('tr[data-row-id]').nth(-2).getAttribute('data-row-id');
  await choose(page, key, 'Revoke');
  await page.getByRole('dialog').getByRole('textbox').fill(key.name);
  await page.keyboard.press('Enter');
  const removal = page.getByRole('dialog', { name: `Remove posts by ${key.name}?` });
  await removal.waitFor();
  await page.keyboard.press('Escape');
  await page.locator(at).waitFor({ state: 'detached' });
  await nameIs(next ?? '');
  await leave(opened);
});

test('the posts of a key are counted as soon as its row changes', async () => {
  const opened = await open('/settings/keys');
  const { page } = opened;
  const postsOf = (name: string) => page.locator('tr', { hasText: name }).first().getByRole('img');
  await postsOf(key.name).and(page.getByLabel('0 posts in the last 30 days')).waitFor();
  await postWith(key);
  await postWith(key);
  // The list is loaded again, but without the usage, which was loaded a moment ago.
  const other = await issue(`other-${keyCount}`);
  await postsOf(key.name).and(page.getByLabel('2 posts in the last 30 days')).waitFor();
  await postWith(other);
  await issue(`third-${keyCount}`);
  await postsOf(other.name).and(page.getByLabel('1 post in the last 30 days')).waitFor();
  await leave(opened);
});
