import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { pruneHub } from '../../api/src/testing/prune-hub.ts';
import { startTestHub, type TestHub } from '../../api/src/testing/start-test-hub.ts';
import { teamOn } from '../../api/src/testing/team.ts';
import { type Seat, seat, startBrowser } from './browser.ts';
import { startCuttable } from './cuttable.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** A team on a server that browsers reach by a way that can be cut. */
async function startCuttableTeam() {
  const way = await startCuttable();
  const hub = await startTestHub({ baseUrl: way.url });
  way.lead(hub);
  const team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
  return {
    ...team,
    hub,
    way,
    sit: () => seat(browser, { ...hub, url: way.url }, { caller: team.ada }),
    [Symbol.asyncDispose]: async () => {
      way.close();
      await hub[Symbol.asyncDispose]();
    },
  };
}

type CuttableTeam = Awaited<ReturnType<typeof startCuttableTeam>>;

/** What a page shows, without what depends on where the pointer or the focus is. */
async function shown(page: Page): Promise<string[]> {
  return page
    .locator('.entry, .msg, .side .nav-row, .newline, .day')
    .evaluateAll((parts) => parts.map((part) => `${part.className}|${part.textContent?.replace(/\s+/g, ' ').trim()}`));
}

/** The page that has been through it shows what a page shows that is loaded now, and shows it once. */
async function expectAsFresh(team: CuttableTeam, recovered: Seat, path: string, last: string): Promise<void> {
  await recovered.page.getByText(last).first().waitFor();
  const fresh = await team.sit();
  await fresh.page.goto(path);
  await fresh.page.getByText(last).first().waitFor();
  const wanted = await shown(fresh.page);
  await recovered.page.waitForFunction(
    ({ count }) => document.querySelectorAll('.entry, .msg, .side .nav-row, .newline, .day').length === count,
    { count: wanted.length },
  );
  expect(await shown(recovered.page)).toEqual(wanted);
  await fresh.context.close();
}

async function change(team: CuttableTeam): Promise<string> {
  const [first] = (await team.messages()).items;
  const messages = [];
  for (let n = 0; n < 14; n++) messages.push(await team.message(team.bob, `while away ${n}`));
  if (first) await team.bob.json('PATCH', `/messages/${first.id}`, { text: 'changed while away' });
  await team.bob.json('DELETE', `/messages/${messages[3]?.id}`);
  await team.post('todos', { title: 'a to-do while away' });
  return 'a to-do while away';
}

for (const path of ['/stream', '/hubs/:hubId']) {
  test(`${path}: a connection that was cut comes back with all that was missed, once and in order`, async () => {
    await using team = await startCuttableTeam();
    const at = path.replace(':hubId', team.hubId);
    await team.message(team.bob, 'before');
    const ada = await team.sit();
    await ada.page.goto(at);
    await ada.page.getByText('before', { exact: true }).waitFor();
    team.way.cut();
    await ada.page.getByText('Reconnecting.').waitFor();
    const last = await change(team);
    team.way.lead(team.hub);
    await ada.page.getByRole('button', { name: 'Try now' }).click();
    await ada.page.getByText('Back again. 15 posts caught up.').waitFor();
    await ada.page.getByText('Reconnecting.').waitFor({ state: 'detached' });
    await expectAsFresh(team, ada, at, path === '/stream' ? last : 'while away 13');
    await ada.context.close();
  });
}

test('a short cut is not spoken of', async () => {
  await using team = await startCuttableTeam();
  await team.message(team.bob, 'before');
  const ada = await team.sit();
  await ada.page.goto('/stream');
  await ada.page.getByText('before', { exact: true }).waitFor();
  await ada.page.evaluate(() => {
    new MutationObserver(() => {
      if (document.querySelector('.notice .banner, .toast')) document.documentElement.dataset.spoken = 'yes';
    }).observe(document.body, { childList: true, subtree: true });
  });
  team.way.cut();
  await team.message(team.bob, 'after');
  team.way.lead(team.hub);
  await ada.page.getByText('after', { exact: true }).waitFor();
  expect(await ada.page.evaluate(() => document.documentElement.dataset.spoken)).toBeUndefined();
  await ada.context.close();
});

test('a server that starts again is the same to its readers', async () => {
  await using team = await startCuttableTeam();
  await team.message(team.bob, 'before');
  const ada = await team.sit();
  await ada.page.goto('/stream');
  await ada.page.getByText('before', { exact: true }).waitFor();
  team.way.cut();
  await team.hub.stop();
  await using next: TestHub = await startTestHub({
    clock: team.hub.clock,
    dataDir: team.hub.dataDir,
    baseUrl: team.way.url,
  });
  team.way.lead(next);
  const bob = { ...team.bob.headers, 'content-type': 'application/json' };
  for (const text of ['first after', 'second after']) {
    const body = JSON.stringify({ text });
    const answer = await next.fetch(`/api/v1/hubs/${team.hubId}/messages`, { method: 'POST', headers: bob, body });
    expect(answer.status).toBe(201);
  }
  await expectAsFresh({ ...team, hub: next }, ada, '/stream', 'second after');
  await ada.context.close();
});

test('a tab that slept longer than events are kept loads anew, and is the same as one that is opened now', async () => {
  await using team = await startCuttableTeam();
  for (let n = 0; n < 3; n++) await team.message(team.bob, `before ${n}`);
  const ada = await team.sit();
  await ada.page.goto('/stream');
  await ada.page.getByText('before 2', { exact: true }).waitFor();
  team.way.cut();
  const last = await change(team);
  team.hub.clock.advance(8 * 86_400_000);
  await pruneHub(team.hub);
  const after = await team.message(team.bob, 'after the sleep');
  team.way.lead(team.hub);
  await ada.page.locator(`[data-item="${after.id}"]`).waitFor();
  await ada.page.getByText(last).waitFor();
  await expectAsFresh(team, ada, '/stream', 'after the sleep');
  await ada.context.close();
});
