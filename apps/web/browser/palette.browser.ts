import { expect, test } from 'bun:test';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { enter, press } from '@hub/testkit/browser/steps';
import { startTeam } from '@hub/testkit/in-process/team';
import { addMember } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';

const { team, open } = await teamSessions(startTeam());

for (const name of ['Café Ops', '<b>Bold</b>']) {
  const { id } = await team.hub.admin.createHub(name);
  await addMember(team.hub, id, team.ada.user);
}

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' });
const chosen = (page: Page) => page.locator('.palette [aria-selected="true"]');
const labels = (page: Page) => page.locator('.palette [role="option"] .grow').allTextContents();

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await palette(page).getByRole('combobox').waitFor();
}

test('Ctrl+K finds Hubs, pages, settings and actions by a few letters, and marks these; recent commands come first, and the keyboard alone moves, chooses and closes', async () => {
  const page = await open(team.ada, '/mentions');
  await page.locator('h1').waitFor();
  await openPalette(page);
  await page.keyboard.type('cafe');
  await expectAccessible(page);
  expect(await chosen(page).locator('b').allTextContents()).toEqual(['Café']);
  await page.keyboard.press('Enter');
  await page.locator('h1', { hasText: 'Café Ops' }).waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  for (const [typed, url] of Object.entries({ stre: '**/stream', mytodo: '**/todos', sess: '**/settings/sessions' })) {
    await openPalette(page);
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    await page.waitForURL(url);
  }
  await openPalette(page);
  await page.keyboard.type('audit');
  // If nothing matches, the posts can be searched instead.
  await page.getByRole('option', { name: 'Search posts for “audit”' }).waitFor();
  await enter(page.getByRole('combobox'), 'dark');
  await page.locator('html[data-theme="dark"]').waitFor();
  await openPalette(page);
  await page.keyboard.type('bold');
  expect(await chosen(page).locator('.grow').textContent()).toBe('<b>Bold</b>');
  await page.getByRole('combobox').fill('kahn');
  await chosen(page).getByText('Posts by member').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/search?author=${team.bob.user.id}`);
  await openPalette(page);
  await page.keyboard.type('ci');
  await chosen(page).getByText('Key', { exact: true }).waitFor();
  expect(await labels(page)).toEqual(expect.arrayContaining(['ci', 'Rotate ci', 'Replace leaked key ci', 'Revoke ci']));
  await page.keyboard.press('Escape');

  await openPalette(page);
  await page.keyboard.type('profile');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/settings/profile');
  await openPalette(page);
  await page.locator('.palette .side-label').first().getByText('Recent').waitFor();
  const options = page.getByRole('option');
  // Its last command is known only once the server has said that members may issue keys.
  await options.getByText('API keys').waitFor();
  expect((await labels(page))[0]).toBe('Profile and password');
  for (const [key, index] of [
    ['ArrowDown', 1],
    ['End', -1],
    ['ArrowDown', 0],
  ] as const) {
    await page.keyboard.press(key);
    await options.nth(index).and(chosen(page)).waitFor();
    const active = await page.getByRole('combobox').getAttribute('aria-activedescendant');
    expect(await options.nth(index).getAttribute('id')).toBe(active);
  }
  await page.keyboard.press('Escape');
  await palette(page).waitFor({ state: 'detached' });
});

test('the palette offers the actions of the Hub that the page shows, and of the selected message, as its row does; while writing, Ctrl+K makes a link only of selected text', async () => {
  const page = await open(team.ada, `/hubs/${team.hubId}`);
  await page.locator('h1', { hasText: 'Releases' }).waitFor();
  await openPalette(page);
  expect(await page.locator('.palette .side-label').allTextContents()).toEqual([
    'Hubs',
    'Pages',
    'This Hub',
    'Actions',
    'Settings',
  ]);
  for (const [typed, tab] of Object.entries({ notes: 'notes', 'to-dos': 'todos' })) {
    await page.getByRole('combobox').fill(typed);
    await chosen(page).getByText('This Hub').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/hubs/${team.hubId}/${tab}`);
    await openPalette(page);
  }
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Conversation' }).click();
  const text = page.getByRole('textbox', { name: 'Message to' });
  await text.fill('see docs');
  await openPalette(page);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  await text.selectText();
  await page.keyboard.press('Control+k');
  expect([await text.inputValue(), await palette(page).count()]).toEqual(['[see docs](https://)', 0]);

  const own = await team.message(team.ada, 'My own message');
  const other = await team.message(team.bob, 'A message by Bob');
  await page.goto(`/hubs/${team.hubId}`);
  const actionsOf = async (id: string) => {
    await page.locator(`.feed [data-row="${id}"]`).waitFor();
    await page.evaluate((row) => document.querySelector<HTMLElement>(`.feed [data-row="${row}"]`)?.focus(), id);
    await openPalette(page);
    const group = page.getByRole('group', { name: 'Selected message' });
    return group.locator('.grow').allTextContents();
  };
  await page.locator(`.feed [data-row="${other.id}"]`).waitFor();
  await page.keyboard.press('k');
  expect(await actionsOf(other.id)).toEqual([
    'React',
    'Reply in thread',
    'Convert to to-do',
    'Convert to note',
    'Copy link',
    'Copy text',
    'Pin to this Hub',
    'Mark unread from here',
  ]);
  await press(page, 'Escape', 'j');
  expect(await actionsOf(own.id)).toContain('Edit');
});
