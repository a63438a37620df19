import { afterAll, beforeAll, expect, test } from 'bun:test';
import { testBrowser } from '@hub/testkit/browser/browser';
import { change, createItems, expectAllAsFresh, type Opened, open, reconnect } from '@hub/testkit/browser/every-view';
import { type ProxiedTeam, startProxiedTeam } from '@hub/testkit/browser/proxied-team';
import { settleDelayed } from '@hub/testkit/in-process/test-clock';
import { pruneHub, startOnDatabase } from '@hub/testkit/in-process/test-hub';
import { signIn } from '@hub/testkit/in-process/users';
import type { Browser } from 'playwright-core';

const DAY_MS = 86_400_000;

let browser: Browser;
beforeAll(async () => {
  browser = await testBrowser();
});
afterAll(() => browser.close());

test('every view equals a fresh load after a sleep longer than the event retention period', async () => {
  await using team = await startProxiedTeam(browser);
  const fixture = await createItems(team);
  const opened = await open(team, fixture);
  team.proxy.cut();
  await change(team, team.hub, fixture, 'in the week');
  team.hub.clock.advance(8 * DAY_MS);
  await pruneHub(team.hub);
  await change(team, team.hub, fixture, 'after the week');
  team.proxy.forwardTo(team.hub);
  await reconnect(opened.pages);
  await expectAllAsFresh(opened, 'after the week');
  await opened.context.close();
});

test('items missing from a restored backup disappear, and the reader continues where the backup ends', async () => {
  await using team = await startProxiedTeam(browser);
  const fixture = await createItems(team);
  await change(team, team.hub, fixture, 'in the backup');
  const backup = await (await team.hub.admin.raw('POST', '/backups')).bytes();
  const opened = await open(team, fixture, 'in the backup');
  await change(team, team.hub, fixture, 'after the backup');
  for (const { page, view } of opened.pages) await page.getByText(view.shows('after the backup')).first().waitFor();
  team.proxy.cut();
  await team.hub.stop();
  await using restored = await startOnDatabase(team.hub, backup, { baseUrl: team.proxy.url });
  const bob = await signIn(restored, team.bob.user);
  await change({ ...team, bob }, restored, fixture, 'after it was restored');
  team.proxy.forwardTo(restored);
  await reconnect(opened.pages);
  await settleDelayed(team.hub.clock, signBackIn(team, opened));
  await expectAllAsFresh(opened, 'after it was restored');
  for (const { page } of opened.pages) expect(await page.getByText('after the backup').count()).toBe(0);
  await opened.context.close();
});

/** Signs in again, since a restored server has no sessions. One sign-in is enough for all tabs. */
async function signBackIn({ ada }: ProxiedTeam, { pages }: Opened): Promise<void> {
  const [first] = pages;
  if (!first) return;
  for (const { page } of pages) await page.getByRole('dialog', { name: 'Your session ended' }).waitFor();
  await first.page.getByLabel('Password', { exact: true }).fill(ada.user.password);
  await first.page.keyboard.press('Enter');
  await first.page.getByRole('dialog').waitFor({ state: 'detached' });
  for (const { page } of pages) await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}
