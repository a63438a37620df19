import { expect, test } from 'bun:test';
import type { ApiKey, ItemOrigin, Message } from '@hub/contract';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { enter, focused, seen } from '@hub/testkit/browser/steps';
import { startTeam } from '@hub/testkit/in-process/team';
import { post } from '@hub/testkit/in-process/test-hub';
import { memberOf } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';

const { team: first, session, openHub, newHub, forgetProblems } = await teamSessions(startTeam());
const { admin } = first.hub;

const formOf = (page: Page) => page.getByRole('dialog', { name: 'Issue a key' });
const keyOf = (page: Page) => page.getByRole('dialog', { name: /^Copy the key for/ });
const doneOf = (page: Page) => keyOf(page).getByRole('button', { name: 'Done' });
const secretOf = async (page: Page) => (await keyOf(page).locator('.secret code').textContent()) ?? '';

/** Opens an empty Hub as a member who can issue keys for it. */
async function atEmptyHub() {
  const { id: hubId } = await admin.createHub('Backups');
  const ada = await memberOf(first.hub, hubId);
  const opened = await session(ada);
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await opened.page.goto(`/hubs/${hubId}`);
  return { ...opened, hubId, ada };
}

async function issue(page: Page, name = 'nightly-backup'): Promise<string> {
  await page.getByRole('button', { name: 'Issue a key' }).first().click();
  await enter(formOf(page).getByLabel('Name'), name);
  await keyOf(page).waitFor();
  return secretOf(page);
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

test('a key is issued with a name and Enter, tried with a test post, copied and closed, and leaves no trace', async () => {
  const { page, hubId, ada } = await atEmptyHub();
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  page.on('request', (request) => logged.push(`${request.url()} ${request.postData() ?? ''}`));
  const key = await issue(page);
  expect(key).toMatch(/^hub_live_[0-9A-Za-z]{40}$/);
  await keyOf(page).getByText('This is the only time it’s shown.').waitFor();
  expect([await focused(page), await doneOf(page).isDisabled()]).toEqual(['Copy key', true]);
  expect(await tracesOf(page, key)).toEqual(['markup']);
  await expectAccessible(page);
  await keyOf(page).getByRole('button', { name: 'Send a test post' }).click();
  await keyOf(page).getByText('Arrived in Backups').waitFor();
  const { body } = await ada.json<{ items: Message[] }>('GET', `/hubs/${hubId}/messages`);
  expect(body.items.map(({ text, key: by }) => [text, by?.name])).toEqual([
    ['A test post: this key works.', 'nightly-backup'],
  ]);
  await keyOf(page).getByRole('button', { name: 'Copy key' }).click();
  await keyOf(page).getByRole('button', { name: 'Copied key' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await doneOf(page).click();
  await keyOf(page).waitFor({ state: 'detached' });
  // The button that opened the dialog disappears with the first post.
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  expect([await tracesOf(page, key), logged.filter((text) => text.includes(key))]).toEqual([[], []]);
  const [listed] = (await admin.listKeys(`?hubId=${hubId}`)).items as [ApiKey];
  expect([listed.name, listed.scopes]).toEqual(['nightly-backup', ['messages:create']]);
  expect(Date.parse(listed.expiresAt ?? '') - Date.parse(listed.createdAt)).toBe(365 * 86_400_000);
});

test('an admin issues a key for a Hub they are not a member of, and errors appear at their fields, also after the session ended', async () => {
  const { id: hubId } = await admin.createHub('Elsewhere');
  await admin.issueKey({ hubId, name: 'ci' });
  const caller = await memberOf(first.hub, first.hubId, { role: 'admin', name: 'Joan Clarke' });
  const { page, context } = await session(caller);
  await page.goto('/settings/keys');
  await page.getByRole('button', { name: 'Issue a key' }).first().click();
  const form = formOf(page);
  expect(await form.getByLabel('Hub', { exact: true }).locator('option:checked').textContent()).toBe('Choose a Hub');
  const submit = form.getByRole('button', { name: 'Issue key' });
  await form.getByLabel('Messages').uncheck();
  await submit.click();
  await seen(form.getByText('Choose at least one permission.'), form.getByText('Choose a Hub to post to.'));
  await expectAccessible(page);
  await form.getByLabel('Hub', { exact: true }).selectOption('Elsewhere');
  await form.getByLabel('To-dos').check();
  const name = form.getByLabel('Name');
  await name.fill('c\u200bi');
  await form.getByLabel('90 days').check();
  await submit.click();
  await form.getByText('The name cannot contain invisible characters: remove U+200B.').waitFor();
  expect(
    await name.evaluate((field) => [field.getAttribute('aria-invalid'), field === document.activeElement]),
  ).toEqual(['true', true]);
  await name.fill('ci ');
  await form.getByText('An active key in this Hub already has this name.').waitFor();
  // Before the page asks for the password, it checks whether the browser has a session.
  await context.clearCookies();
  await submit.click();
  await enter(page.getByRole('textbox', { name: 'Password' }), caller.user.password);
  await page.getByRole('textbox', { name: 'Password' }).waitFor({ state: 'detached' });
  await submit.click();
  await keyOf(page).getByRole('button', { name: 'Send a test post' }).click();
  await keyOf(page).getByText('Posted to Elsewhere. You’re not a member of this Hub').waitFor();
  const key = (await admin.listKeys(`?hubId=${hubId}`)).items.find(({ postCount }) => postCount === 1) as ApiKey;
  expect(key.scopes).toEqual(['todos:create']);
  expect(Date.parse(key.expiresAt ?? '') - Date.parse(key.createdAt)).toBe(90 * 86_400_000);
  forgetProblems(page);
});

test('a new key is not lost by a click outside, Escape, Back or a reload before it has been saved', async () => {
  const { page, hubId } = await atEmptyHub();
  await page.goto('/mentions');
  await page.goto(`/hubs/${hubId}`);
  const key = await issue(page);
  const question = page.getByRole('alertdialog', { name: 'Close without saving the key?' });
  await page.mouse.click(5, 5);
  expect([await keyOf(page).isVisible(), await question.count()]).toEqual([true, 0]);
  await page.keyboard.press('Escape');
  await question.getByText('You won’t see this key again.').waitFor();
  expect(await focused(page)).toBe('Go back');
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  const reloading = page.waitForEvent('dialog');
  await page.evaluate(() => void setTimeout(() => location.reload()));
  await reloading;
  expect(asked).toEqual(['beforeunload']);
  // The dialog's history entry is added a moment after it has opened.
  await page.waitForFunction(() => (history.state as { layers?: number } | null)?.layers === 1);
  await page.evaluate(() => history.back());
  await question.getByRole('button', { name: 'Go back' }).click();
  expect([new URL(page.url()).pathname, await secretOf(page)]).toEqual([`/hubs/${hubId}`, key]);
  await keyOf(page).getByLabel('I’ve saved the key').check();
  await page.evaluate(() => history.back());
  await keyOf(page).waitFor({ state: 'detached' });
  expect([new URL(page.url()).pathname, asked.length, await tracesOf(page, key)]).toEqual([`/hubs/${hubId}`, 1, []]);
});

test('the key of a post shows its address and request, can be revoked by name, and says when the post was removed', async () => {
  const team = await newHub();
  team.hub.setClientAddress('203.0.113.7');
  const posted = await team.post('messages', { text: 'Released' });
  const { requestId } = (await team.ada.json<ItemOrigin>('GET', `/items/${posted.id}/origin`)).body;
  const ada = await openHub(team.ada);
  await ada.row(posted).getByRole('link', { name: 'ci: show key' }).click();
  await ada.panel.getByRole('heading', { name: /^Key/ }).waitFor();
  for (const text of ['203.0.113.7', /^hub_live_…/, / by local admin$/, 'Active', requestId])
    await ada.panel.getByText(text).first().waitFor();
  expect(new URL(ada.page.url()).search).toBe(`?open=${posted.id}&show=origin`);
  await expectAccessible(ada.page);
  await ada.panel.getByRole('button', { name: 'Revoke key' }).click();
  const dialog = ada.page.getByRole('alertdialog', { name: 'Revoke ci?' });
  await dialog.getByText('Programs that use this key get 401').waitFor();
  await dialog.getByRole('button', { name: 'Can’t hold?' }).click();
  await dialog.getByRole('textbox').fill('ci');
  await dialog.getByRole('button', { name: 'Revoke now' }).click();
  await ada.panel.getByText('Revoked').waitFor();
  expect(await ada.panel.getByRole('button', { name: 'Revoke key' }).count()).toBe(0);
  expect((await post(team.hub, 'messages', team.key, { text: 'Too late' })).status).toBe(401);
  await team.hub.admin.json('POST', `/keys/${team.keyId}/removals`, {});
  await ada.panel.getByText('This post was removed.').waitFor();
  await ada.page.reload();
  await ada.panel.getByText('This post no longer exists').waitFor();
  forgetProblems(ada.page);
});
