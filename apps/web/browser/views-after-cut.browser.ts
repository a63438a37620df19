import { afterAll, beforeAll, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { startTestHub } from '../../api/src/testing/start-test-hub.ts';
import { startBrowser } from './browser.ts';
import { startCuttableTeam } from './cuttable-team.ts';
import { beginning, change, comeBack, expectAllAsFresh, open } from './every-view.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

test('after a cut every view is what a fresh load of it is', async () => {
  await using team = await startCuttableTeam(browser);
  const fixture = await beginning(team);
  const opened = await open(team, fixture);
  team.way.cut();
  await change(team, team.hub, fixture, 'while away');
  team.way.lead(team.hub);
  await comeBack(opened.pages);
  await expectAllAsFresh(opened, 'while away');
  await opened.context.close();
});

test('after a restart of the server, too', async () => {
  await using team = await startCuttableTeam(browser);
  const fixture = await beginning(team);
  const opened = await open(team, fixture);
  await change(team, team.hub, fixture, 'before it stops');
  team.way.cut();
  const { clock, dataDir } = team.hub;
  await team.hub.stop();
  await using next = await startTestHub({ clock, dataDir, baseUrl: team.way.url });
  await change(team, next, fixture, 'after it began again');
  team.way.lead(next);
  await comeBack(opened.pages);
  await expectAllAsFresh(opened, 'after it began again');
  await opened.context.close();
});
