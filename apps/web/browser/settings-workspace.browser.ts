import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { AuditEntry, Workspace } from '@hub/contract';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { enter, failWrites, press, show } from '@hub/testkit/browser/steps';
import { startTeam } from '@hub/testkit/in-process/team';
import { signedIn } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';
import { ACTIONS } from '../src/pages/settings/workspace/audit-actions.ts';

const { team, open, forgetProblems } = await teamSessions(startTeam());
const mara = await signedIn(team.hub, { role: 'admin', name: 'Mara Lindqvist' });
const { id: keyId } = await team.hub.admin.issueKey({ hubId: team.hubId, name: 'deploy-pipeline' });
await mara.json('POST', `/keys/${keyId}/rotation`);

const workspace = async () => (await mara.json<Workspace>('GET', '/workspace')).body;
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const rows = (page: Page) => page.locator('.audit tbody tr');
const hasRows = (page: Page, count: number) =>
  page.waitForFunction((wanted) => document.querySelectorAll('.audit tbody tr').length === wanted, count);

async function choose(page: Page, filter: string, item: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${filter}: `) }).click();
  await page.getByRole('menuitemradio', { name: item, exact: true }).last().click();
}

test('an admin renames the workspace and the bot and sees the server; who manages keys and their maximum lifetime are saved, each on its own, including by keyboard; an error keeps the input', async () => {
  const page = await open(mara, '/settings/general');
  const name = part(page, 'Workspace');
  await failWrites(page, '**/api/v1/workspace');
  expect(await name.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await enter(name.getByLabel('Name'), '  Example Ltd ');
  await name.getByText('Can’t reach the server.').waitFor();
  await page.unroute('**/api/v1/workspace');
  await page.keyboard.press('Enter');
  await page.locator('.side-label', { hasText: 'Example Ltd' }).waitFor();
  await page.waitForFunction(() => document.title.endsWith('Settings · Example Ltd'));
  const bot = part(page, 'Bot');
  await bot.getByLabel('Bot name').fill('Robot');
  await bot.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect(await workspace()).toMatchObject({ name: 'Example Ltd', botName: 'Robot' });
  const text = (await part(page, 'Server').textContent()) ?? '';
  expect(text).toMatch(/Version\d+\.\d+\.\d+/);
  expect(text).toMatch(/\d+ items? in \d+ Hubs?, \d+ keys? that can post/);
  forgetProblems(page);

  const rules = part(page, 'API keys');
  await rules.getByLabel('Admins only').check();
  await rules.getByLabel('No limit').focus();
  await press(page, 'ArrowRight', 'ArrowRight');
  expect(await rules.getByLabel('90 days').isChecked()).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByText('Saved.').waitFor();
  expect(await workspace()).toMatchObject({ membersManageKeys: false, longestKeyLifetimeDays: 90 });
  await rules.getByLabel('Other').check();
  const days = rules.getByRole('spinbutton');
  await enter(days, '36501');
  await rules.getByText('Enter a whole number of days from 1 to 36500.').waitFor();
  await expectAccessible(page);
  await page.route('**/api/v1/workspace', (route) =>
    // The page does not learn of the change by another admin.
    route.request().method() === 'GET' ? undefined : route.continue(),
  );
  await team.hub.admin.raw('PATCH', '/workspace', { membersManageKeys: true });
  await enter(days, '45');
  await page.waitForFunction(() => document.querySelector<HTMLButtonElement>('section:has(#key-rules) .btn')?.disabled);
  expect(await workspace()).toMatchObject({ membersManageKeys: true, longestKeyLifetimeDays: 45 });
  await team.hub.admin.raw('PATCH', '/workspace', { longestKeyLifetimeDays: null });
});

test('members see neither General nor the audit log, and learn that only admins can open it', async () => {
  const page = await open(team.ada, '/settings');
  await page.locator('.side .nav-row', { hasText: 'Sessions' }).waitFor();
  expect(await page.locator('.side .nav-row', { hasText: /General|Audit log/ }).count()).toBe(0);
  await show(page, '/settings/audit', page.getByRole('heading', { name: 'Admins only' }));
});

test('the audit log shows each entry as a sentence with actor, time and address, describes every action of the server, is filtered by actor, action, Hub, key and date, which the URL keeps, and exported as filtered', async () => {
  const rejected = await mara.json<{ message: string }>('GET', '/audit?action=none');
  const actions = /^action must be one of (.*)$/.exec(rejected.body.message)?.[1]?.split(', ') ?? [];
  expect(Object.keys(ACTIONS).sort()).toEqual(actions.sort());
  const page = await open(mara, '/settings/audit');
  const rotated = rows(page).filter({ hasText: 'Rotated deploy-pipeline' });
  await rotated.getByText('; the old key expires on').waitFor();
  expect(await rotated.locator('.t-actor').textContent()).toContain('Mara Lindqvist');
  expect(await rotated.locator('.t-from').textContent()).toMatch(/^\d|:/);
  expect(await rotated.getByRole('link', { name: 'deploy-pipeline' }).getAttribute('href')).toBe(
    `/settings/keys?hub=${team.hubId}&key=${keyId}`,
  );
  // The server's clock is at 9:30 UTC; the browser is in Berlin.
  expect(await rotated.locator('time').getAttribute('title')).toContain('10:30:00');
  await rows(page).filter({ hasText: 'Issued deploy-pipeline' }).getByText('Local admin').waitFor();
  await expectAccessible(page);
  forgetProblems(page);

  await rows(page).first().waitFor();
  const all = await rows(page).count();
  await choose(page, 'Who', 'Mara Lindqvist');
  await rows(page).filter({ hasText: 'Local admin' }).first().waitFor({ state: 'detached' });
  await choose(page, 'What', 'Key rotated');
  await hasRows(page, 1);
  const save = async (item: RegExp) => {
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: item }).click();
    return readFileSync(await (await download).path(), 'utf8');
  };
  const csv = await save(/CSV/);
  expect([csv.trimEnd().split('\r\n').length, csv.includes(',key.rotated,')]).toEqual([2, true]);
  const exported = JSON.parse(await save(/JSON/)) as AuditEntry[];
  expect(exported.map(({ action, targetId }) => [action, targetId])).toEqual([['key.rotated', keyId]]);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await hasRows(page, all);
  await choose(page, 'Hub', 'Releases');
  await choose(page, 'Key', /^deploy-pipeline in Releases/);
  await hasRows(page, 2);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByLabel('From', { exact: true }).fill('2026-03-02');
  await page.getByText('No matching entries').waitFor();
  await page.getByLabel('From', { exact: true }).fill('2026-03-01');
  await hasRows(page, all);
  await page.reload();
  expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('2026-03-01');
});
