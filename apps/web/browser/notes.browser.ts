import { expect, test } from 'bun:test';
import type { Message, Note, Todo } from '@hub/contract';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { failWrites, focused, holdBack, painted, seen, show } from '@hub/testkit/browser/steps';
import { startTeam } from '@hub/testkit/in-process/team';
import type { UserCaller } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';

// The browser logs errors from the server, which are expected here.
const { open, newHub, forgetProblems } = await teamSessions(startTeam(), {
  expected: /status of (?:404|409)|net::ERR_FAILED/,
});
type HubTeam = Awaited<ReturnType<typeof newHub>>;

const notesOf = ({ hubId }: HubTeam, caller: UserCaller, query = '') => open(caller, `/hubs/${hubId}/notes${query}`);
const card = (page: Page, title: string) => page.locator('.notes .note', { hasText: title });
const panel = (page: Page) => page.locator('.panel');
const contentOf = (page: Page) => page.getByRole('textbox', { name: 'Content (Markdown)' });
const save = (page: Page) => panel(page).getByRole('button', { name: 'Save', exact: true });

test('a note by one member or by a key appears for the other, newest first, and its panel takes the focus', async () => {
  const team = await newHub();
  const [ada, bob] = [await notesOf(team, team.ada), await notesOf(team, team.bob)];
  await ada.getByRole('button', { name: 'Write a note' }).click();
  await expectAccessible(ada);
  await ada.getByRole('textbox', { name: 'Title' }).fill('Restoring');
  await contentOf(ada).fill('Stop the server, *then* put the copy in its place.');
  await ada.getByRole('button', { name: 'Save note' }).press('Enter');
  await panel(ada).getByRole('heading', { name: 'Restoring' }).waitFor();
  await panel(ada).locator('h2:focus').waitFor();
  await card(bob, 'Restoring').getByText('Stop the server, then put the copy').waitFor();
  await team.post('notes', { content: '# Weekly numbers\n\nAll is well.' });
  await card(bob, 'Weekly numbers').getByText('ci (bot)').waitFor();
  expect(await bob.locator('.notes h2').allTextContents()).toEqual(['Weekly numbers', 'Restoring']);
});

test('a new note survives leaving the page, a failed save, a discard and an offline save, and is saved once for all tabs; text typed while it is being saved is kept', async () => {
  const team = await newHub();
  const page = await notesOf(team, team.ada);
  const content = contentOf(page);
  await page.getByRole('button', { name: 'Write a note' }).click();
  await content.fill('A long thought');
  await page.reload();
  expect(await content.inputValue()).toBe('A long thought');
  await content.press('Escape');
  await page.locator('button:focus', { hasText: 'Continue your draft' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Write a note' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Continue your draft' }).click();
  await failWrites(page, '**/notes');
  await page.getByRole('button', { name: 'Save note' }).click();
  await page.getByText('It may have been saved').waitFor();
  await page.unroute('**/notes');
  // The page asks whether the server can be reached anyway, perhaps a moment too early.
  await page.route('**/api/v1', (route) => route.abort());
  await page.context().setOffline(true);
  await page.getByText('You’re offline.').waitFor();
  await page.getByRole('button', { name: 'Save note' }).click();
  await page.getByText('Not saved, since you’re offline. The draft stays here.').waitFor();
  await page.context().setOffline(false);
  await page.locator('.connection-toast .banner').waitFor({ state: 'detached' });
  expect(await content.inputValue()).toBe('A long thought');
  const other = await page.context().newPage();
  await other.goto(page.url());
  await contentOf(other).waitFor();
  await page.getByRole('button', { name: 'Save note' }).click();
  await seen(card(page, 'A long thought'), other.getByRole('button', { name: 'Save note', disabled: true }));
  expect(await contentOf(other).inputValue()).toBe('');
  forgetProblems(page);

  await other.close();
  /** Presses a save button and continues typing before the request is sent. */
  const typeOnWhileSaving = async (path: string, button: string, more: string) => {
    const result = await holdBack(page, path);
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('button', { name: button, exact: true, disabled: true }).waitFor();
    await painted(page);
    expect(await focused(page)).toBe(button);
    await content.press('End');
    await content.pressSequentially(more);
    const saved = page.waitForResponse((response) => response.ok() && response.request().method() !== 'GET');
    result();
    const note: Note = await (await saved).json();
    await page.unroute(path);
    return note;
  };
  await page.getByRole('button', { name: 'Write a note' }).click();
  await content.fill('One');
  const note = await typeOnWhileSaving('**/api/v1/hubs/*/notes', 'Save note', ', two');
  await save(page).waitFor();
  expect([note.content, await content.inputValue()]).toEqual(['One', 'One, two']);
  const changed = await typeOnWhileSaving('**/api/v1/notes/*', 'Save', ', three');
  await panel(page).getByRole('button', { name: 'Save', exact: true, disabled: false }).waitFor();
  expect([changed.content, await content.inputValue()]).toEqual(['One, two', 'One, two, three']);
  expect(await panel(page).getByRole('alert').count()).toBe(0);
  await save(page).press('Enter');
  await panel(page).getByText('One, two, three').waitFor();
  expect([await contentOf(page).count(), (await team.show<Note>(note)).content]).toEqual([0, 'One, two, three']);
});

test('the second of two writers sees the conflict in a note, and can drop their version and get it back; tasks are checked in place, change nothing else in the text, and appear for the other member; of two at once, both are saved; only the author checks those of a message, and nobody those of a post', async () => {
  const team = await newHub();
  const note = await team.note(team.ada, { title: 'Rolling back', content: 'One service alone.' });
  const at = `?open=${note.id}`;
  const [ada, bob] = [await notesOf(team, team.ada, at), await notesOf(team, team.bob, at)];
  for (const page of [ada, bob]) await panel(page).getByRole('button', { name: 'Edit' }).click();
  await contentOf(ada).fill('One service alone, by its name.');
  await contentOf(bob).fill('All services.');
  await save(ada).click();
  await panel(bob).getByText('Ada Lovelace changed this while you were editing').waitFor();
  await expectAccessible(bob);
  await panel(bob).getByRole('button', { name: 'Discard my version' }).click();
  await panel(bob).getByText('One service alone, by its name.').waitFor();
  await painted(bob);
  expect(await focused(bob)).toBe('Edit');
  await bob.getByRole('button', { name: 'Undo' }).click();
  expect(await contentOf(bob).inputValue()).toBe('All services.');
  await panel(bob).getByRole('button', { name: 'Keep only my version' }).press('Enter');
  expect((await team.show<Note>(note)).content).toBe('One service alone, by its name.');
  await save(bob).click();
  await panel(ada).getByText('All services.').waitFor();
  await expectTasks(team, ada, bob);
});

test('an editor of a to-do can merge changes to other lines, which are marked, and an assignment is no conflict; an unsaved edit survives a reload and is offered again, and if its item is deleted, it can be copied and discarded', async () => {
  const team = await newHub();
  const lines = ['# Release', '', '- build', '- test', '', 'Ask Grace.', 'Then wait.'];
  const todo = await team.todo(team.ada, { title: 'Release', content: lines.join('\n') });
  const page = await open(team.ada, `/hubs/${team.hubId}/todos?open=${todo.id}`);
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  await contentOf(page).fill(lines.join('\n').replace('- test', '- test twice'));
  await team.bob.json('PATCH', `/todos/${todo.id}`, { assigneeId: team.bob.user.id });
  await panel(page).getByRole('button', { name: 'Assignee: Bob Kahn' }).waitFor();
  expect(await panel(page).locator('.banner').count()).toBe(0);
  const theirs = ['# The release', ...lines.slice(1, 5), 'Ask Ada.', '', 'Then go.'];
  await team.bob.json('PATCH', `/todos/${todo.id}`, { title: 'The release', content: theirs.join('\n') });
  const changes = panel(page).locator('.changes');
  await changes.locator('ins', { hasText: 'Then go.' }).waitFor();
  expect(await changes.locator('del span').allTextContents()).toEqual(
    expect.arrayContaining(['# Release', 'Ask Grace.', 'Then wait.']),
  );
  await contentOf(page).press('Control+Enter');
  expect(await panel(page).locator('.banner:focus').count()).toBe(1);
  await panel(page).getByRole('button', { name: 'Merge both versions' }).click();
  const merged = theirs.join('\n').replace('- test', '- test twice');
  expect(await contentOf(page).inputValue()).toBe(merged);
  expect((await team.show<Todo>(todo)).content).toBe(theirs.join('\n'));
  await save(page).click();
  await panel(page).getByText('test twice').waitFor();
  expect(await team.show<Todo>(todo)).toMatchObject({ title: 'The release', content: merged });

  const gone = await team.todo(team.ada, { title: 'Short-lived' });
  const at = `/hubs/${team.hubId}/todos?open=${gone.id}`;
  const describe = panel(page).getByRole('button', { name: 'Add a description' });
  await show(page, at, describe);
  const bob = await open(team.bob, at);
  await describe.click();
  await panel(page).locator('textarea:focus').fill('A long explanation');
  await page.reload();
  expect(await contentOf(page).inputValue()).toBe('A long explanation');
  await page.keyboard.press('Escape');
  await panel(page).getByRole('button', { name: 'Unsaved edit' }).click();
  await panel(bob).getByRole('button', { name: 'More', exact: true }).click();
  await bob.getByRole('menuitem', { name: 'Delete' }).click();
  await bob.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await panel(bob).waitFor({ state: 'detached' });
  await panel(page).getByText('“Short-lived” was deleted.').waitFor();
  await panel(page).locator('blockquote', { hasText: 'A long explanation' }).waitFor();
  await panel(page).getByRole('button', { name: 'Copy your text' }).waitFor();
  await panel(page).getByRole('button', { name: 'Discard your text' }).click();
  await panel(page).locator('blockquote').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('edit.')))).toEqual([]);
});

const box = (page: Page, name: string) => page.locator('.prose').getByRole('checkbox', { name, exact: true });

/** Checks tasks of a note and of messages. */
async function expectTasks(team: HubTeam, ada: Page, bob: Page): Promise<void> {
  const content =
    '# Release\r\n\r\n- [ ] Build `[ ] it`\r\n  1. [x] Test\r\n- [ ] Ship\r\n\r\n```\r\n- [ ] no task\r\n```\r\n';
  const note = await team.note(team.ada, { content });
  for (const page of [ada, bob]) await show(page, `/hubs/${team.hubId}/notes?open=${note.id}`, box(page, 'Ship'));
  await box(ada, 'Ship').click();
  expect(await panel(ada).getByRole('checkbox').count()).toBe(3);
  await box(bob, 'Ship').and(bob.locator(':checked')).waitFor();
  await box(ada, 'Test').focus();
  await ada.keyboard.press('Space');
  await box(bob, 'Test').and(bob.locator(':not(:checked)')).waitFor();
  expect(await box(ada, 'Test').evaluate((element) => element === document.activeElement)).toBeTrue();
  await Promise.all([box(ada, 'Test').click(), box(bob, 'Build [ ] it').click()]);
  for (const page of [ada, bob])
    for (const name of ['Test', 'Build [ ] it']) await box(page, name).and(page.locator(':checked')).waitFor();
  expect((await team.show<Note>(note)).content).toBe(
    content.replace('[ ] Ship', '[x] Ship').replace('[ ] Build', '[x] Build'),
  );

  const mine = await team.message(team.ada, '- [ ] written by Ada');
  await team.post('messages', { text: '- [ ] posted by a key' });
  const conversation = `/hubs/${team.hubId}`;
  for (const page of [ada, bob]) await show(page, conversation, '.main .feed');
  await box(ada, 'written by Ada').click();
  expect(await box(ada, 'posted by a key').count()).toBe(0);
  await bob.locator('.task:has(.tick.is-done)', { hasText: 'written by Ada' }).waitFor();
  await bob.getByText('Not done: posted by a key').waitFor();
  expect(await bob.locator('.prose').getByRole('checkbox').count()).toBe(0);
  expect((await team.show<Message>(mine)).text).toBe('- [x] written by Ada');
}
