import { beforeEach, expect, test } from 'bun:test';
import type { IssuedKey, Scope } from '@hub/contract';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { PHONE } from '@hub/testkit/browser/browser';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { gone, press, seen, show } from '@hub/testkit/browser/steps';
import { teamOn } from '@hub/testkit/in-process/team';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { post, startTestHub } from '@hub/testkit/in-process/test-hub';
import { addMember, signedIn, signIn } from '@hub/testkit/in-process/users';
import type { Locator, Page } from 'playwright-core';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DAYS_BEFORE = 40;

/**
 * Starts a workspace with a key in each state, and with Mara, an admin who reads its Hubs. Its clock starts in the
 * past and ends at the current time.
 */
async function startKeysFixture() {
  const clock = new TestClock(Date.now() - DAYS_BEFORE * DAY_MS);
  const hub = await startTestHub({ clock });
  const team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
  const mara = await signedIn(hub, { role: 'admin', name: 'Mara Lindqvist' });
  await addMember(hub, team.hubId, mara.user);
  const issue = async (name: string, scopes: Scope[] = ['messages:create'], lifetimeDays?: number) => {
    const lifetime = lifetimeDays === undefined ? {} : { lifetimeSeconds: lifetimeDays * 86_400 };
    return (await mara.json<IssuedKey>('POST', '/keys', { hubId: team.hubId, name, scopes, ...lifetime })).body;
  };
  const send = async ({ key }: { key: string }, count: number, address = '192.0.2.1') => {
    hub.setClientAddress(address);
    for (let n = 0; n < count; n += 1) await post(hub, 'messages', key, { text: `Run **${n}** is through` });
  };
  const keys = {
    pipeline: await issue('deploy-pipeline', ['messages:create', 'todos:create'], 365),
    canary: await issue('canary-watch'),
    backup: await issue('nightly-backup', ['messages:create', 'todos:create'], 46),
    drawer: await issue('restore-drill'),
    load: await issue('load-test', ['messages:create', 'notes:create', 'todos:create'], 20),
    probe: await issue('uptime-probe'),
  };
  for (let day = 1; day < DAYS_BEFORE; day += 1) {
    clock.advance(DAY_MS);
    await send(keys.pipeline, (day * 7) % 11, '10.0.4.22');
    if (day % 2 === 0) await send(keys.pipeline, 2, '10.0.4.17');
    await send(keys.canary, 1 + (day % 3));
    if (day < 20) await send(keys.load, 1);
    if (day % 3 === 0) await send(keys.backup, 2, '10.0.7.3');
    if (day === 30) await (await signIn(hub, mara.user)).json('POST', `/keys/${keys.probe.id}/revocation`);
  }
  clock.advance(DAY_MS - 40 * MINUTE_MS);
  const present = await signIn(hub, mara.user);
  const rotated = (await present.json<IssuedKey>('POST', `/keys/${keys.pipeline.id}/rotation`)).body;
  await send(keys.pipeline, 1, '10.0.4.22');
  await send(rotated, 1, '10.0.4.17');
  clock.advance(39 * MINUTE_MS);
  await send(keys.canary, 61, '10.0.4.31');
  await send(rotated, 1, '10.0.4.17');
  // The sessions have expired after all those weeks.
  const callers = await Promise.all([mara, team.ada, team.bob].map(({ user }) => signIn(hub, user)));
  const [maraNow = mara, ada = team.ada, bob = team.bob] = callers;
  return {
    ...team,
    hub,
    clock,
    mara: maraNow,
    ada,
    bob,
    keys: { ...keys, rotated },
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

const { team: fixture, open, forgetProblems } = await teamSessions(startKeysFixture());
const { mara, hub, keys } = fixture;
const { admin } = hub;
// Pages show how long ago something happened.
beforeEach(() => fixture.clock.advance(Math.max(0, Date.now() - fixture.clock.now())));

const row = (page: Page, { id }: { id: string }) => page.locator(`tr[data-row-id="${id}"]`);
const dialogOf = (page: Page, name: string | RegExp) =>
  page.getByRole('dialog', { name }).or(page.getByRole('alertdialog', { name }));
const detail = (page: Page) => page.locator('.details-row');
const statusOf = async ({ key }: { key: string }) => (await post(hub, 'messages', key, { text: 'Hello' })).status;
const secretOf = async (page: Page) => (await page.locator('.secret code').textContent()) ?? '';

let issued = 0;
/** Issues a key that no other test uses. */
async function newKey(): Promise<IssuedKey> {
  issued += 1;
  return admin.issueKey({ hubId: fixture.hubId, name: `form-${issued}` });
}

async function atKeys(query = ''): Promise<Page> {
  const page = await open(mara, `/settings/keys${query}`);
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  return page;
}

async function choose(page: Page, { name }: { name: string }, item: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

async function typeName(dialog: Locator, name: string): Promise<void> {
  await dialog.getByRole('button', { name: 'Can’t hold?' }).click();
  await dialog.getByRole('textbox').fill(name);
}

/** Types the name of the key and presses the button. */
async function confirm(dialog: Locator, { name }: { name: string }, button: string): Promise<void> {
  await typeName(dialog, name);
  await dialog.getByRole('button', { name: button }).click();
}

/** Holds a button until it disappears. */
async function hold(page: Page, button: Locator): Promise<void> {
  const box = await button.boundingBox();
  if (!box) throw new Error('No button to hold');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await button.waitFor({ state: 'detached' });
  await page.mouse.up();
}

test('the list shows the state, permissions, issuer, last use and address of each key, on request the inactive ones, and what is wrong with them; details open below a row, offer what fixes it, and Back closes them', async () => {
  const page = await atKeys();
  const { canary, backup, drawer, load, probe, rotated, pipeline } = keys;
  await row(page, canary).waitFor();
  expect(await row(page, probe).count()).toBe(0);
  await page.getByRole('button', { name: 'Show revoked and expired' }).click();
  await page.getByRole('heading', { name: /^Releases \d of \d keys work$/ }).waitFor();
  const text = async (key: IssuedKey) => ((await row(page, key).textContent()) ?? '').replaceAll(/\s+/g, ' ');
  expect(await text(canary)).toMatch(
    /canary-watch ?hub_live_….{4} by Mara Lindqvist.*Blocked, \d:\d\d left.*10\.0\.4\.31/,
  );
  expect(await text(backup)).toMatch(/Expires in [67] days/);
  expect(await text(load)).toMatch(/Expired/);
  expect(await text(probe)).toMatch(/Revoked/);
  expect(await text(rotated)).toMatch(/Active.*(?:Never expires|Until [^,]+), rotated 4\d min ago/);
  expect(await text(pipeline)).toMatch(/Old key.*Expires in 23 h \d+ min.*10\.0\.4\.22 only.*1 of 2 machines switched/);
  expect(await row(page, canary).getByRole('img').getAttribute('aria-label')).toMatch(/, blocked on 1 day$/);
  const name = row(page, canary).getByRole('button', { name: 'canary-watch', exact: true });
  await name.focus();
  await page.keyboard.press('Enter');
  for (const text of ['Blocked by server', 'Issued by Mara Lindqvist', '10.0.4.31'])
    await detail(page).getByText(text, { exact: true }).first().waitFor();
  expect([await name.getAttribute('aria-expanded'), new URL(page.url()).searchParams.get('key')]).toEqual([
    'true',
    canary.id,
  ]);
  await expectAccessible(page);
  await page.goBack();
  await detail(page).waitFor({ state: 'detached' });
  await seen(row(page, drawer).getByText('Unused, issued'), row(page, backup).getByText('Never created to-dos'));
  await row(page, drawer).getByRole('button', { name: 'restore-drill', exact: true }).click();
  await detail(page).getByText('This key never expires.').waitFor();
  await detail(page).getByRole('button', { name: 'Rotate and set an expiry' }).click();
  await dialogOf(page, 'Rotate restore-drill?').waitFor();
});

test('a key is rotated with a lifetime, its old key is listed below it with the machines that still use it, and can be revoked; a leaked one is replaced', async () => {
  const key = await newKey();
  hub.setClientAddress('10.0.4.22');
  await statusOf(key);
  const page = await atKeys();
  await row(page, key).getByRole('button', { name: 'Rotate' }).click();
  const dialog = dialogOf(page, `Rotate ${key.name}?`);
  await dialog.getByText('You get a new key with the same').waitFor();
  await dialog.getByRole('combobox').selectOption('30');
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  const secret = await secretOf(page);
  hub.setClientAddress('10.0.4.17');
  expect([await statusOf(key), await statusOf({ key: secret })]).toEqual([201, 201]);
  hub.setClientAddress('10.0.4.22');
  await statusOf(key);
  await page.getByLabel('I’ve saved the key').check();
  await page.getByRole('button', { name: 'Done' }).click();
  // Until it has gone back to before the dialog.
  await page.waitForFunction(() => !(history.state as { layers?: number } | null)?.layers);
  await page.goto('/settings/keys');
  const old = page.locator(`tr.is-old[data-row-id="${key.id}"]`);
  await seen(old.getByText('Expires in'), old.getByText(/machines? (?:switched|hasn’t switched yet)/));
  expect(await page.locator('body').textContent()).not.toContain(secret);
  await old.getByRole('button', { name: /^Revoke now/ }).click();
  await confirm(dialogOf(page, `Revoke the old key of ${key.name}?`), key, 'Revoke now');
  await old.waitFor({ state: 'detached' });
  expect([await statusOf(key), await statusOf({ key: secret })]).toEqual([401, 201]);
  // The focus stays near.
  await page.waitForFunction(() => document.activeElement?.closest('tr[data-row-id]') !== null);
  await expectReplaced(page);
});

test('after a leak, a phone leads in three steps from a post to a revoked key and its removed posts, which can come back', async () => {
  const key = await newKey();
  const send = async (text: string) =>
    ((await (await post(hub, 'messages', key.key, { text })).json()) as { data: { id: string } }).data;
  await send('Before the leak');
  // Each has a row with the name of its key.
  hub.clock.advance(10 * 60_000);
  const data = await send('A leaked secret');
  for (const text of ['And another', 'Deployed']) await send(text);
  const page = await open(mara, `/hubs/${fixture.hubId}?at=${data.id}`, { look: PHONE });
  const message = page.locator('.feed').getByText('A leaked secret');
  await message.waitFor();
  await page.getByRole('link', { name: 'show key' }).last().click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await dialogOf(page, `Revoke ${key.name}?`).waitFor();
  await hold(page, page.getByRole('button', { name: 'Hold to revoke' }));
  expect(await statusOf(key)).toBe(401);
  const removal = dialogOf(page, `Remove posts by ${key.name}?`);
  await seen(removal.getByText('no longer works'), removal.getByText('A leaked secret'));
  expect(await removal.getByRole('combobox').locator('option:checked').textContent()).toBe('From this post on (3)');
  await expectAccessible(page);
  await removal.getByRole('checkbox', { name: 'Deployed' }).uncheck();
  await removal.getByRole('button', { name: 'Remove 2 posts' }).click();
  await message.waitFor({ state: 'detached' });
  for (const text of ['Before the leak', 'Deployed']) await page.locator('.feed').getByText(text).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await message.waitFor();
  // The panel requests the removed post once.
  forgetProblems(page);
});

/** Replaces a leaked key: the new one is shown once, the old and its previous one stop, the posts go now or later. */
async function expectReplaced(page: Page): Promise<void> {
  const previous = await newKey();
  const key = await admin.rotateKey(previous.id);
  await statusOf(key);
  await choose(page, key, 'Replace leaked key');
  const dialog = dialogOf(page, `Replace ${key.name}?`);
  await dialog.getByText(`The previous key ${previous.hint} works for another 2`).waitFor();
  expect(await dialog.getByRole('checkbox', { name: 'Revoke it too' }).isChecked()).toBe(true);
  await confirm(dialog, key, 'Replace now');
  await page.getByText('The old key and its previous key no longer work').waitFor();
  const secret = await secretOf(page);
  expect(await Promise.all([key, previous, { key: secret }].map(statusOf))).toEqual([401, 401, 201]);
  expect(
    await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])),
  ).not.toContain(secret);
  await page.getByLabel('I’ve saved the key').check();
  await page.getByRole('button', { name: 'Done' }).click();
  const removal = dialogOf(page, `Remove posts by the old key of ${key.name}?`);
  await removal.getByRole('button', { name: 'Keep posts' }).click();
  await page.locator('tr', { hasText: key.name }).getByText(', replacement issued just now').waitFor();
  await choose(page, key, 'Remove the old key’s posts');
  await removal.getByRole('button', { name: 'Remove 1 post' }).click();
  await page.getByText('1 post removed.').waitFor();
}

test('a key is not revoked by a click or a short key press, and an error keeps the input; the posts of a key are counted before they are removed, and the removal can be undone in its details', async () => {
  const key = await newKey();
  const page = await atKeys();
  await choose(page, key, 'Revoke');
  const dialog = dialogOf(page, `Revoke ${key.name}?`);
  await typeName(dialog, key.name.slice(1));
  expect(await dialog.getByRole('button', { name: 'Revoke now' }).isDisabled()).toBe(true);
  const button = page.getByRole('button', { name: 'Hold to revoke' });
  const help = page.getByText('Hold for a second. Space and Enter work too.');
  expect(await help.isVisible()).toBe(false);
  await button.click();
  expect(await help.isVisible()).toBe(true);
  await button.focus();
  await press(page, 'Enter', 'Space');
  expect(await statusOf(key)).toBe(201);
  await page.route('**/revocation', (route) => route.abort(), { times: 1 });
  await dialog.getByRole('textbox').fill(key.name);
  await dialog.getByRole('button', { name: 'Revoke now' }).click();
  await dialog.getByText('Can’t reach the server').waitFor();
  expect(await dialog.getByRole('textbox').inputValue()).toBe(key.name);
  await dialog.getByRole('button', { name: 'Revoke now' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await statusOf(key)).toBe(401);
  await page.getByRole('button', { name: 'Keep posts' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  forgetProblems(page);

  const counted = await newKey();
  for (const text of ['the first', 'the second']) await post(hub, 'messages', counted.key, { text });
  await show(page, `/settings/keys?key=${counted.id}`, detail(page).getByText('2 requests, 2 posts'));
  const removals = detail(page).getByRole('region', { name: 'Previous removals' });
  await choose(page, counted, 'Remove posts');
  const removing = dialogOf(page, `Remove posts by ${counted.name}?`);
  await removing.getByText('You can undo this for 30 days in the key’s details.').waitFor();
  await removing.getByText('the first').waitFor();
  await removing.getByRole('button', { name: 'Remove 2 posts' }).click();
  await page.getByText('2 posts removed.').waitFor();
  await removals.getByRole('button', { name: 'Undo removal of 2 posts' }).click();
  await removals.getByText('restored', { exact: true }).waitFor();
  await removals.getByRole('button').waitFor({ state: 'detached' });
});

test('a key that another admin issues appears at once, and one that they revoke is not revoked twice from an open dialog', async () => {
  const page = await atKeys();
  await row(page, keys.canary).waitFor();
  const key = await newKey();
  await row(page, key).waitFor();
  await choose(page, key, 'Revoke');
  await typeName(dialogOf(page, `Revoke ${key.name}?`), key.name);
  await admin.revokeKey(key.id);
  const over = dialogOf(page, `${key.name} is already revoked`);
  await over.getByText('This key was revoked by someone else.').waitFor();
  expect(await over.getByRole('button').allTextContents()).toEqual(['Close']);
  await page.waitForFunction(() => document.activeElement?.textContent === 'Close');
  await page.keyboard.press('Enter');
  await gone(over, row(page, key));
});

test('a key of a deleted Hub and a workspace where only admins manage keys are explained', async () => {
  const { id: hubId } = await admin.createHub('Old website');
  const old = await admin.issueKey({ hubId, name: 'old-forms' });
  await admin.deleteHub(hubId);
  const page = await atKeys('?over=true');
  await row(page, old).getByText('Hub deleted').waitFor();
  expect(await page.getByRole('button', { name: 'Rotate old-forms' }).count()).toBe(0);
  await page.getByRole('button', { name: 'More actions for old-forms' }).click();
  expect(await page.getByRole('menuitem').allTextContents()).toEqual([
    'Show details',
    'View posts',
    'RevokeIf its program no longer posts: this key stops immediately.',
  ]);

  await hub.admin.json('PATCH', '/workspace', { membersManageKeys: false });
  const ada = await open(fixture.ada, '/settings/keys');
  await ada.getByText('Only admins can manage keys').waitFor();
  await hub.admin.json('PATCH', '/workspace', { membersManageKeys: true });
  await row(ada, keys.canary).waitFor();
  forgetProblems(ada);
});

test('a leaked key is found by its end, and no URL contains it', async () => {
  const page = await atKeys();
  await row(page, keys.canary).waitFor();
  const leaked = await newKey();
  await page.getByRole('searchbox').fill(leaked.key);
  await row(page, keys.canary).waitFor({ state: 'detached' });
  await row(page, leaked).waitFor();
  expect(new URL(page.url()).searchParams.get('name')).toBe(leaked.key.slice(-4));
});
