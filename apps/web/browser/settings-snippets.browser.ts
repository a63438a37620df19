import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testBrowser, testSession } from '@hub/testkit/browser/browser';
import { type StartedTeam, startTeam } from '@hub/testkit/in-process/team';
import { memberOf } from '@hub/testkit/in-process/users';
import type { Browser } from 'playwright-core';
import { snippetsFor } from '../src/pages/settings/issue-key/snippets.ts';

let browser: Browser;
let team: StartedTeam;
/** The home folder for the snippets. It has no hubctl profile, and is deleted afterwards along with Bun's caches. */
let home: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'hub-web-'));
  browser = await testBrowser();
  team = await startTeam();
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
});

test('shows snippets as tabs that arrow keys move between; each is copied with one click, and none contains the key', async () => {
  const { id: hubId } = await team.hub.admin.createHub('Backups');
  const ada = await memberOf(team.hub, hubId);
  const { page, problems, context } = await testSession(browser, team.hub, { caller: ada });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`/hubs/${hubId}`);
  await page.getByRole('button', { name: 'Issue a key' }).click();
  await page.getByLabel('Name').fill('nightly-backup');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Copy the key for nightly-backup' });
  const key = (await dialog.locator('.secret code').textContent()) ?? '';
  const keyLines = await dialog.locator('.secret code').evaluate((code) => {
    const range = document.createRange();
    range.selectNodeContents(code);
    return range.getClientRects().length;
  });
  expect(keyLines).toBe(1);
  const done = dialog.getByRole('button', { name: 'Done' });
  await dialog.getByRole('tab', { name: 'curl' }).focus();
  for (const name of ['hubctl', 'TypeScript', 'GitHub Actions', 'curl']) {
    await page.keyboard.press('ArrowRight');
    await dialog.getByRole('tab', { name, selected: true }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(name);
    const block = dialog.getByRole('tabpanel').locator('.code').last();
    const code = (await block.locator('code').textContent()) ?? '';
    expect(code).toContain(team.hub.url);
    const isSeen = await block.locator('pre').evaluate((pre) => pre.scrollWidth <= pre.clientWidth);
    expect(isSeen).toBe(true);
    expect(await dialog.getByRole('tabpanel').textContent()).toContain('HUB_API_KEY');
    expect(code).not.toContain(key.slice(9));
    await block.getByRole('button', { name: 'Copy the code' }).click();
    await block.locator('.copy', { hasText: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
    await dialog.getByRole('tab', { name }).focus();
  }
  expect(await done.isDisabled()).toBe(true);
  await dialog.getByLabel('I’ve saved the key').check();
  await done.click();
  expect(problems).toEqual([]);
  await context.close();
});

const ROOT = join(import.meta.dir, '../../..');

/** Runs a copied snippet with the key in the environment. */
async function run(command: string[], env: Record<string, string>): Promise<void> {
  const ran = Bun.spawn(command, {
    cwd: join(ROOT, 'apps/cli'),
    env: { PATH: Bun.env.PATH ?? '', HOME: home, ...env },
    stderr: 'pipe',
  });
  if ((await ran.exited) !== 0) throw new Error(`${command.join(' ')}: ${await new Response(ran.stderr).text()}`);
}

test.each(['messages', 'notes', 'todos'] as const)(
  'each snippet for %s creates a post when it is run',
  async (kind) => {
    const { id: hubId } = await team.hub.admin.createHub('Snippets');
    const ada = await memberOf(team.hub, hubId);
    const { key } = await team.hub.admin.issueKey({ hubId, name: 'ci', scopes: [`${kind}:create`] });
    const [curl, hubctl, client, actions] = snippetsFor(kind, team.hub.url).map(({ code }) => code);
    const hubctlHere = `hubctl() { ${process.execPath} ${join(ROOT, 'apps/cli/src/main.ts')} "$@"; }\n`;
    for (const script of [curl, hubctlHere + hubctl]) await run(['bash', '-euc', script ?? ''], { HUB_API_KEY: key });
    await run([process.execPath, '-e', client ?? ''], { HUB_API_KEY: key });
    const [, script = ''] = actions?.split('run: |\n') ?? [];
    const evaluated = script.replaceAll(/\$\{\{ job\.status \}\}/g, 'success');
    const runner = { HUB_API_KEY: key, GITHUB_REPOSITORY: 'example/site', GITHUB_RUN_NUMBER: '42' };
    await run(['bash', '-euc', evaluated], runner);
    const { body } = await ada.json<{ items: object[] }>('GET', `/hubs/${hubId}/${kind}`);
    expect(body.items).toHaveLength(4);
    expect(JSON.stringify(body.items[0])).toContain('example/site');
    expect(JSON.stringify(body.items[0])).toContain('42');
  },
);
