import { beforeEach, describe, expect, test } from 'bun:test';
import type { IssuedKey } from '@hub/contract';
import type { Page } from 'playwright-core';
import { adminJson } from '../../api/src/testing/users.ts';
import { axeInBothThemes } from './axe.ts';
import { keyManager, leave } from './keys-fixture.ts';

const { team, mara, issue, say, open, choose } = keyManager();
let old: IssuedKey;
let key: IssuedKey;
let keyCount = 0;
beforeEach(async () => {
  keyCount += 1;
  old = await issue(`form-${keyCount}`);
  key = (await mara().json<IssuedKey>('POST', `/keys/${old.id}/rotation`)).body;
});

describe('stopping a key whose previous one still works', () => {
  test('names that one in a replacement, ends it too, and says so', async () => {
    const taken = await open('/settings/keys');
    const { page } = taken;
    await choose(page, key, 'Replace, it leaked');
    const dialog = page.getByRole('dialog', { name: `Replace ${key.name}?` });
    await dialog.getByText(`The previous key ${old.hint} works for 2`).waitFor();
    expect(await dialog.getByRole('checkbox', { name: 'End it, too' }).isChecked()).toBe(true);
    expect(await axeInBothThemes(page)).toEqual([]);
    await dialog.getByRole('textbox').fill(key.name);
    await dialog.getByRole('button', { name: 'Replace now' }).click();
    await page.getByText('The old key and the one before it have stopped').waitFor();
    expect((await say(key)).status).toBe(401);
    expect((await say(old)).status).toBe(401);
    await leave(taken);
  });

  test('leaves it if that is wanted, and says that it works', async () => {
    const taken = await open('/settings/keys');
    const { page } = taken;
    await choose(page, key, 'Replace, it leaked');
    const dialog = page.getByRole('dialog', { name: `Replace ${key.name}?` });
    await dialog.getByRole('checkbox', { name: 'End it, too' }).uncheck();
    await dialog.getByRole('textbox').fill(key.name);
    await dialog.getByRole('button', { name: 'Replace now' }).click();
    await page.getByText(`The previous key ${old.hint} still works`).waitFor();
    expect((await say(old)).status).toBe(201);
    await leave(taken);
  });

  test('does the same from a post, and names what still works where it could not be ended', async () => {
    const { data } = (await (await say(key)).json()) as { data: { id: string } };
    const taken = await open(`/hubs/${team().hubId}?open=${data.id}&show=origin`);
    const { page } = taken;
    await page.route(`**/keys/${old.id}/revocation`, (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: 'Revoke this key' }).click();
    const dialog = page.getByRole('dialog', { name: `Revoke ${key.name}?` });
    await dialog.getByText(`The previous key ${old.hint} works for 2`).waitFor();
    await dialog.getByRole('textbox').fill(key.name);
    await dialog.getByRole('button', { name: 'Revoke now' }).click();
    const removal = page.getByRole('dialog', { name: `Remove what ${key.name} posted?` });
    await removal.getByText(`The previous key ${old.hint} still works`).waitFor();
    expect((await say(key)).status).toBe(401);
    await page.keyboard.press('Escape');
    await removal.waitFor({ state: 'detached' });
    // The panel goes on to be about what was posted.
    await page.waitForFunction(() => document.activeElement?.closest('.panel') !== null);
    await taken.context.close();
  });
});

test('a key that outlives the longest lifetime is flagged in its row, its details and by the doctor, which mends it', async () => {
  await adminJson(team().hub, 'PATCH', '/workspace', { longestKeyLifetimeDays: 45 });
  const taken = await open(`/settings/keys?key=${key.id}`);
  const { page } = taken;
  await page.locator(`tr[data-row-id="${key.id}"]`).getByText('Longer than 45 days').waitFor();
  await page.locator('.key-detail-row').getByText('Keys last 45 days at most here').waitFor();
  await page.getByRole('button', { name: /keys last longer than is allowed here$/ }).click();
  const doctor = page.getByRole('region', { name: /keys need care$/ });
  await doctor.getByText(`${key.name} never expires. Keys last 45 days at most here.`).waitFor();
  await doctor.getByRole('button', { name: `Rotate ${key.name}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Rotate ${key.name}?` });
  await dialog.getByText('which lasts 45 days, the most that is allowed here').waitFor();
  // Another admin takes the limit away, and nothing is flagged any more.
  await page.keyboard.press('Escape');
  await adminJson(team().hub, 'PATCH', '/workspace', { longestKeyLifetimeDays: null });
  await page.getByText('Longer than 45 days').first().waitFor({ state: 'detached' });
  await leave(taken);
});

const isInView = (page: Page, selector: string) =>
  page.waitForFunction((selector) => {
    const box = document.querySelector(selector)?.getBoundingClientRect();
    const room = document.querySelector('.settings')?.getBoundingClientRect();
    return box && room && box.height > 0 && box.top >= room.top - 1 && box.bottom <= room.bottom + 1;
  }, selector);

test('a key is in view with its details wherever one comes from, again at each press; the focus stays by what one did', async () => {
  for (let n = 0; n < 12; n += 1) await issue(`a-${n}`);
  const at = `tr[data-row-id="${key.id}"]`;
  const taken = await open(`/settings/keys?key=${key.id}`);
  const { page } = taken;
  await isInView(page, at);
  await isInView(page, '.key-detail-row');
  await page.locator('.settings').hover();
  await page.mouse.wheel(0, -5_000);
  await page.waitForFunction(() => document.querySelector('.settings')?.scrollTop === 0);
  for (let n = 0; n < 61; n += 1) await say(key);
  await page.reload();
  const look = page.getByRole('button', { name: `Look at it ${key.name}` });
  await look.click();
  await isInView(page, '.key-detail-row');
  await page.locator('.settings').hover();
  await page.mouse.wheel(0, -5_000);
  await look.click();
  await isInView(page, at);
  await isInView(page, '.key-detail-row');

  const nameIs = (id: string) =>
    page.waitForFunction((id) => document.activeElement?.closest<HTMLElement>('tr')?.dataset.rowId === id, id);
  await page
    .locator(`tr[data-row-id="${old.id}"]`)
    .getByRole('button', { name: /^End it now/ })
    .click();
  await page.getByRole('dialog').getByRole('textbox').fill(key.name);
  await page.keyboard.press('Enter');
  await page.locator(`tr[data-row-id="${old.id}"]`).waitFor({ state: 'detached' });
  await nameIs(key.id);
  // Its row is the last one: the one before it is next.
  const next = await page.locator('tr[data-row-id]').nth(-2).getAttribute('data-row-id');
  await choose(page, key, 'Revoke');
  await page.getByRole('dialog').getByRole('textbox').fill(key.name);
  await page.keyboard.press('Enter');
  const removal = page.getByRole('dialog', { name: `Remove what ${key.name} posted?` });
  await removal.waitFor();
  await page.keyboard.press('Escape');
  await page.locator(at).waitFor({ state: 'detached' });
  await nameIs(next ?? '');
  await leave(taken);
});
