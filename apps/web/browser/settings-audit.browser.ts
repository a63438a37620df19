import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { AuditEntry } from '@hub/contract';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { type Look, PHONE, testSession, WIDE } from '@hub/testkit/browser/browser';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { startTeam } from '@hub/testkit/in-process/team';
import { signedIn } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';
import { ACTIONS } from '../src/pages/settings/workspace/audit-actions.ts';

const { browser, team, open } = await teamSessions(startTeam());
const mara = await signedIn(team.hub, { role: 'admin', name: 'Mara Lindqvist' });
const { id: keyId } = await team.hub.admin.issueKey({ hubId: team.hubId, name: 'deploy-pipeline' });
await mara.json('POST', `/keys/${keyId}/rotation`);
await mara.json('PATCH', '/workspace', { botName: 'Robot' });

const rows = (page: Page) => page.locator('.audit tbody tr');
const textsOf = async (page: Page) => (await rows(page).locator('.t-action').allTextContents()).map(String);

async function atAudit({ query = '', look = WIDE }: { query?: string; look?: Look } = {}) {
  const page = await open(mara, `/settings/audit${query}`, { look });
  await rows(page).first().waitFor();
  return page;
}

async function choose(page: Page, filter: string, item: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${filter}: `) }).click();
  await page.getByRole('menuitemradio', { name: item, exact: true }).click();
}

test('describes every audit action that the server records', async () => {
  const rejected = await mara.json<{ message: string }>('GET', '/audit?action=none');
  const actions = /^action must be one of (.*)$/.exec(rejected.body.message)?.[1]?.split(', ') ?? [];
  expect(Object.keys(ACTIONS).sort()).toEqual(actions.sort());
});

test('shows each entry as a sentence with actor, time and address, and links to its target', async () => {
  const page = await atAudit();
  const rotated = rows(page).filter({ hasText: 'Rotated deploy-pipeline' });
  await rotated.getByText('; the old key expires on').waitFor();
  expect(await rotated.locator('.t-actor').textContent()).toContain('Mara Lindqvist');
  expect(await rotated.locator('.t-from').textContent()).toMatch(/^\d|:/);
  expect(await rotated.getByRole('link', { name: 'deploy-pipeline' }).getAttribute('href')).toBe(
    `/settings/keys?hub=${team.hubId}&key=${keyId}`,
  );
  // The server's clock is at 9:30 UTC; the browser is in Berlin.
  expect(await rotated.locator('time').getAttribute('title')).toContain('10:30:00');
  const [newest] = await textsOf(page);
  expect(newest).toBe('Changed the workspace: the bot name from Bot to Robot');
  await rows(page).filter({ hasText: 'Issued deploy-pipeline' }).getByText('Local admin').waitFor();
});

test('filters by actor, action, Hub, key and date, keeps the filters in the URL, and clears them all with one button', async () => {
  const page = await atAudit();
  const all = await rows(page).count();
  await choose(page, 'Who', 'Mara Lindqvist');
  await rows(page).filter({ hasText: 'Local admin' }).first().waitFor({ state: 'detached' });
  expect(page.url()).toContain(`who=${mara.user.id}`);
  await choose(page, 'What', 'Key rotated');
  await page.waitForFunction(() => document.querySelectorAll('.audit tbody tr').length === 1);
  await choose(page, 'Who', 'Local admin');
  await page.getByText('No matching entries').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.waitForFunction((count) => document.querySelectorAll('.audit tbody tr').length === count, all);
  await choose(page, 'Hub', 'Releases');
  await page.getByRole('button', { name: /^Key: / }).click();
  await page
    .getByRole('menuitemradio', { name: /^deploy-pipeline in Releases/ })
    .last()
    .click();
  await page.waitForFunction(() => document.querySelectorAll('.audit tbody tr').length === 2);
  expect(await textsOf(page)).toEqual([
    expect.stringContaining('Rotated deploy-pipeline'),
    expect.stringContaining('Issued deploy-pipeline'),
  ]);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByLabel('From', { exact: true }).fill('2026-03-02');
  await page.getByText('No matching entries').waitFor();
  await page.getByLabel('To', { exact: true }).fill('2026-02-27');
  await page.getByText(/^The start date, 2 Mar.* 2026, is after the end date, 27 Feb.* 2026/).waitFor();
  await page.getByLabel('To', { exact: true }).fill('');
  await page.getByLabel('From', { exact: true }).fill('2026-03-01');
  await page.waitForFunction((count) => document.querySelectorAll('.audit tbody tr').length === count, all);
  await page.reload();
  expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('2026-03-01');
});

test('loads older entries without duplicates while scrolling, and adds new ones on top when the tab is visible again', async () => {
  await using own = await startTeam();
  for (let n = 0; n < 130; n += 1) await own.hub.admin.createHub(`Hub ${n}`);
  const admin = await signedIn(own.hub, { role: 'admin' });
  const { page, problems, context } = await testSession(browser, own.hub, { caller: admin });
  await page.goto('/settings/audit');
  await rows(page).first().waitFor();
  expect(await rows(page).count()).toBeLessThan(130);
  const end = page.getByText('You’ve reached the end.');
  while (!(await end.isVisible())) {
    await page.locator('.settings').evaluate((element) => element.scrollTo(0, element.scrollHeight));
  }
  const ids = await rows(page).evaluateAll((all) => all.map((row) => row.getAttribute('data-entry')));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThanOrEqual(131);
  await own.hub.admin.createHub('The newest');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await rows(page).first().getByText('The newest').waitFor();
  expect(await rows(page).count()).toBe(ids.length + 1);
  expect(problems).toEqual([]);
  await context.close();
});

test('exports the filtered entries as CSV and as JSON', async () => {
  const page = await atAudit({ query: '?what=key.rotated' });
  const save = async (item: RegExp) => {
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: item }).click();
    const saved = await download;
    return [saved.suggestedFilename(), readFileSync(await saved.path(), 'utf8')] as const;
  };
  const [csvName, csv] = await save(/CSV/);
  expect(csvName).toBe('audit-log.csv');
  expect(csv.trimEnd().split('\r\n')).toHaveLength(2);
  expect(csv).toContain(',key.rotated,');
  const [jsonName, json] = await save(/JSON/);
  expect(jsonName).toBe('audit-log.json');
  expect((JSON.parse(json) as AuditEntry[]).map(({ action, targetId }) => [action, targetId])).toEqual([
    ['key.rotated', keyId],
  ]);
});

test('shows why loading failed, and retries', async () => {
  const { page, context } = await testSession(browser, team.hub, { caller: mara });
  await page.route('**/api/v1/audit?*', (route) => route.abort());
  await page.goto('/settings/audit');
  await page.getByText('Can’t reach the server.').waitFor();
  await page.unroute('**/api/v1/audit?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await rows(page).first().waitFor();
  await context.close();
});

test.each([WIDE, PHONE])(
  'has no axe violations at $width px in either theme, and nothing is wider than the window',
  async (look) => {
    const page = await atAudit({ look, query: '?from=2026-02-01' });
    expect(await axeInBothThemes(page)).toEqual([]);
    expect(await page.evaluate(() => document.querySelector('.settings')?.scrollWidth)).toBeLessThanOrEqual(look.width);
    await page.getByRole('button', { name: /^What: / }).click();
    await page.getByRole('menu').waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
  },
);
