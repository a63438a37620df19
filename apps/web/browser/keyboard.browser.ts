import { expect, test } from 'bun:test';
import type { Message, Todo } from '@hub/contract';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { press, show } from '@hub/testkit/browser/steps';
import { startTeam } from '@hub/testkit/in-process/team';
import type { Page } from 'playwright-core';

const { team, session } = await teamSessions(startTeam(), { expected: /status of 401/ });

/** Presses Tab until the focused element has this name. */
async function tabTo(page: Page, name: RegExp, max = 40): Promise<void> {
  const seen: string[] = [];
  for (let n = 0; n < max; n += 1) {
    await page.keyboard.press('Tab');
    const here = await page.evaluate(() => {
      const { activeElement } = document;
      return (activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '').trim();
    });
    if (name.test(here)) return;
    seen.push(here);
  }
  throw new Error(`No ${name} among ${seen.join(' | ')}`);
}

test("a whole day's work can be done by keyboard: sign in, open a Hub, post, react, reply, create a to-do and a note, search, sign out", async () => {
  const { page } = await session(null);
  await page.addInitScript(() => {
    for (const type of ['mousedown', 'touchstart'])
      addEventListener(type, () => console.error('a pointer was used'), true);
  });
  const posted = await team.post('messages', { text: 'Deployed **4.18.0**' });
  const asked = await team.message(team.bob, 'Shall we move it to three?');

  await page.goto('/');
  await page.getByLabel('E-mail').waitFor();
  await page.keyboard.type(team.ada.user.email);
  await press(page, 'Tab');
  await page.keyboard.type(team.ada.user.password);
  await press(page, 'Enter');
  await page.locator('.entry').first().waitFor();

  await press(page, 'g', 'h');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('rel');
  await page.getByRole('option', { name: /Releases/ }).waitFor();
  await press(page, 'Enter');
  await page.locator(`.msg[data-row="${asked.id}"]`).waitFor();

  await press(page, 'c');
  await page.keyboard.type('Good morning');
  await press(page, 'Enter');
  await page.locator('.msg[id]', { hasText: 'Good morning' }).waitFor();
  await press(page, 'Shift+Tab');

  const isHere = ({ id }: { id: string }) => page.locator(`.feed [data-row="${id}"]:focus-within`).waitFor();
  await press(page, 'k', 'k');
  await isHere(asked);
  await press(page, 'k');
  await isHere(posted);
  await press(page, 'j');
  await isHere(asked);
  await press(page, 'e');
  await page.getByRole('gridcell', { name: 'grinning face', exact: true }).waitFor();
  await page.keyboard.type('rocket');
  await page.getByRole('gridcell', { name: 'grinning face', exact: true }).waitFor({ state: 'detached' });
  await press(page, 'Enter');
  await page.getByRole('button', { name: /^🚀, 1/ }).waitFor();
  await isHere(asked);

  await press(page, 'r');
  await page.locator('#panel textarea:focus').waitFor();
  await page.keyboard.type('At three, then');
  await press(page, 'Enter');
  await page.locator('#panel .msg[data-row]', { hasText: 'At three, then' }).waitFor();
  await press(page, 'Escape');
  await page.locator('#panel .msg:focus', { hasText: 'At three, then' }).waitFor();
  await press(page, 'Escape');
  await page.locator('#panel').waitFor({ state: 'detached' });
  await isHere(asked);

  await press(page, 't');
  await page.getByText('To-do created.').waitFor();
  await press(page, 'k', 'n');
  await page.getByText('Note created.').waitFor();

  await press(page, 'g', 't');
  await page.locator('.todo', { hasText: 'Shall we move it' }).waitFor();
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await press(page, 'j', 'x');
  await saved;
  const todo = (await team.show<Message>(asked)).conversion;
  await page.locator('.todo.is-done', { hasText: 'Shall we move it' }).waitFor();
  expect((await team.show<Todo>({ id: todo?.id ?? '' })).status).toBe('done');

  await press(page, 'g', 'n');
  await page.locator('.note', { hasText: 'Deployed' }).waitFor();
  await press(page, 'j', 'Enter');
  await page.locator('#panel h2').waitFor();
  await press(page, 'Escape');

  await press(page, '/');
  await page.getByRole('combobox').or(page.getByRole('searchbox')).first().waitFor();
  await page.keyboard.type('three');
  await page.locator('.hit').first().waitFor();
  await press(page, 'ArrowDown', 'Enter');
  await page.locator('.msg, #panel').first().waitFor();

  await press(page, '?');
  await page.getByRole('dialog').waitFor();
  await press(page, 'Escape');
  await tabTo(page, /Ada Lovelace$/, 60);
  await press(page, 'Enter');
  await page.getByRole('menu').waitFor();
  await press(page, 'End', 'Enter');
  await page.getByLabel('E-mail').waitFor();
}, 180_000);

test('without single-key shortcuts, each part of a page is a Tab stop, and arrow keys move in it between rows, which say what they contain', async () => {
  const first = await team.message(team.bob, 'Something new');
  const second = await team.post('messages', { text: 'Something **newer**\n\n```\nexit 1\n```' });
  const { page } = await session(team.ada);
  await page.addInitScript(() => localStorage.setItem('hub.shortcuts', 'off'));
  await page.goto('/stream');
  await page.locator('.entry').first().waitFor();
  const parts = ['Skip to content', 'Search', 'For you', 'Settings', 'Mark all read', 'Unread', 'Posts from your Hubs'];
  for (const name of parts) await tabTo(page, new RegExp(`^${name}`));
  // The list of entries is a single tab stop; pressing Tab on the selected entry moves into it.
  await press(page, 'ArrowDown', 'Tab');
  expect(await page.evaluate(() => document.activeElement?.matches('.entry.is-current a.time'))).toBe(true);
  await press(page, 'Escape');
  expect(await page.evaluate(() => document.activeElement?.matches('.entry.is-current'))).toBe(true);
  await press(page, 'Tab', 'Shift+Tab', 'ArrowDown');
  await page.locator(`[data-row="${first.id}"]:focus`).waitFor();
  await press(page, 'Home');
  const row = page.locator(`[data-row="${second.id}"]:focus`);
  expect(await row.getAttribute('aria-label')).toMatch(/^ci \(bot\), \d\d:\d\d, message, new in Releases$/);
  const described = await row.evaluate((element) =>
    element.ariaDescribedByElements?.map(({ textContent }) => textContent),
  );
  expect(described).toEqual(['Something newer', 'exit 1']);

  for (const title of ['One', 'Two', 'Three']) await team.post('todos', { title });
  await show(page, `/hubs/${team.hubId}/todos`, page.getByRole('link', { name: 'Three' }));
  await page.getByRole('region', { name: 'To-dos in Releases' }).focus();
  for (const [key, index] of [
    ['ArrowDown', 0],
    ['ArrowDown', 1],
    ['End', -1],
    ['Home', 0],
  ] as const) {
    await press(page, key);
    await page.locator('.todo').nth(index).locator('a:focus').waitFor();
  }
});
