import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { ItemOrigin } from '@hub/contract';
import type { Browser } from 'playwright-core';
import { post } from '../../api/src/testing/start-test-hub.ts';
import { adminJson } from '../../api/src/testing/users.ts';
import { startBrowser } from './browser.ts';
import { openTestSession, startTeamOfYesterday } from './hub-test-sessions.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

describe('where a post came from', () => {
  test('is told: its key, the time, the address and the request, whose id can be copied', async () => {
    await using team = await startTeamOfYesterday();
    team.hub.comeFrom('203.0.113.7');
    const posted = await team.post('messages', { text: 'Released' });
    const { requestId } = (await team.ada.json<ItemOrigin>('GET', `/items/${posted.id}/origin`)).body;
    const ada = await openTestSession(browser, team, { caller: team.ada });
    await ada.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await ada.row(posted).getByRole('button', { name: 'ci, where this post came from' }).click();
    await ada.panel.getByRole('heading', { name: /^Where this came from/ }).waitFor();
    await ada.panel.getByText('203.0.113.7').waitFor();
    await ada.panel.getByText(/^hub_live_…/).waitFor();
    await ada.panel.getByText(/^1st, issued/).waitFor();
    await ada.panel.getByText('Active').waitFor();
    await ada.panel.getByText(requestId).waitFor();
    await ada.panel.getByRole('button', { name: 'Copy the request id' }).click();
    await ada.page.getByText('Request id copied.').waitFor();
    expect(await ada.page.evaluate(() => navigator.clipboard.readText())).toBe(requestId);
    expect(new URL(ada.page.url()).search).toBe(`?open=${posted.id}&show=origin`);
    await ada.leave();
  });

  test('leads to revoking the key: asked once more, over at once, and seen by the other who looks at it', async () => {
    await using team = await startTeamOfYesterday();
    const posted = await team.post('messages', { text: 'Released' });
    const at = `?open=${posted.id}&show=origin`;
    const ada = await openTestSession(browser, team, { caller: team.ada, at });
    const bob = await openTestSession(browser, team, { caller: team.bob, at });
    await bob.panel.getByText('Active').waitFor();
    await ada.panel.getByRole('button', { name: 'Revoke this key' }).click();
    const dialog = ada.page.getByRole('dialog', { name: 'Revoke ci?' });
    await dialog.getByText('The program that uses it gets 401 from its next request on').waitFor();
    const now = dialog.getByRole('button', { name: 'Revoke now' });
    expect(await now.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('cj');
    expect(await now.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('ci');
    await now.click();
    await ada.panel.getByText('Revoked').waitFor();
    expect(await ada.panel.getByRole('button', { name: 'Revoke this key' }).count()).toBe(0);
    expect((await post(team.hub, 'messages', team.key, { text: 'Too late' })).status).toBe(401);
    await bob.panel.getByText('Revoked').waitFor({ timeout: 8_000 });
    for (const testSession of [ada, bob]) await testSession.leave();
  });

  test('is said to be gone when the post was removed, before and after the page was loaded anew', async () => {
    await using team = await startTeamOfYesterday();
    const posted = await team.post('messages', { text: 'Nobody should see it' });
    const keyId = (await team.hub.admin.listKeys()).items[0]?.id;
    const ada = await openTestSession(browser, team, { caller: team.ada, at: `?open=${posted.id}&show=origin` });
    await ada.panel.getByText('Active').waitFor();
    await adminJson(team.hub, 'POST', `/keys/${keyId}/removals`, {});
    await ada.panel.getByText('This post was removed.').waitFor();
    // What one wanted to know, and to do, is still there.
    await ada.panel.getByText('192.0.2.1').waitFor();
    await ada.panel.getByRole('button', { name: 'Revoke this key' }).waitFor();
    await ada.page.reload();
    await ada.panel.getByText('There is no such post any more').waitFor();
    await ada.context.close();
  });

  test('is the name of the key and the request for those who manage no keys', async () => {
    await using team = await startTeamOfYesterday();
    await adminJson(team.hub, 'PATCH', '/workspace', { membersManageKeys: false });
    const posted = await team.post('messages', { text: 'Released' });
    const ada = await openTestSession(browser, team, { caller: team.ada, at: `?open=${posted.id}&show=origin` });
    await ada.panel.getByText('192.0.2.1').waitFor();
    await ada.panel.getByText('ci', { exact: true }).last().waitFor();
    expect(await ada.panel.getByText('State').count()).toBe(0);
    expect(await ada.panel.getByRole('button', { name: 'Revoke this key' }).count()).toBe(0);
    // What he may not know is not asked for: a refusal would stand in the console.
    expect(ada.problems).toEqual([]);
    await ada.context.close();
  });
});
