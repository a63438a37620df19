import { expect, test } from 'bun:test';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { PHONE } from '@hub/testkit/browser/browser';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { enter, eventually, focused, holdBack, press, seen, show } from '@hub/testkit/browser/steps';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { startTeam } from '@hub/testkit/in-process/team';
import { addMember, signedIn } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';

const { team, open, session, newHub, forgetProblems } = await teamSessions(startTeam(), {
  expected: /status of 40[34]|\b42[69]\b|ERR_FAILED/,
});

const hubRow = (page: Page, name: string) => page.locator('.side .nav-row', { hasText: name });

test('navigating to another page focuses its heading; the skip link skips the sidebar; on a narrow screen a panel covers the page, takes the focus and returns it when closed', async () => {
  const { page } = await session(team.ada);
  await team.message(team.bob, 'one');
  await page.goto('/stream');
  await hubRow(page, 'For you').waitFor();
  // The code of the page loads after its placeholder heading.
  const code = await holdBack(page, '**/app/chunk-*.js');
  await hubRow(page, 'For you').click();
  await page.locator('#main[aria-busy="true"] h1', { hasText: 'For you' }).waitFor();
  code();
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  expect(await focused(page)).toBe('For you');
  await page.goto('/stream');
  await page.locator('.entry').first().waitFor();
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');

  const parent = await team.message(team.bob, 'What about the announcement?');
  await team.reply(team.bob, parent, 'At three.');
  await page.setViewportSize({ width: 900, height: 800 });
  const link = page.locator(`[data-item="${parent.id}"] .thread-link`);
  await show(page, '/stream', link);
  await link.focus();
  await page.keyboard.press('Enter');
  await page.locator('#panel', { hasText: 'At three.' }).waitFor();
  await page.waitForFunction(() => document.activeElement?.closest('#panel') !== null);
  expect(await page.evaluate(() => document.querySelector('#main')?.closest('[inert]') !== null)).toBe(true);
  expect(page.url()).toContain(`open=${parent.id}`);
  // The first Escape leaves the composer, the second closes the panel.
  await press(page, 'Escape', 'Escape');
  await page.locator('#panel').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.classList.contains('thread-link'));
  expect(await page.evaluate(() => document.querySelector('#main')?.closest('[inert]'))).toBeNull();
  await page.goBack();
  await page.locator('#panel').waitFor();
});

test('an admin creates a Hub and is its first member, and can add themselves to one that they are not a member of; a member sees no button for creating one', async () => {
  const admin = await signedIn(team.hub, { role: 'admin', name: 'Grace Hopper' });
  const page = await open(admin, '/stream');
  await page.getByRole('link', { name: 'All Hubs' }).click();
  await page.getByRole('link', { name: 'Releases' }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'New Hub' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Hub' });
  await dialog.getByRole('button', { name: 'Create Hub' }).click();
  await dialog.getByText('Enter a name.').waitFor();
  await dialog.getByLabel('Name').fill('Releases');
  await dialog.getByText('A Hub with this name already exists.').waitFor();
  await enter(dialog.getByLabel('Name'), 'Team room');
  await seen(page.locator('h1', { hasText: 'Team room' }), hubRow(page, 'Team room'));
  // Its topic is a line with links, which members see at once.
  const topic = page.getByRole('textbox', { name: 'Topic' });
  await show(page, `/settings/hubs?hub=${team.hubId}`, topic);
  const ada = await open(team.ada, `/hubs/${team.hubId}`);
  await enter(topic, 'Runbook: https://wiki.example.org/deploys');
  await seen(page.getByText('Topic saved.'), ada.getByRole('link', { name: 'wiki.example.org/deploys' }));
  expect(await ada.getByRole('button', { name: 'New Hub' }).count()).toBe(0);

  const { hubId } = await newHub();
  const addMe = page.getByRole('button', { name: 'Add me to Releases' });
  await show(page, `/hubs/${hubId}`, addMe);
  await addMe.click();
  await seen(page.getByRole('log'), hubRow(page, 'Releases'));
});

test('a favorite Hub comes first for one user, and pinned items stay above the Hub for all members until they are deleted', async () => {
  const team = await newHub();
  const message = await team.message(team.bob, 'The runbook is at wiki.example.org');
  const note = await team.note(team.bob, { title: 'On call', content: 'Ada until Friday' });
  const page = await open(team.ada, `/hubs/${team.hubId}`);
  const bobs = await open(team.bob, `/hubs/${team.hubId}`);
  const pinned = bobs.getByRole('region', { name: 'Pinned' }).getByRole('link');
  const menuItem = async (of: Page, name: string) => of.getByRole('menuitem', { name }).click();
  await page.locator(`[data-row="${message.id}"]`).hover();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await menuItem(page, 'Pin to this Hub');
  await pinned.filter({ hasText: 'The runbook' }).waitFor();
  await show(page, `/hubs/${team.hubId}/notes?open=${note.id}`, '#panel h2');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await menuItem(page, 'Pin to this Hub');
  await pinned.filter({ hasText: 'On call' }).click();
  await bobs.locator('#panel', { hasText: 'Ada until Friday' }).waitFor();
  await page.getByRole('button', { name: 'Hub options' }).click();
  await menuItem(page, 'Add to favorites');
  const favorites = page.locator('.side-label', { hasText: 'Favorites' }).locator('+ ul');
  await favorites.getByRole('link', { name: 'Releases' }).waitFor();
  await expectAccessible(page);
  await team.bob.json('DELETE', `/notes/${note.id}`);
  await eventually(async () => (await pinned.count()) === 1);
  await page.getByRole('link', { name: /The runbook/ }).click();
  await page.locator(`[data-row="${message.id}"]`).hover();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await menuItem(page, 'Unpin');
  await pinned.first().waitFor({ state: 'detached' });
  expect(await bobs.locator('.side-label', { hasText: 'Favorites' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Hub options' }).click();
  await menuItem(page, 'Remove from favorites');
  await favorites.waitFor({ state: 'detached' });
});

test('a member who is removed from a Hub, or whose Hub is deleted while open, loses it immediately, and gets everything back when added again or when it is restored', async () => {
  const team = await newHub();
  await team.message(team.bob, 'A secret of the Hub');
  const { page, context } = await session(team.ada);
  await page.clock.install();
  const stream = await context.newPage();
  await stream.goto('/stream');
  await stream.getByText('A secret of the Hub').waitFor();
  await page.goto(`/hubs/${team.hubId}`);
  await page.getByText('A secret of the Hub').waitFor();
  // The page sends one read marker immediately and the other a second later.
  for (const text of ['read at once', 'read just before the end']) {
    await team.message(team.bob, text);
    await page.getByText(text).waitFor();
  }
  await team.hub.admin.deleteHub(team.hubId);
  await page.getByText('You no longer have access to Releases').waitFor();
  await page.getByText('This Hub was deleted. An admin can restore it.').waitFor();
  await page.clock.runFor(3_000);
  await stream.getByText('A secret of the Hub').waitFor({ state: 'detached' });
  await team.hub.admin.restoreHub(team.hubId);
  await seen(page.getByText('A secret of the Hub'), stream.getByText('A secret of the Hub'));

  await team.hub.admin.raw('DELETE', `/hubs/${team.hubId}/members/${team.ada.user.id}`);
  await stream.getByText('A secret of the Hub').waitFor({ state: 'detached' });
  await stream.getByText('You’re not in any Hubs yet').waitFor();
  expect(await stream.getByRole('button', { name: 'Mark all read' }).count()).toBe(0);
  await page.goto(`/hubs/${team.hubId}`);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await addMember(team.hub, team.hubId, team.ada.user);
  await page.getByText('A secret of the Hub').waitFor();
  await show(page, `/hubs/${team.hubId}/nothing`, page.getByRole('heading', { name: 'Page not found' }));
  // An error in one part of the page leaves the rest working.
  await page.route('**/api/v1/mentions*', (route) =>
    route.fulfill({ json: { items: [null], next: null, seqs: {}, epoch: 'x' } }),
  );
  await page.route('**/api/v1/search*', (route) =>
    route.fulfill({ json: { items: [{ kind: 'song', id: 'x' }], next: null } }),
  );
  await page.goto('/search?q=x');
  await page.getByText('This page couldn’t be displayed').waitFor();
  await hubRow(page, 'Stream').click();
  await page.locator('.entry').first().waitFor();
  forgetProblems(page);
});

test('a page over the limit on live connections says so, even on a phone, and goes live when another page closes', async () => {
  const team = await newHub();
  // Pages of earlier tests are still closing theirs.
  await eventually(async () => team.hub.deps.live.counts.sockets === 0);
  const cy = team.ada;
  const others = await Promise.all(Array.from({ length: 20 }, () => liveClient(team.hub, cy.headers)));
  const { page } = await session(cy, { look: PHONE });
  await page.clock.install();
  await page.goto('/stream');
  const notification = page.locator('.connection-toast');
  await notification.getByText('You already have 20 live connections').waitFor();
  expect(await notification.textContent()).toContain('Close one first.');
  others.pop()?.socket.close();
  while (team.hub.deps.live.counts.sockets === 20) await new Promise((resolve) => setImmediate(resolve));
  // The page reconnects automatically within 15 seconds.
  await page.clock.fastForward(15_000);
  await notification.locator('.banner').waitFor({ state: 'detached' });
  await team.message(team.bob, 'Live again');
  await page.getByText('Live again').first().waitFor();
  for (const { socket } of others) socket.close();
});

test('a page whose first list loads long before its Hubs discards it if the first attempts to load the Hubs fail', async () => {
  const team = await newHub();
  const first = await team.message(team.bob, 'here from the beginning');
  const { page } = await session(team.ada);
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  let asked = 0;
  await page.route('**/api/v1/hubs?*', async (route) => {
    asked += 1;
    const isFailing = asked <= 2;
    await isReleased;
    await (isFailing ? route.abort() : route.continue());
  });
  await page.goto(`/stream?open=${first.id}`);
  const panel = page.locator('#panel');
  await panel.getByText('here from the beginning').waitFor();
  await team.bob.json('PATCH', `/messages/${first.id}`, { text: 'edited in between' });
  await team.reply(team.bob, first, 'replied in between');
  release();
  await page.locator('.entry', { hasText: 'edited in between' }).first().waitFor();
  await seen(panel.getByText('edited in between'), panel.getByText('replied in between'));
});

test('requests what a page shows first once, while its code is loading', async () => {
  const team = await newHub();
  await team.message(team.bob, 'hello');
  for (const [path, list] of [
    ['/', '/stream?limit=50'],
    [`/hubs/${team.hubId}`, `/hubs/${team.hubId}/messages?limit=50`],
  ] as const) {
    const { page } = await session(team.ada);
    const requests: string[] = [];
    page.on('request', (request) => void requests.push(request.url().split('/api/v1')[1] ?? ''));
    const code = await holdBack(page, '**/app/main-*.js');
    const response = page.waitForResponse(`**${list}`);
    await page.goto(path, { waitUntil: 'commit' });
    await response;
    code();
    await page.getByText('hello').first().waitFor();
    for (const url of ['/session', list]) expect(requests.filter((each) => each === url)).toEqual([url]);
  }
});

test('shows an item that was posted while the code of the Stream was loading, after the connection was live', async () => {
  const team = await newHub();
  const { page } = await session(team.ada);
  const code = await holdBack(page, '**/app/chunk-*.js');
  await page.goto('/stream', { waitUntil: 'commit' });
  await page.locator('.live:not(.is-off)').waitFor();
  await team.message(team.bob, 'posted in between');
  await page.locator('.badge, .count', { hasText: '1' }).first().waitFor();
  code();
  await page.locator('.entry', { hasText: 'posted in between' }).waitFor();
});
