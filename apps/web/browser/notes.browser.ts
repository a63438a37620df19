import { expect, test } from 'bun:test';
import type { Note } from '@hub/contract';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { PHONE, WIDE } from '@hub/testkit/browser/browser';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { startTeam } from '@hub/testkit/in-process/team';
import type { UserCaller } from '@hub/testkit/in-process/users';
import type { Locator, Page } from 'playwright-core';

// The browser logs errors from the server, which are expected here.
const { team, open, forgetProblems } = await teamSessions(startTeam(), {
  expected: /status of (?:404|409)|net::ERR_FAILED/,
});

const notesOf = (caller: UserCaller, query = '', look = WIDE) =>
  open(caller, `/hubs/${team.hubId}/notes${query}`, { look });

const card = (page: Page, title: string) => page.locator('.notes .note', { hasText: title });
const panel = (page: Page) => page.locator('.panel');
const widthOf = async (part: Locator) => (await part.boundingBox())?.width;
/** Browsers wait until the next frame to move the focus away from an element that can no longer have it. */
const focusAfterDrawing = (page: Page) =>
  page.evaluate(`
    new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
      const { activeElement } = document;
      done(activeElement.ariaLabel ?? activeElement.textContent);
    })))
  `);

test('a note by one member appears for the other, newest first, and so does a note posted with a key', async () => {
  const [ada, bob] = [await notesOf(team.ada), await notesOf(team.bob)];
  await ada.getByRole('button', { name: 'Write a note' }).click();
  await ada.getByRole('textbox', { name: 'Title' }).fill('Restoring');
  await ada
    .getByRole('textbox', { name: 'Content (Markdown)' })
    .fill('Stop the server, *then* put the copy in its place.');
  const code = Promise.withResolvers<void>();
  await ada.route('**/app/chunk-*.js', (route) => code.promise.then(() => route.continue()));
  await ada.getByRole('button', { name: 'Save note' }).press('Enter');
  // On a slow connection, the panel shows its frame while the content loads.
  await panel(ada).getByText('Loading the note').waitFor();
  await panel(ada).locator('h2:focus').waitFor();
  const width = await widthOf(panel(ada));
  code.resolve();
  await panel(ada).getByRole('heading', { name: 'Restoring' }).waitFor();
  expect([await panel(ada).locator('h2:focus').count(), await widthOf(panel(ada))]).toEqual([1, width]);
  await panel(ada).getByRole('button', { name: 'Edit' }).click();
  expect(await widthOf(panel(ada))).toBe(width);
  await card(bob, 'Restoring').getByText('Stop the server, then put the copy').waitFor();
  await team.post('notes', { content: '# Weekly numbers\n\nAll is well.' });
  await card(bob, 'Weekly numbers').getByText('Bot via ci').waitFor();
  expect(await bob.locator('.notes h2').allTextContents()).toEqual(['Weekly numbers', 'Restoring']);
});

test('a new note survives leaving the page and a failed save', async () => {
  const page = await notesOf(team.ada);
  await page.getByRole('button', { name: 'Write a note' }).click();
  await page.getByRole('textbox', { name: 'Content (Markdown)' }).fill('A long thought');
  await page.reload();
  const content = page.getByRole('textbox', { name: 'Content (Markdown)' });
  await content.waitFor();
  expect(await content.inputValue()).toBe('A long thought');
  await page.route('**/notes', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
  await page.getByRole('button', { name: 'Save note' }).click();
  await page.getByText('It may have been saved').waitFor();
  expect(await content.inputValue()).toBe('A long thought');
  await page.unroute('**/notes');
  const other = await page.context().newPage();
  await other.goto(page.url());
  const inOther = other.getByRole('textbox', { name: 'Content (Markdown)' });
  await inOther.waitFor();
  await page.getByRole('button', { name: 'Save note' }).click();
  await card(page, 'A long thought').waitFor();
  // A note saved in one tab disappears from the form in the others, so that it is not saved twice.
  await other.getByRole('button', { name: 'Save note', disabled: true }).waitFor();
  expect(await inOther.inputValue()).toBe('');
  await page.reload();
  await page.getByRole('button', { name: 'Write a note' }).waitFor();
});

test('a half-written note is restored when its writer returns', async () => {
  const page = await notesOf(team.ada);
  await page.getByRole('button', { name: 'Write a note' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Half');
  await page.keyboard.press('Escape');
  await page.locator('button:focus', { hasText: 'Continue your draft' }).click();
  expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Half');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Write a note' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Continue your draft' }).click();
  expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Half');
  await page.getByRole('button', { name: 'Discard' }).click();
});

test('an edit appears for the other member, and the second of two writers sees the conflict', async () => {
  const note = await team.note(team.ada, { title: 'Rolling back', content: 'One service alone.' });
  const [ada, bob] = [await notesOf(team.ada, `?open=${note.id}`), await notesOf(team.bob, `?open=${note.id}`)];
  for (const page of [ada, bob]) await panel(page).getByRole('button', { name: 'Edit' }).click();
  await panel(ada).getByRole('textbox', { name: 'Content (Markdown)' }).fill('One service alone, by its name.');
  await panel(bob).getByRole('textbox', { name: 'Content (Markdown)' }).fill('All services.');
  await panel(ada).getByRole('button', { name: 'Save' }).click();
  await panel(bob).getByText('Ada Lovelace changed this while you were editing').waitFor();
  await panel(bob).getByText('One service alone, by its name.').waitFor();
  await panel(bob).getByRole('button', { name: 'Discard my version' }).click();
  await panel(bob).getByText('One service alone, by its name.').waitFor();
  expect(await focusAfterDrawing(bob)).toBe('Edit');
  await bob.getByRole('button', { name: 'Undo' }).click();
  const text = panel(bob).getByRole('textbox', { name: 'Content (Markdown)' });
  await text.waitFor();
  expect(await text.inputValue()).toBe('All services.');
  await panel(bob).getByRole('button', { name: 'Discard changes' }).click();
  await text.waitFor({ state: 'detached' });
  expect((await team.show<Note>(note)).content).toBe('One service alone, by its name.');
  await card(ada, 'Rolling back').getByText('edited').waitFor();
});

test('text typed while a note is being saved is kept', async () => {
  const page = await notesOf(team.ada);
  const content = page.getByRole('textbox', { name: 'Content (Markdown)' });
  /** Presses a save button and continues typing before the request is sent. */
  const typeOnWhileSaving = async (path: string, button: string, more: string) => {
    const result = Promise.withResolvers<void>();
    await page.route(path, async (route) => {
      await result.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('button', { name: button, exact: true, disabled: true }).waitFor();
    expect(await focusAfterDrawing(page)).toBe(button);
    await content.press('End');
    await content.pressSequentially(more);
    const saved = page.waitForResponse((response) => response.ok() && response.request().method() !== 'GET');
    result.resolve();
    const note: Note = await (await saved).json();
    await page.unroute(path);
    return note;
  };
  await page.getByRole('button', { name: 'Write a note' }).click();
  await content.fill('One');
  const note = await typeOnWhileSaving('**/api/v1/hubs/*/notes', 'Save note', ', two');
  await panel(page).getByRole('button', { name: 'Save', exact: true }).waitFor();
  expect([note.content, await content.inputValue()]).toEqual(['One', 'One, two']);
  const changed = await typeOnWhileSaving('**/api/v1/notes/*', 'Save', ', three');
  await panel(page).getByRole('button', { name: 'Save', exact: true, disabled: false }).waitFor();
  expect([changed.content, await content.inputValue()]).toEqual(['One, two', 'One, two, three']);
  expect(await panel(page).getByRole('alert').count()).toBe(0);
  await panel(page).getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await panel(page).getByText('One, two, three').waitFor();
  expect(await panel(page).getByRole('textbox').count()).toBe(0);
  expect(await focusAfterDrawing(page)).toBe('Edit');
  expect((await team.show<Note>(note)).content).toBe('One, two, three');
});

test('a writer who leaves the page and comes back while a note is being saved cannot save it twice', async () => {
  const page = await notesOf(team.ada);
  const result = Promise.withResolvers<void>();
  await page.route('**/api/v1/hubs/*/notes', async (route) => {
    if (route.request().method() === 'POST') await result.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Write a note' }).click();
  await page.getByRole('textbox', { name: 'Content (Markdown)' }).fill('Once only');
  await page.getByRole('button', { name: 'Save note' }).click();
  await page.getByRole('link', { name: 'To-dos', exact: true }).first().click();
  await page.getByRole('textbox', { name: 'New to-do' }).waitFor();
  await page.goBack();
  await page.locator('button[aria-disabled="true"]', { hasText: 'Save note' }).waitFor();
  result.resolve();
  await card(page, 'Once only').waitFor();
  await page.getByRole('button', { name: 'Save note', disabled: true }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Content (Markdown)' }).inputValue()).toBe('');
  expect(await card(page, 'Once only').count()).toBe(1);
});

test('a note that is saved offline says so, and stays as a draft', async () => {
  const page = await notesOf(team.ada);
  await page.getByRole('button', { name: 'Write a note' }).click();
  await page.getByRole('textbox', { name: 'Content (Markdown)' }).fill('In a tunnel');
  // The page asks whether the server can be reached anyway, perhaps a moment too early.
  await page.route('**/api/v1', (route) => route.abort());
  await page.context().setOffline(true);
  await page.getByText('You’re offline.').waitFor();
  await page.getByRole('button', { name: 'Save note' }).click();
  await page.getByText('Not saved, since you’re offline. The draft stays here.').waitFor();
  await page.context().setOffline(false);
  await page.locator('.connection-toast .banner').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save note' }).click();
  await panel(page).getByText('In a tunnel').waitFor();
  forgetProblems(page);
});

test("a deleted note disappears from the other member's list, and their open panel says that it was deleted", async () => {
  const note = await team.note(team.ada, { title: 'Outdated', content: 'No more.' });
  const [ada, bob] = [await notesOf(team.ada, `?open=${note.id}`), await notesOf(team.bob, `?open=${note.id}`)];
  await panel(bob).getByRole('heading', { name: 'Outdated' }).waitFor();
  await panel(ada).getByRole('button', { name: 'More', exact: true }).click();
  await ada.getByRole('menuitem', { name: 'Delete' }).click();
  const next = await card(ada, 'Outdated')
    .locator('xpath=../following-sibling::li[1]')
    .getByRole('heading')
    .textContent();
  await ada.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await card(bob, 'Outdated').waitFor({ state: 'detached' });
  await ada.locator('.note:focus', { hasText: next ?? '' }).waitFor();
  await panel(bob).getByText('“Outdated” was deleted.').waitFor();
  await ada.getByRole('button', { name: 'Undo' }).click();
  await ada.getByText('Note restored.').waitFor();
  await panel(bob).getByRole('heading', { name: 'Outdated' }).waitFor();
  await card(bob, 'Outdated').waitFor();
  expect((await team.show<Note>(note)).content).toBe('No more.');
});

test('j and k move between notes and Enter opens one', async () => {
  const page = await notesOf(team.ada);
  await page.locator('.notes .note').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  const first = await page.locator('.notes h2').first().textContent();
  await panel(page)
    .getByRole('heading', { name: first ?? '' })
    .or(panel(page).getByText(first ?? ''))
    .first()
    .waitFor();
});

test('the largest allowed note is saved and shown, and a larger one is rejected without losing its text', async () => {
  const page = await notesOf(team.ada);
  await page.getByRole('button', { name: 'Write a note' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Large');
  const content = page.getByRole('textbox', { name: 'Content (Markdown)' });
  // Typing this much through Playwright takes a quarter of a minute in any field.
  const put = (count: number) =>
    page.evaluate(`
      {
        const box = document.querySelector('.note-editor textarea');
        box.value = 'A line of a log that is long.\\n'.repeat(7_000).slice(0, ${count});
        box.dispatchEvent(new InputEvent('input', { bubbles: true }));
      }
    `);
  await put(200_001);
  await page.getByText('1 character over the limit of 200,000.').waitFor();
  await page.getByRole('button', { name: 'Save note' }).click();
  await page.getByText('Not saved.').waitFor();
  expect((await content.inputValue()).length).toBe(200_001);
  await put(200_000);
  await page.getByText('0 characters left').waitFor();
  await page.getByRole('button', { name: 'Save note' }).click();
  await panel(page).getByRole('heading', { name: 'Large' }).waitFor();
  forgetProblems(page);
});

for (const look of [WIDE, PHONE]) {
  test(`axe finds no violations at ${look.width} px, in either theme`, async () => {
    const note = await team.note(team.ada, { title: 'A note', content: 'With words.' });
    const page = await notesOf(team.ada, '', look);
    await card(page, 'A note').first().waitFor();
    await page.getByRole('button', { name: 'Write a note' }).click();
    expect(await axeInBothThemes(page)).toEqual([]);
    const other = await notesOf(team.ada, `?open=${note.id}`, look);
    await panel(other).locator('h3', { hasText: 'A note' }).waitFor({ state: 'attached' });
    expect(await axeInBothThemes(other)).toEqual([]);
  });
}
