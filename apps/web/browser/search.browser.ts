import { expect, test } from 'bun:test';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { press, pressIfThere, seen, show } from '@hub/testkit/browser/steps';
import { startTeam } from '@hub/testkit/in-process/team';
import { addMember } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';

const { team, session, open, newHub, forgetProblems } = await teamSessions(startTeam(), { expected: /ERR_FAILED/ });

const { id: otherId } = await team.hub.admin.createHub('Website');
await addMember(team.hub, otherId, team.ada.user);
await team.message(team.bob, 'The price **cache** is cold again');
await team.note(team.bob, {
  title: 'How to empty the edge cache',
  content: `${'Words before. '.repeat(60)}Then the Café.`,
});
await team.todo(team.ada, { title: 'Warm the cache before a deploy' });
await team.ada.json('POST', `/hubs/${otherId}/messages`, { text: 'A cache of seals' });

const lines = (page: Page) => page.locator('.hit .line').allTextContents();

test('search runs while the user types and highlights the words; arrow keys select a result, Enter opens it and going back returns to the results, which follow the address: the sidebar, the command palette and Back; those past the first page are loaded without duplicates, also after an error', async () => {
  const page = await open(team.ada, '/stream');
  await page.locator('.entry').first().waitFor();
  await page.keyboard.press('/');
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox');
  await page.keyboard.type('cac');
  await page.locator('.hit').nth(3).waitFor();
  expect(await lines(page)).toEqual([
    'A cache of seals',
    'Warm the cache before a deploy',
    expect.stringContaining('How to empty the edge cache'),
    'The price cache is cold again',
  ]);
  expect(new Set(await page.locator('.hit mark').allTextContents())).toEqual(new Set(['cac']));
  expect(await page.locator('.hit').nth(2).locator('small').textContent()).toBe('Note by Bob Kahn, Releases');
  expect(new URL(page.url()).search).toBe('?q=cac');
  await page.getByRole('combobox').fill('cafe');
  await page.locator('.hit').nth(1).waitFor({ state: 'detached' });
  expect(await lines(page)).toEqual([expect.stringMatching(/^How to empty .* … .*Then the Café\.$/)]);
  await expectAccessible(page);
  await page.getByRole('combobox').fill('cache');
  await page.locator('.hit').nth(3).waitFor();
  const chosen = () => page.locator('.hit[aria-selected="true"] .line').textContent();
  expect(await chosen()).toBe('A cache of seals');
  await page.keyboard.press('ArrowDown');
  expect(await chosen()).toBe('Warm the cache before a deploy');
  const active = await page.getByRole('combobox').getAttribute('aria-activedescendant');
  expect(await page.locator(`[id="${active}"] .line`).textContent()).toBe('Warm the cache before a deploy');
  await press(page, 'ArrowUp', 'ArrowUp');
  expect(await chosen()).toBe('The price cache is cold again');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/hubs/*?at=msg_*');
  await page.goBack();
  await page.locator('.hit').nth(3).waitFor();
  expect(await page.getByRole('combobox').inputValue()).toBe('cache');
  expect(await chosen()).toBe('The price cache is cold again');
  await press(page, 'ArrowDown', 'ArrowDown', 'Enter');
  await page.waitForURL('**/todos?open=*');
  await show(page, '/search?q=nothing+like+this', page.getByText('No results'));
  await page.getByRole('combobox').press('Escape');
  await page.locator('h1:focus').waitFor();

  // The results follow the address.
  await show(page, '/search?q=seals', page.locator('.hit', { hasText: 'A cache of seals' }));
  expect(await lines(page)).toEqual(['A cache of seals']);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command' }).fill('warm zz');
  await page.getByRole('combobox', { name: 'Command' }).fill('warm');
  await page.getByRole('option', { name: 'Search posts for “warm”' }).click();
  await page.locator('.hit', { hasText: 'Warm the cache' }).waitFor();
  expect(await lines(page)).toEqual(['Warm the cache before a deploy']);
  await page.goBack();
  await page.locator('.hit', { hasText: 'seals' }).waitFor();

  await Promise.all(Array.from({ length: 55 }, (_, n) => team.message(team.bob, `Otter ${n}`)));
  await show(page, '/search?q=otter', page.getByText('Showing the first 50 results'));
  await page.route('**/api/v1/search*', (route) => route.abort());
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('heading', { name: 'Couldn’t load more results' }).waitFor();
  expect(await page.locator('.hit').count()).toBe(50);
  await page.unroute('**/api/v1/search*');
  await pressIfThere(page.getByRole('button', { name: 'Try again' }));
  await page.getByText('55 results').waitFor();
  const hits = await lines(page);
  expect(new Set(hits).size).toBe(55);
});

test('the page says so when there are no results, a query cannot be searched for or the server does not respond', async () => {
  const page = await open(team.ada, '/stream');
  await page.locator('.entry').first().waitFor();
  for (const code of ['**/app/*.js', '**/api/v1']) await page.route(code, (route) => route.abort());
  await page.keyboard.press('/');
  await page.locator('main#main').getByText('Couldn’t load this').waitFor();
  await page.locator('main').getByRole('heading', { name: 'Search', level: 1 }).waitFor();
  for (const code of ['**/app/*.js', '**/api/v1']) await page.unroute(code);
  await pressIfThere(page.getByRole('button', { name: 'Try again' }));
  await page.getByText('Search all your Hubs').waitFor();
  await page.keyboard.type('zebra');
  await page.getByRole('heading', { name: 'No results' }).waitFor();
  await page.getByRole('combobox').fill('🙂');
  await page.getByText('Enter a word to search').waitFor();
  await page.getByRole('combobox').fill('word '.repeat(33));
  await page.getByText('The search has 33 words; at most 32 are accepted').waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  await page.route('**/api/v1/search*', (route) => route.abort());
  await page.getByRole('combobox').fill('cache');
  await page.getByText('Can’t reach the server.').waitFor();
  await page.unroute('**/api/v1/search*');
  await pressIfThere(page.getByRole('button', { name: 'Try again' }));
  await page.locator('.hit').nth(3).waitFor();
  forgetProblems(page);
});

test('filters by kind, author, key and time are kept in the URL and can be cleared', async () => {
  const { page } = await session(team.ada);
  await page.clock.setFixedTime(team.hub.clock.now());
  const done = await team.todo(team.bob, { title: 'Cool the cache' });
  await team.ada.json('PATCH', `/todos/${done.id}`, { status: 'done' });
  await team.post('messages', { text: 'cache is full' });
  await page.goto('/search?q=cache');
  await page.locator('.hit').nth(5).waitFor();
  const choose = async (filter: string, choice: string) => {
    await page.getByRole('button', { name: filter }).click();
    await page.getByRole('menuitemradio', { name: choice, exact: true }).click();
  };
  await choose('Kind:', 'Completed to-dos');
  await page.locator('.hit').nth(1).waitFor({ state: 'detached' });
  expect([await lines(page), new URL(page.url()).search]).toEqual([['Cool the cache'], '?q=cache&kind=todo-done']);
  await choose('Kind:', 'All kinds');
  await page.locator('.hit').nth(5).waitFor();
  const chooseKey = async (filter: string, choice: string) => {
    await page.getByRole('button', { name: filter }).click();
    await page.locator('.picker').getByRole('option', { name: choice }).click();
  };
  await chooseKey('Key:', 'ci');
  await page.locator('.hit').nth(1).waitFor({ state: 'detached' });
  expect(await lines(page)).toEqual(['cache is full']);
  await chooseKey('Key: ci', 'All keys');
  await page.locator('.hit').nth(5).waitFor();
  await choose('Author:', 'Me');
  await page.locator('.hit').first().waitFor();
  await page.locator('.hit').nth(2).waitFor({ state: 'detached' });
  expect(await lines(page)).toEqual(['A cache of seals', 'Warm the cache before a deploy']);
  await choose('Author:', 'Anyone');
  await choose('Time:', 'Custom range');
  await page.getByLabel('To', { exact: true }).fill('2026-02-20');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('heading', { name: 'No results' }).waitFor();
  expect(new URL(page.url()).search).toBe('?q=cache&time=..2026-02-20');
  await page.reload();
  await page.getByRole('heading', { name: 'No results' }).waitFor();
});

test('the posts of a key are found from one of them, and the key is muted in one click', async () => {
  const team = await newHub();
  const post = await team.post('messages', { text: 'Deployed' });
  await team.post('todos', { title: 'Roll back' });
  await team.message(team.bob, 'Thanks');
  const page = await open(team.ada, `/hubs/${team.hubId}`);
  const menu = async (name: string) => {
    await page.locator(`[data-row="${post.id}"]`).hover();
    await page.getByRole('button', { name: 'More', exact: true }).first().click();
    await page.getByRole('menuitem', { name }).click();
  };
  await menu('Mute this key');
  await page.getByText('ci muted.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('mentions and replies in ci').waitFor();
  await menu('All posts of this key');
  await seen(page.getByText('Roll back'), page.locator('.entry', { hasText: 'Deployed' }));
  expect(await page.locator('.entry').count()).toBe(2);
});
