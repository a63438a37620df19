import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { letSlowedPass } from '../../api/src/testing/let-slowed-pass.ts';
import { pruneHub } from '../../api/src/testing/prune-hub.ts';
import { startOnDatabase } from '../../api/src/testing/restart-hub.ts';
import { signIn } from '../../api/src/testing/users.ts';
import { startBrowser } from './browser.ts';
import { type CuttableTeam, startCuttableTeam } from './cuttable-team.ts';
import { beginning, change, comeBack, expectAllAsFresh, type Opened, open } from './every-view.ts';

const DAY_MS = 86_400_000;

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

test('after a sleep that was longer than events are kept, too', async () => {
  await using team = await startCuttableTeam(browser);
  const fixture = await beginning(team);
  const opened = await open(team, fixture);
  team.way.cut();
  await change(team, team.hub, fixture, 'in the week');
  team.hub.clock.advance(8 * DAY_MS);
  await pruneHub(team.hub);
  await change(team, team.hub, fixture, 'after the week');
  team.way.lead(team.hub);
  await comeBack(opened.pages);
  await expectAllAsFresh(opened, 'after the week');
  await opened.context.close();
});

test('after a backup was restored, what it does not hold is gone, and one goes on where it ends', async () => {
  await using team = await startCuttableTeam(browser);
  const fixture = await beginning(team);
  await change(team, team.hub, fixture, 'in the backup');
  const backup = await (await team.hub.admin.raw('POST', '/backups')).bytes();
  const opened = await open(team, fixture, 'in the backup');
  await change(team, team.hub, fixture, 'after the backup');
  for (const { page, view } of opened.pages) await page.getByText(view.shows('after the backup')).first().waitFor();
  team.way.cut();
  await team.hub.stop();
  await using restored = await startOnDatabase(team.hub, backup, { baseUrl: team.way.url });
  const bob = await signIn(restored, team.bob.user);
  await change({ ...team, bob }, restored, fixture, 'after it was restored');
  team.way.lead(restored);
  await comeBack(opened.pages);
  await letSlowedPass(team.hub.clock, signInAgain(team, opened));
  await expectAllAsFresh(opened, 'after it was restored');
  for (const { page } of opened.pages) expect(await page.getByText('after the backup').count()).toBe(0);
  await opened.context.close();
});

/** A restored server knows no session: whoever signs in in one tab is signed in in all of them. */
async function signInAgain({ ada }: CuttableTeam, { pages }: Opened): Promise<void> {
  const [first] = pages;
  if (!first) return;
  for (const { page } of pages) await page.getByRole('dialog', { name: 'You were signed out' }).waitFor();
  await first.page.getByLabel('Password', { exact: true }).fill(ada.user.password);
  await first.page.keyboard.press('Enter');
  await first.page.getByRole('dialog').waitFor({ state: 'detached' });
  for (const { page } of pages) await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}
