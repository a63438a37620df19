import { afterAll, beforeAll, test } from 'bun:test';
import { testBrowser } from '@hub/testkit/browser/browser';
import { change, createItems, expectAllAsFresh, open, reconnect } from '@hub/testkit/browser/every-view';
import { startProxiedTeam } from '@hub/testkit/browser/proxied-team';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import type { Browser } from 'playwright-core';

let browser: Browser;
beforeAll(async () => {
  browser = await testBrowser();
});
afterAll(() => browser.close());

test('every view equals a fresh load after a dropped connection', async () => {
  await using team = await startProxiedTeam(browser);
  const fixture = await createItems(team);
  const opened = await open(team, fixture);
  team.proxy.cut();
  await change(team, team.hub, fixture, 'while away');
  team.proxy.forwardTo(team.hub);
  await reconnect(opened.pages);
  await expectAllAsFresh(opened, 'while away');
  await opened.context.close();
});

test('every view equals a fresh load after a server restart', async () => {
  await using team = await startProxiedTeam(browser);
  const fixture = await createItems(team);
  const opened = await open(team, fixture);
  await change(team, team.hub, fixture, 'before it stops');
  team.proxy.cut();
  const { clock, dataDir } = team.hub;
  await team.hub.stop();
  await using next = await startTestHub({ clock, dataDir, baseUrl: team.proxy.url });
  await change(team, next, fixture, 'after it began again');
  team.proxy.forwardTo(next);
  await reconnect(opened.pages);
  await expectAllAsFresh(opened, 'after it began again');
  await opened.context.close();
});
