import { test } from 'bun:test';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { PHONE } from '@hub/testkit/browser/browser';
import { startBackdatedTeam, teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { enter, signInAt } from '@hub/testkit/browser/steps';
import { codeAt } from '@hub/testkit/in-process/factors';
import { signedIn } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';

// A password without a code, a wrong code, and a session whose second factor is overdue.
const { team, open, session, forgetProblems } = await teamSessions(startBackdatedTeam(), {
  expected: /status of 40[013]|response code: 40[13]/,
});
const { hub, clock } = team;

/** Gives the page a device with passkeys, which needs no touch. */
async function addAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Passkeys belong to a name, not to an address. */
const named = hub.url.replace('127.0.0.1', 'localhost');

const signOut = async (page: Page) => {
  const { origin } = new URL(page.url());
  // The page would notice it, and its own reload interrupt the navigation.
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.goto(origin);
  await page.getByLabel('E-mail').waitFor();
};
const isIn = (page: Page) => page.getByRole('navigation').first().waitFor();

test('an authenticator app is added with the keyboard, asked for after the password, and stood in for by a recovery code', async () => {
  const ada = await signedIn(hub, { name: 'Grace Hopper' });
  const page = await open(ada, '/settings/profile');
  await page.getByRole('button', { name: 'Add an authenticator app' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('img', { name: 'QR code' }).waitFor();
  const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '');
  await enter(dialog.getByLabel('Code', { exact: true }), codeAt(secret, clock.now()));
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' });
  const [first = ''] = ((await codes.locator('.secret code').textContent()) ?? '').trim().split('\n');
  await codes.getByText('I’ve saved the codes').click();
  await codes.getByRole('button', { name: 'Done' }).click();
  await page.getByText('10 recovery codes left.').waitFor();

  await signOut(page);
  await signInAt(page, ada.user);
  await page.getByLabel('Code', { exact: true }).waitFor();
  await expectAccessible(page);
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await page.getByText('This code is wrong').waitFor();
  clock.advance(30_000);
  await enter(page.getByLabel('Code', { exact: true }), codeAt(secret, clock.now()));
  await isIn(page);
  await signOut(page);
  await signInAt(page, ada.user);
  await enter(page.getByLabel('Code', { exact: true }), first);
  await isIn(page);
});

test('a passkey is created, signs in on a phone without a password, and is removed', async () => {
  const ada = await signedIn(hub);
  const { page } = await session(null, { look: PHONE });
  await addAuthenticator(page);
  await page.goto(`${named}/settings/profile`);
  await signInAt(page, ada.user);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await enter(page.getByRole('dialog').getByLabel('Name', { exact: true }), 'Laptop');
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' });
  await codes.getByText('I’ve saved the codes').click();
  await codes.getByRole('button', { name: 'Done' }).click();
  await page.locator('bdi', { hasText: 'Laptop' }).waitFor();
  await signOut(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor({ state: 'detached' });
  await page.goto(`${named}/settings/profile`);
  await page.getByText('last used').waitFor();
  await page.getByRole('button', { name: 'Remove Laptop' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await page.locator('bdi', { hasText: 'Laptop' }).waitFor({ state: 'detached' });
});

test('a workspace asks for a second factor, shows nothing else once it is overdue, and an admin removes a lost one', async () => {
  const admin = await signedIn(hub, { role: 'admin' });
  const bob = await signedIn(hub, { name: 'Bob Builder' });
  const general = await open(admin, '/settings/general');
  const rule = general.getByRole('group', { name: 'Who must have a second factor' });
  await rule.getByText('Everyone').click();
  await general.getByRole('button', { name: 'Save rule for second factors' }).click();
  await general.getByText('Saved.').waitFor();

  clock.advance(8 * 24 * 60 * 60_000);
  const { page } = await session(null);
  await addAuthenticator(page);
  await page.goto(named);
  await signInAt(page, bob.user);
  const overdue = page.getByRole('dialog', { name: 'Set up a second factor' });
  await overdue.getByRole('button', { name: 'Add a passkey' }).click();
  await enter(page.getByRole('dialog', { name: 'Add a passkey' }).getByLabel('Name', { exact: true }), 'Laptop');
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' });
  await codes.getByText('I’ve saved the codes').click();
  await codes.getByRole('button', { name: 'Done' }).click();
  await overdue.getByRole('button', { name: 'Continue' }).click();
  await isIn(page);
  await hub.admin.json('PATCH', '/workspace', { secondFactor: 'optional' });

  // The admin had no second factor either.
  await general.goto('/settings/members');
  for (const each of [page, general]) forgetProblems(each);
  await general.getByRole('button', { name: 'Actions for Bob Builder' }).click();
  await general.getByRole('menuitem', { name: 'Remove second factors' }).click();
  await general.getByRole('alertdialog').getByRole('button', { name: 'Remove second factors' }).click();
  await enter(general.getByLabel('Password', { exact: true }), admin.user.password);
  await general.getByText('are removed').waitFor();
});
