import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { ItemOrigin } from '@hub/contract';
import { testBrowser } from '@hub/testkit/browser/browser';
import { openTestSession, startBackdatedTeam } from '@hub/testkit/browser/hub-test-sessions';
import { post } from '@hub/testkit/in-process/test-hub';
import { adminJson } from '@hub/testkit/in-process/users';
import type { Browser } from 'playwright-core';

let browser: Browser;
beforeAll(async () => {
  browser = await testBrowser();
});
afterAll(() => browser.close());

describe('the key of a post', () => {
  test('shows its key, time, address and request ID, which can be copied', async () => {
    await using team = await startBackdatedTeam();
    team.hub.setClientAddress('203.0.113.7');
    const posted = await team.post('messages', { text: 'Released' });
    const { requestId } = (await team.ada.json<ItemOrigin>('GET', `/items/${posted.id}/origin`)).body;
    const ada = await openTestSession(browser, team, { caller: team.ada });
    await ada.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await ada.row(posted).getByRole('button', { name: 'ci: show key' }).click();
    await ada.panel.getByRole('heading', { name: /^Key/ }).waitFor();
    await ada.panel.getByText('203.0.113.7').waitFor();
    await ada.panel.getByText(/^hub_live_…/).waitFor();
    await ada.panel.getByText('Issued', { exact: true }).waitFor();
    await ada.panel.getByText(/ by local admin$/).waitFor();
    await ada.panel.getByText('Active').waitFor();
    await ada.panel.getByText(requestId).waitFor();
    await ada.panel.getByRole('button', { name: 'Copy request ID' }).click();
    await ada.page.getByText('Request ID copied.').waitFor();
    expect(await ada.page.evaluate(() => navigator.clipboard.readText())).toBe(requestId);
    expect(new URL(ada.page.url()).search).toBe(`?open=${posted.id}&show=origin`);
    await ada.leave();
  });

  test('lets the user revoke the key after a confirmation, and immediately shows the change to others who are viewing it', async () => {
    await using team = await startBackdatedTeam();
    const posted = await team.post('messages', { text: 'Released' });
    const at = `?open=${posted.id}&show=origin`;
    const ada = await openTestSession(browser, team, { caller: team.ada, at });
    const bob = await openTestSession(browser, team, { caller: team.bob, at });
    await bob.panel.getByText('Active').waitFor();
    await ada.panel.getByRole('button', { name: 'Revoke key' }).click();
    const dialog = ada.page.getByRole('dialog', { name: 'Revoke ci?' });
    await dialog.getByText('Programs that use this key get 401').waitFor();
    const now = dialog.getByRole('button', { name: 'Revoke now' });
    expect(await now.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('cj');
    expect(await now.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('ci');
    await now.click();
    await ada.panel.getByText('Revoked').waitFor();
    expect(await ada.panel.getByRole('button', { name: 'Revoke key' }).count()).toBe(0);
    expect((await post(team.hub, 'messages', team.key, { text: 'Too late' })).status).toBe(401);
    await bob.panel.getByText('Revoked').waitFor({ timeout: 8_000 });
    for (const testSession of [ada, bob]) await testSession.leave();
  });

  test('says that the post was removed, before and after a reload', async () => {
    await using team = await startBackdatedTeam();
    const posted = await team.post('messages', { text: 'Nobody should see it' });
    const keyId = (await team.hub.admin.listKeys()).items[0]?.id;
    const ada = await openTestSession(browser, team, { caller: team.ada, at: `?open=${posted.id}&show=origin` });
    await ada.panel.getByText('Active').waitFor();
    await adminJson(team.hub, 'POST', `/keys/${keyId}/removals`, {});
    await ada.panel.getByText('This post was removed.').waitFor();
    // The details and the revoke button are still there.
    await ada.panel.getByText('192.0.2.1').waitFor();
    await ada.panel.getByRole('button', { name: 'Revoke key' }).waitFor();
    await ada.page.reload();
    await ada.panel.getByText('This post no longer exists').waitFor();
    await ada.context.close();
  });

  test('names the old key of a rotated one before it is revoked', async () => {
    await using team = await startBackdatedTeam();
    const posted = await team.post('messages', { text: 'Before the rotation' });
    const keyId = (await team.hub.admin.listKeys()).items[0]?.id;
    // The browser has the present time, and the old key works for 24 hours.
    team.afterMinutes(60);
    await adminJson(team.hub, 'POST', `/keys/${keyId}/rotation`, {});
    const ada = await openTestSession(browser, team, { caller: team.ada, at: `?open=${posted.id}&show=origin` });
    await ada.panel.getByRole('button', { name: 'Revoke old key' }).click();
    await ada.page
      .getByRole('dialog', { name: 'Revoke the old key of' })
      .getByText('The new key keeps working.')
      .waitFor();
    await ada.context.close();
  });

  test('shows only the key name and the request to members who cannot manage keys', async () => {
    await using team = await startBackdatedTeam();
    await adminJson(team.hub, 'PATCH', '/workspace', { membersManageKeys: false });
    const posted = await team.post('messages', { text: 'Released' });
    const ada = await openTestSession(browser, team, { caller: team.ada, at: `?open=${posted.id}&show=origin` });
    await ada.panel.getByText('192.0.2.1').waitFor();
    await ada.panel.getByText('ci', { exact: true }).last().waitFor();
    expect(await ada.panel.getByText('State').count()).toBe(0);
    expect(await ada.panel.getByRole('button', { name: 'Revoke key' }).count()).toBe(0);
    // The page requests nothing that it has no permission for; otherwise, the console would show an error.
    expect(ada.problems).toEqual([]);
    await ada.context.close();
  });
});
