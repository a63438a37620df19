import { expect, test } from 'bun:test';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { PHONE, testSession } from '@hub/testkit/browser/browser';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { startTeam } from '@hub/testkit/in-process/team';
import { addMember, memberOf, signedIn } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';

const { browser, team, open } = await teamSessions(startTeam());

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');
const hubRow = (page: Page, name: string) => page.locator('.side .nav-row', { hasText: name });

test('the sidebar counts unread posts by others, and the page title shows the total', async () => {
  const page = await open(team.ada, '/mentions');
  await hubRow(page, 'Releases').waitFor();
  const before =
    (await team.ada.json<{ items: { unreadCount: number }[] }>('GET', '/hubs')).body.items[0]?.unreadCount ?? 0;
  await team.post('messages', { text: 'one' });
  await team.message(team.bob, 'two');
  await team.message(team.ada, 'my own post');
  const count = String(before + 2);
  await hubRow(page, 'Releases').locator('.count', { hasText: count }).waitFor();
  await page.waitForFunction((start) => document.title === start, `(${count}) Mentions · Hub`);
  await hubRow(page, 'Releases').click();
  await page.waitForFunction(() => document.title.endsWith('Releases · Hub'));
});

test('navigating to another page focuses its heading; the skip link skips the sidebar', async () => {
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  await team.message(team.bob, 'one');
  await page.goto('/stream');
  await hubRow(page, 'Mentions').waitFor();
  // The code of the page loads after its placeholder heading.
  const code = Promise.withResolvers<void>();
  await page.route('**/app/chunk-*.js', (route) => code.promise.then(() => route.continue()));
  await hubRow(page, 'Mentions').click();
  await page.locator('#main[aria-busy="true"] h1', { hasText: 'Mentions' }).waitFor();
  code.resolve();
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  expect(await focusedText(page)).toBe('Mentions');
  await page.goto('/stream');
  await page.locator('.entry').first().waitFor();
  await page.keyboard.press('Tab');
  expect(await focusedText(page)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  expect(problems).toEqual([]);
  await context.close();
});

test('on a phone the sidebar is a drawer that traps the focus and returns it when closed', async () => {
  const page = await open(team.ada, '/stream', { look: PHONE });
  const menu = page.locator('.bar .menu-open');
  const nav = page.locator('nav.side');
  await menu.waitFor();
  expect(await nav.isVisible()).toBe(false);
  await menu.click();
  await page.locator('nav.side.is-open').waitFor();
  expect(await page.evaluate(() => document.querySelector('#main')?.closest('[inert]') !== null)).toBe(true);
  await page.waitForFunction(() => document.activeElement?.closest('nav.side') !== null);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement?.classList.contains('menu-open'));
  expect(await page.locator('nav.side.is-open').count()).toBe(0);
  await menu.click();
  await page.locator('.backdrop.is-drawer').click({ position: { x: 350, y: 400 } });
  await page.locator('nav.side.is-open').waitFor({ state: 'detached' });
  await menu.click();
  await hubRow(page, 'Releases').click();
  await page.locator('h1', { hasText: 'Releases' }).waitFor();
  await page.locator('nav.side.is-open').waitFor({ state: 'detached' });
});

test('on a narrow screen a panel covers the page, takes the focus and returns it when closed', async () => {
  const parent = await team.message(team.bob, 'What about the announcement?');
  await team.reply(team.bob, parent, 'At three.');
  const look = { width: 900, height: 800, scheme: 'light' } as const;
  const page = await open(team.ada, '/stream', { look });
  const link = page.locator(`[data-item="${parent.id}"] .thread-link`);
  await link.focus();
  await page.keyboard.press('Enter');
  await page.locator('#panel', { hasText: 'At three.' }).waitFor();
  await page.waitForFunction(() => document.activeElement?.closest('#panel') !== null);
  expect(await page.evaluate(() => document.querySelector('#main')?.closest('[inert]') !== null)).toBe(true);
  expect(page.url()).toContain(`open=${parent.id}`);
  // The first Escape leaves the composer, the second closes the panel.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.locator('#panel').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.classList.contains('thread-link'));
  expect(await page.evaluate(() => document.querySelector('#main')?.closest('[inert]'))).toBeNull();
  await page.goBack();
  await page.locator('#panel').waitFor();
});

test('keyboard shortcuts lead to every page, and a dialog lists them', async () => {
  const page = await open(team.ada, '/mentions');
  await page.locator('h1').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.waitForURL('**/stream');
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  const chooser = page.getByRole('dialog', { name: 'Go to a Hub' });
  await chooser.waitFor();
  await page.keyboard.type('rel');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/hubs/${team.hubId}`);
  await page.locator('h1', { hasText: 'Releases' }).waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName !== 'TEXTAREA');
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.waitForURL('**/todos');
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await page.waitForURL('**/notes');
  await page.keyboard.press('/');
  await page.waitForURL('**/search');
  await page.waitForFunction(() => document.activeElement?.tagName === 'INPUT');
  await page.goto('/stream');
  await page.locator('h1').waitFor();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await sheet.waitFor();
  expect(await sheet.locator('kbd').allTextContents()).toEqual(
    expect.arrayContaining(['j', 'k', 'r', 'e', 'y', '/', '?']),
  );
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
});

test('single-key shortcuts can be turned off; the browser remembers the choice, as it does the theme', async () => {
  const page = await open(team.ada, '/stream');
  await page.locator('.me').click();
  await page.getByRole('menuitemcheckbox', { name: 'Single-key shortcuts' }).click();
  await page.locator('.me').click();
  await page.getByRole('menuitemradio', { name: 'Dark theme' }).click();
  await page.keyboard.press('?');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.reload();
  await page.locator('.me').waitFor();
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  await page.locator('.me').click();
  expect(await page.getByRole('menuitemcheckbox').getAttribute('aria-checked')).toBe('false');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.classList.contains('me'));
  await page.locator('.me').click();
  await page.getByRole('menu').waitFor();
  await page.locator('.me').click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
});

test('the URL of a post leads to its position in the conversation, list or thread', async () => {
  const message = await team.message(team.bob, 'Here I stand');
  const reply = await team.reply(team.bob, message, 'and a reply below');
  const note = await team.note(team.bob, { title: 'A note', content: 'with words' });
  const todo = await team.todo(team.bob, { title: 'Something to do' });
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  const hub = `/hubs/${team.hubId}`;
  for (const [id, to] of [
    [message.id, `${hub}?at=${message.id}`],
    [reply.id, `${hub}?at=${message.id}&open=${message.id}&reply=${reply.id}`],
    [note.id, `${hub}/notes?open=${note.id}`],
    [todo.id, `${hub}/todos?open=${todo.id}`],
  ] as const) {
    await page.goto(`/p/${id}`);
    await page.waitForURL((url) => url.pathname.startsWith('/hubs/'));
    const { pathname, search } = new URL(page.url());
    expect(pathname + search).toBe(to);
  }
  await page.goto('/p/msg_01KA3T8Q6V5M0G7ZB4W2N9RXEC');
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  expect(problems.filter((problem) => !problem.includes('status of 404'))).toEqual([]);
  await context.close();
});

test('an admin creates a Hub and is its first member; a member sees no button for creating one', async () => {
  const admin = await memberOf(team.hub, team.hubId, { role: 'admin', name: 'Grace Hopper' });
  const page = await open(admin, '/stream');
  await page.getByRole('button', { name: 'New Hub' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Hub' });
  await dialog.getByRole('button', { name: 'Create Hub' }).click();
  await dialog.getByText('Enter a name.').waitFor();
  await dialog.getByLabel('Name').fill('Releases');
  await dialog.getByText('A Hub with this name already exists.').waitFor();
  await dialog.getByLabel('Name').fill('Team room');
  await page.keyboard.press('Enter');
  await page.locator('h1', { hasText: 'Team room' }).waitFor();
  await hubRow(page, 'Team room').waitFor();
  const member = await open(team.ada, '/stream');
  await member.locator('.side-label').waitFor();
  expect(await member.getByRole('button', { name: 'New Hub' }).count()).toBe(0);
});

test('Create Hub in the empty Stream opens the same dialog as New Hub in the sidebar', async () => {
  const admin = await signedIn(team.hub, { role: 'admin', name: 'Anna Nowhere' });
  const page = await open(admin, '/stream');
  const looks: string[][] = [];
  for (const name of ['Create Hub', 'New Hub']) {
    await page.locator('.app').getByRole('button', { name }).click();
    const dialog = page.getByRole('dialog', { name: 'New Hub' });
    await dialog.getByLabel('Name').waitFor();
    looks.push(
      await dialog.locator('h2, p, label').evaluateAll((texts) =>
        texts.map((text) => {
          const { fontSize, textAlign, color } = getComputedStyle(text);
          return [text.textContent, fontSize, textAlign, color, text.getBoundingClientRect().x].join('|');
        }),
      ),
    );
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  }
  expect(looks[0]).toEqual(looks[1] ?? []);
});

test('an admin adds a member from the member list of a Hub; a member sees no button for adding one', async () => {
  const admin = await memberOf(team.hub, team.hubId, { role: 'owner', name: 'Olga Owner' });
  const grace = await signedIn(team.hub, { name: 'Grace Newcomer' });
  const page = await open(admin, `/hubs/${team.hubId}`);
  await page.getByRole('button', { name: /^Members/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Members of Releases' });
  await dialog.getByText('including posts from before they were added').waitFor();
  expect(await dialog.getByRole('listitem').filter({ hasText: 'Olga Owner (you)' }).textContent()).toEndWith(', owner');
  await dialog.getByRole('button', { name: 'Add a member' }).click();
  await dialog.getByRole('combobox', { name: 'Add a member' }).fill('newcom');
  await page.keyboard.press('Enter');
  await dialog.getByRole('listitem').filter({ hasText: 'Grace Newcomer' }).waitFor();
  await dialog.getByRole('status').getByText('Grace Newcomer can now read this Hub.').waitFor();
  expect(
    await dialog.getByRole('button', { name: 'Add a member' }).evaluate((to) => to === document.activeElement),
  ).toBe(true);
  expect(await dialog.getByRole('link', { name: 'Invite a member' }).getAttribute('href')).toBe('/settings/members');
  expect(await axeInBothThemes(page)).toEqual([]);
  expect((await grace.json<{ items: { id: string }[] }>('GET', '/hubs')).body.items.map(({ id }) => id)).toEqual([
    team.hubId,
  ]);
  const member = await open(team.ada, `/hubs/${team.hubId}`);
  await member.getByRole('button', { name: /^Members/ }).click();
  await member.getByRole('dialog', { name: 'Members of Releases' }).getByText('Ada Lovelace').waitFor();
  expect(await member.getByRole('button', { name: 'Add a member' }).count()).toBe(0);
});

test('the page of a Hub that is deleted while open says so and removes its items; restoring the Hub brings them back', async () => {
  await using own = await startTeam();
  await own.message(own.bob, 'A secret of the Hub');
  const { page, context, problems } = await testSession(browser, own.hub, { caller: own.ada });
  await page.clock.install();
  const stream = await context.newPage();
  await stream.goto('/stream');
  await stream.getByText('A secret of the Hub').waitFor();
  await page.goto(`/hubs/${own.hubId}`);
  await page.getByText('A secret of the Hub').waitFor();
  // The page sends one read marker immediately and the other a second later.
  for (const text of ['read at once', 'read just before the end']) {
    await own.message(own.bob, text);
    await page.getByText(text).waitFor();
  }
  await own.hub.admin.deleteHub(own.hubId);
  await page.getByText('You no longer have access to Releases').waitFor();
  await page.getByText('This Hub was deleted. An admin can restore it.').waitFor();
  await page.clock.runFor(3_000);
  await stream.getByText('A secret of the Hub').waitFor({ state: 'detached' });
  await own.hub.admin.restoreHub(own.hubId);
  await page.getByText('A secret of the Hub').waitFor();
  await stream.getByText('A secret of the Hub').waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('a removed member loses access to the Hub immediately, and gets everything back when added again', async () => {
  await using own = await startTeam();
  await own.message(own.bob, 'Only for members');
  const { page, context } = await testSession(browser, own.hub, { caller: own.ada });
  await page.goto('/stream');
  await page.getByText('Only for members').waitFor();
  await own.hub.admin.raw('DELETE', `/hubs/${own.hubId}/members/${own.ada.user.id}`);
  await page.getByText('Only for members').waitFor({ state: 'detached' });
  await page.getByText('You’re not in any Hubs yet').waitFor();
  expect(await page.getByRole('button', { name: 'Mark all read' }).count()).toBe(0);
  await page.goto(`/hubs/${own.hubId}`);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await addMember(own.hub, own.hubId, own.ada.user);
  await page.getByText('Only for members').waitFor();
  await context.close();
});

test('shows the latest name of the user, even if the response to an earlier request arrives after that', async () => {
  await using own = await startTeam();
  const { page, context } = await testSession(browser, own.hub, { caller: own.ada });
  const name = page.locator('.me');
  await page.goto('/mentions');
  await name.waitFor();
  await own.message(own.bob, 'The connection is live');
  await hubRow(page, 'Releases').locator('.count').waitFor();
  const [asked, mayArrive, isOver] = [0, 0, 0].map(() => Promise.withResolvers<void>());
  let count = 0;
  await page.route('**/api/v1/me', async (route) => {
    count += 1;
    if (count > 1) return route.continue();
    const response = await route.fetch();
    asked?.resolve();
    await mayArrive?.promise;
    // The page has aborted it if it counts no longer.
    await route.fulfill({ response }).catch(() => {});
    isOver?.resolve();
  });
  await own.ada.json('PATCH', '/me', { name: 'Ada Byron' });
  await asked?.promise;
  const response = page.waitForResponse('**/api/v1/me');
  await own.ada.json('PATCH', '/me', { name: 'Ada King' });
  await (await response).finished();
  await name.getByText('Ada King').waitFor();
  mayArrive?.resolve();
  await isOver?.promise;
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  expect(await name.textContent()).toContain('Ada King');
  await context.close();
});

test('a member who is added again can mention those who were added in the meantime', async () => {
  await using own = await startTeam();
  const { page, context } = await testSession(browser, own.hub, { caller: own.ada });
  await page.goto(`/hubs/${own.hubId}`);
  const text = page.getByRole('textbox', { name: 'Message to' });
  await text.pressSequentially('@kah');
  await page.getByRole('option', { name: 'Bob Kahn' }).waitFor();
  await own.hub.admin.raw('DELETE', `/hubs/${own.hubId}/members/${own.ada.user.id}`);
  await page.getByText('You no longer have access to Releases').waitFor();
  await memberOf(own.hub, own.hubId, { name: 'Carol Shaw' });
  await addMember(own.hub, own.hubId, own.ada.user);
  await text.fill('');
  await text.pressSequentially('@shaw');
  await page.getByRole('option', { name: 'Carol Shaw' }).waitFor();
  await context.close();
});

test('an admin who is not a member of a Hub sees a page that says so, and can add themselves', async () => {
  const admin = await signedIn(team.hub, { role: 'admin', name: 'Mary Shaw' });
  const { page, problems, context } = await testSession(browser, team.hub, { caller: admin });
  await page.goto(`/hubs/${team.hubId}`);
  await page.getByRole('button', { name: 'Add me to Releases' }).click();
  await page.getByRole('log').waitFor();
  await hubRow(page, 'Releases').waitFor();
  // The messages are requested together with the Hubs, before the page knows that this user may not read them.
  expect(problems.filter((problem) => !problem.includes('status of 403'))).toEqual([]);
  await context.close();
});

test('an error in one part of the page leaves the rest working, and says what to do', async () => {
  const { page, context } = await testSession(browser, team.hub, { caller: team.ada });
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
  await context.close();
});

test('a page over the limit on live connections says so, even on a phone, and goes live when another page closes', async () => {
  // Without connections that pages of earlier tests are still closing.
  await using own = await startTeam();
  const cy = own.ada;
  const elsewhere = await testSession(browser, own.hub, { caller: cy });
  await elsewhere.page.goto('/stream');
  // The page's own connection is one of the 20.
  while (own.hub.deps.live.counts.sockets === 0) await new Promise((resolve) => setImmediate(resolve));
  await elsewhere.page.evaluate(async () => {
    const sockets = Array.from({ length: 19 }, () => new WebSocket('/api/v1/live'));
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.addEventListener('open', resolve))));
    addEventListener('message', () => sockets.pop()?.close());
  });
  const { page, context } = await testSession(browser, own.hub, { caller: cy, look: PHONE });
  await page.goto('/stream');
  const notification = page.locator('.connection-toast');
  await notification.getByText('You already have 20 live connections').waitFor();
  expect(await notification.textContent()).toContain('Close one first.');
  const edges = await notification.locator('.banner, .grow, .link').evaluateAll((parts) =>
    parts.flatMap((part) => {
      const { left, right } = part.getBoundingClientRect();
      return [left, right];
    }),
  );
  expect(edges).toHaveLength(6);
  expect(edges.filter((edge) => edge < 0 || edge > PHONE.width)).toEqual([]);
  await elsewhere.page.evaluate(() => postMessage('close one'));
  while (own.hub.deps.live.counts.sockets === 20) await new Promise((resolve) => setImmediate(resolve));
  // The page reconnects automatically within 15 seconds.
  await notification.locator('.banner').waitFor({ state: 'detached', timeout: 20_000 });
  await own.message(own.bob, 'Live again');
  await page.getByText('Live again').first().waitFor();
  await context.close();
  await elsewhere.context.close();
});
