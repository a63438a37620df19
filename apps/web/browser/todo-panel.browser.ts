import { expect, test } from 'bun:test';
import type { Message, Todo } from '@hub/contract';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { PHONE, WIDE } from '@hub/testkit/browser/browser';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { startTeam } from '@hub/testkit/in-process/team';
import { memberOf, type UserCaller } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';

const NOW = '2026-11-12T10:00:00Z';

// The browser logs errors from the server, which are expected here.
const { team, open } = await teamSessions(startTeam(), { expected: /status of (?:404|409)|net::ERR_FAILED/ });

const panelOf = (caller: UserCaller, id: string, look = WIDE) =>
  open(caller, `/hubs/${team.hubId}/todos?open=${id}`, { look, now: NOW });

const panel = (page: Page) => page.locator('.panel');
const show = async (todo: { id: string }) => team.show<Todo>(todo);

test('a change is saved immediately and appears for the other member', async () => {
  const todo = await team.todo(team.ada, { title: 'Find the slow span' });
  const [ada, bob] = [await panelOf(team.ada, todo.id), await panelOf(team.bob, todo.id)];
  await panel(ada).getByRole('button', { name: 'Assignee: Unassigned' }).click();
  await ada.getByRole('combobox', { name: 'Assignee' }).fill('kah');
  await ada.keyboard.press('Enter');
  await panel(bob).getByRole('button', { name: 'Assignee: Bob Kahn' }).waitFor();

  await panel(ada).getByRole('button', { name: 'Priority: None' }).click();
  await ada.getByRole('menuitemradio', { name: 'Urgent' }).click();
  await panel(bob).getByRole('button', { name: 'Priority: Urgent' }).waitFor();

  await panel(ada).getByRole('button', { name: 'Due: No date' }).click();
  await panel(ada).getByRole('button', { name: 'Tomorrow' }).click();
  await panel(bob).getByRole('button', { name: 'Due: Tomorrow' }).waitFor();
  await panel(ada).getByRole('button', { name: 'Due: Tomorrow' }).click();
  await panel(ada).getByLabel('Time (optional)').fill('18:00');
  await panel(bob).getByRole('button', { name: 'Due: Tomorrow, 18:00' }).waitFor();
  // Six in the evening in Berlin.
  expect((await show(todo)).dueDate).toBe('2026-11-13T17:00:00.000Z');

  await panel(ada).getByRole('button', { name: 'Mark as done' }).click();
  await panel(bob).getByText('Ada Lovelace completed it').waitFor();
});

test('a due date is removed by emptying its day, however the editor is closed, but kept by a day half typed', async () => {
  const dueDate = '2026-11-13T17:00:00.000Z';
  const todo = await team.todo(team.ada, { title: 'Someday', dueDate });
  const page = await panelOf(team.ada, todo.id);
  const day = panel(page).getByLabel('Day', { exact: true });
  for (const close of ['Escape', 'Close', 'opener']) {
    await panel(page).getByRole('button', { name: 'Due: Tomorrow, 18:00' }).click();
    // Only the first of its three parts is removed.
    await day.focus();
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Escape');
    await day.waitFor({ state: 'detached' });
    expect((await show(todo)).dueDate).toBe(dueDate);
    await panel(page).getByRole('button', { name: 'Due: Tomorrow, 18:00' }).click();
    await day.focus();
    for (const key of ['Backspace', 'ArrowRight', 'Backspace', 'ArrowRight', 'Backspace'])
      await page.keyboard.press(key);
    if (close === 'Escape') await page.keyboard.press('Escape');
    else if (close === 'Close') await panel(page).locator('.due-edit').getByRole('button', { name: 'Close' }).click();
    else
      await panel(page)
        .getByRole('button', { name: /^Due: / })
        .click();
    await panel(page).getByRole('button', { name: 'Due: No date' }).waitFor();
    await day.waitFor({ state: 'detached' });
    expect((await show(todo)).dueDate).toBeNull();
    await team.bob.json('PATCH', `/todos/${todo.id}`, { dueDate });
  }
});

test('title and content are edited in place', async () => {
  const todo = await team.todo(team.ada, { title: 'Wram the cache', content: 'Before the switch' });
  const [ada, bob] = [await panelOf(team.ada, todo.id), await panelOf(team.bob, todo.id)];
  await panel(bob).getByRole('heading', { name: 'Wram the cache' }).waitFor();
  await panel(ada).getByRole('button', { name: 'Edit' }).click();
  await panel(ada).getByRole('textbox', { name: 'Title' }).fill('Warm the cache');
  await panel(ada).getByRole('button', { name: 'Save' }).click();
  await panel(bob).getByRole('heading', { name: 'Warm the cache' }).waitFor();
  await panel(ada).locator('[aria-label="Edit"]:focus').waitFor();
  expect(await show(todo)).toMatchObject({ title: 'Warm the cache', content: 'Before the switch' });
});

test("an editor sees the other member's change and loses no text", async () => {
  const todo = await team.todo(team.ada, { title: 'Two writers' });
  const page = await panelOf(team.ada, todo.id);
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  await panel(page).getByRole('textbox', { name: 'Title' }).fill('Two writers, by Ada');
  await team.bob.json('PATCH', `/todos/${todo.id}`, { title: 'Two writers, by Bob' });
  await panel(page).getByText('Bob Kahn changed this while you were editing').waitFor();
  await panel(page).getByText('Two writers, by Bob').waitFor();
  expect(await panel(page).getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Two writers, by Ada');
  await panel(page).getByRole('button', { name: 'Review changes' }).click();
  expect(await panel(page).locator('.banner:focus').count()).toBe(1);
  // Both changed the same line.
  expect(await panel(page).getByRole('button', { name: 'Merge both versions' }).count()).toBe(0);
  await panel(page).getByRole('button', { name: 'Keep only my version' }).press('Enter');
  expect((await show(todo)).title).toBe('Two writers, by Bob');
  await panel(page)
    .locator('button:focus', { hasText: /^Save$/ })
    .press('Enter');
  await panel(page).getByRole('heading', { name: 'Two writers, by Ada' }).waitFor();
  expect((await show(todo)).title).toBe('Two writers, by Ada');
});

test('changes to different lines can be merged, and are saved after a look', async () => {
  const todo = await team.todo(team.ada, { title: 'Checklist', content: '- build\n- test\n- deploy' });
  const page = await panelOf(team.ada, todo.id);
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  const content = panel(page).getByRole('textbox', { name: 'Content (Markdown)' });
  await content.fill('- build it\n- test\n- deploy');
  await team.bob.json('PATCH', `/todos/${todo.id}`, { title: 'The checklist', content: '- build\n- test\n- ship' });
  await panel(page).locator('del', { hasText: '- deploy' }).waitFor();
  await panel(page).locator('ins', { hasText: '- ship' }).waitFor();
  await panel(page).getByRole('button', { name: 'Merge both versions' }).click();
  expect(await content.inputValue()).toBe('- build it\n- test\n- ship');
  // The browser could only undo steps of the text before.
  await content.focus();
  await page.keyboard.press('ControlOrMeta+z');
  expect(await content.inputValue()).toBe('- build it\n- test\n- ship');
  expect((await show(todo)).content).toBe('- build\n- test\n- ship');
  await panel(page).getByRole('button', { name: 'Save' }).click();
  await panel(page).getByText('build it').waitFor();
  expect(await show(todo)).toMatchObject({ title: 'The checklist', content: '- build it\n- test\n- ship' });
});

test("a change between another member's can be merged, and each of their lines is marked", async () => {
  const lines = ['# Release', '', '- build', '- test', '', 'Ask Grace.', 'Then wait.'];
  const todo = await team.todo(team.ada, { title: 'Release', content: lines.join('\n') });
  const page = await panelOf(team.ada, todo.id);
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  const content = panel(page).getByRole('textbox', { name: 'Content (Markdown)' });
  await content.fill(lines.join('\n').replace('- test', '- test twice'));
  const theirs = ['# The release', ...lines.slice(1, 5), 'Ask Ada.', '', 'Then go.'];
  await team.bob.json('PATCH', `/todos/${todo.id}`, { content: theirs.join('\n') });
  const changes = panel(page).locator('.changes');
  await changes.locator('ins', { hasText: 'Then go.' }).waitFor();
  const shown = await changes.locator('.change').evaluateAll((parts) =>
    parts.map((change) =>
      [change, ...change.querySelectorAll('span')].map((part, index) => {
        const sign = getComputedStyle(part, '::before').content;
        return index === 0 ? sign : `${sign} ${part.textContent}`;
      }),
    ),
  );
  expect(shown).toEqual([
    ['none', '"−" / "Removed: " # Release', '"+" / "Added: " # The release'],
    [
      '"…" / "Unchanged lines"',
      '"−" / "Removed: " Ask Grace.',
      '"−" / "" Then wait.',
      '"+" / "Added: " Ask Ada.',
      '"+" / "" ',
      '"+" / "" Then go.',
    ],
  ]);
  // Each line is as high as the others, also an empty one.
  const heights = await changes.locator('span').evaluateAll((spans) => spans.map((span) => span.clientHeight));
  expect(new Set(heights).size).toBe(1);
  await panel(page).getByRole('button', { name: 'Merge both versions' }).click();
  const merged = theirs.join('\n').replace('- test', '- test twice');
  expect(await content.inputValue()).toBe(merged);
  await panel(page).getByRole('button', { name: 'Save' }).click();
  await panel(page).getByText('test twice').waitFor();
  expect((await show(todo)).content).toBe(merged);
});

test('only the first thousand of the lines that another member replaced are shown', async () => {
  const lines = (line: string) => Array.from({ length: 1204 }, (_, index) => `${line} ${index}`).join('\n');
  const todo = await team.todo(team.ada, { title: 'Long list', content: lines('old') });
  const page = await panelOf(team.ada, todo.id);
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  await panel(page).getByRole('textbox', { name: 'Title' }).fill('Longer list');
  await team.bob.json('PATCH', `/todos/${todo.id}`, { content: lines('new') });
  await panel(page).locator('del', { hasText: 'and 204 more lines' }).waitFor();
  const shown = await panel(page).locator('ins span').allTextContents();
  expect([shown.length, shown.at(-1)]).toEqual([1000, 'new 999']);
  await panel(page).getByRole('button', { name: 'Merge both versions' }).waitFor();
});

test('a description is added without touching the title, and an edit that was closed is offered again', async () => {
  const todo = await team.todo(team.ada, { title: 'Call the printer' });
  const page = await panelOf(team.ada, todo.id);
  await panel(page).getByRole('button', { name: 'Add a description' }).click();
  await panel(page).locator('textarea:focus').waitFor();
  await page.keyboard.type('Ask for matte paper');
  await page.keyboard.press('Escape');
  await panel(page).getByRole('button', { name: 'Unsaved edit' }).click();
  const content = panel(page).getByRole('textbox', { name: 'Content (Markdown)' });
  expect(await content.inputValue()).toBe('Ask for matte paper');
  await panel(page).getByRole('button', { name: 'Save' }).click();
  await panel(page).getByText('Ask for matte paper').waitFor();
  expect(await panel(page).getByRole('button', { name: 'Unsaved edit' }).count()).toBe(0);
  expect(await show(todo)).toMatchObject({ title: 'Call the printer', content: 'Ask for matte paper' });
});

test('an unsaved edit of a to-do that another member deletes can be copied and discarded', async () => {
  const todo = await team.todo(team.ada, { title: 'Short-lived' });
  const page = await panelOf(team.ada, todo.id);
  await panel(page).getByRole('button', { name: 'Add a description' }).click();
  await panel(page).locator('textarea:focus').fill('A long explanation');
  await team.bob.json('DELETE', `/todos/${todo.id}`);
  await panel(page).getByText('“Short-lived” was deleted.').waitFor();
  await panel(page).locator('blockquote', { hasText: 'A long explanation' }).waitFor();
  await panel(page).getByRole('button', { name: 'Copy your text' }).waitFor();
  await panel(page).getByRole('button', { name: 'Discard your text' }).click();
  await panel(page).locator('blockquote').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('edit.')))).toEqual([]);
});

test('an assignment by another member during an edit is not a conflict', async () => {
  const todo = await team.todo(team.ada, { title: 'No quarrel' });
  const page = await panelOf(team.ada, todo.id);
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  await panel(page).getByRole('textbox', { name: 'Title' }).fill('No conflict');
  await team.bob.json('PATCH', `/todos/${todo.id}`, { assigneeId: team.bob.user.id });
  await panel(page).getByRole('button', { name: 'Assignee: Bob Kahn' }).waitFor();
  await panel(page).getByRole('button', { name: 'Save' }).click();
  await panel(page).getByRole('heading', { name: 'No conflict' }).waitFor();
  expect(await show(todo)).toMatchObject({ title: 'No conflict', assignee: { name: 'Bob Kahn' } });
});

test('typed text survives a reload', async () => {
  const todo = await team.todo(team.ada, { title: 'Kept' });
  const page = await panelOf(team.ada, todo.id);
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  await panel(page).getByRole('textbox', { name: 'Content (Markdown)' }).fill('Half a thought');
  await page.reload();
  const content = panel(page).getByRole('textbox', { name: 'Content (Markdown)' });
  await content.waitFor();
  expect(await content.inputValue()).toBe('Half a thought');
  await panel(page).getByRole('button', { name: 'Discard changes' }).click();
  await page.reload();
  await panel(page).getByRole('button', { name: 'Edit' }).waitFor();
  expect(await content.count()).toBe(0);
});

test('a converted to-do links to its source message, and says so when the message is deleted', async () => {
  const message = await team.message(team.bob, 'Checkout is **slow** again');
  const { body } = await team.bob.json<Todo>('POST', `/messages/${message.id}/conversion`, { to: 'todo' });
  const page = await panelOf(team.ada, body.id);
  const link = panel(page).getByRole('link', { name: 'Checkout is slow again' });
  await link.waitFor();
  expect(await link.getAttribute('href')).toBe(`/hubs/${team.hubId}?open=${message.id}`);
  await team.bob.json<Message>('DELETE', `/messages/${message.id}`);
  await panel(page).getByText('The source message was deleted.').waitFor();
});

test('a to-do posted by a key links to its source', async () => {
  const todo = await team.post<Todo>('todos', { title: 'From a program' });
  const page = await panelOf(team.ada, todo.id);
  await panel(page).getByRole('link', { name: 'ci' }).click();
  await page.waitForURL((url) => url.searchParams.get('show') === 'origin');
});

test('deleting asks for confirmation, and the other member sees that the to-do is gone', async () => {
  const todo = await team.todo(team.ada, { title: 'Superfluous' });
  const [ada, bob] = [await panelOf(team.ada, todo.id), await panelOf(team.bob, todo.id)];
  await panel(bob).getByRole('heading', { name: 'Superfluous' }).waitFor();
  await panel(ada).getByRole('button', { name: 'More', exact: true }).click();
  await ada.getByRole('menuitem', { name: 'Delete' }).click();
  await ada.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await panel(ada).waitFor({ state: 'detached' });
  await ada.locator('.todo a:focus').waitFor();
  await panel(bob).getByText('“Superfluous” was deleted.').waitFor();
  await panel(bob).getByRole('link', { name: 'Close' }).click();
  await panel(bob).waitFor({ state: 'detached' });
});

test('the list of assignees shows every name and nothing below the last one', async () => {
  const todo = await team.todo(team.ada, { title: 'To assign' });
  const page = await panelOf(team.ada, todo.id);
  await panel(page).getByRole('button', { name: 'Assignee: Unassigned' }).click();
  await page.getByRole('option', { name: 'Bob Kahn' }).waitFor();
  const below = await page
    .getByRole('option')
    .last()
    .evaluate((option) => {
      const picker = option.closest('.picker') as HTMLElement;
      return picker.getBoundingClientRect().bottom - option.getBoundingClientRect().bottom;
    });
  expect(below).toBeWithin(0, 12);
});

test('a new member can be assigned immediately, and a removed member cannot be assigned', async () => {
  const todo = await team.todo(team.ada, { title: 'For a new member' });
  const page = await panelOf(team.ada, todo.id);
  await panel(page).getByRole('button', { name: 'Assignee: Unassigned' }).click();
  await page.getByRole('option', { name: 'Bob Kahn' }).waitFor();
  const carol = await memberOf(team.hub, team.hubId, { name: 'Carol Shaw' });
  await page.getByRole('option', { name: 'Carol Shaw' }).waitFor();
  await team.hub.admin.raw('DELETE', `/hubs/${team.hubId}/members/${carol.user.id}`);
  await page.getByRole('option', { name: 'Carol Shaw' }).waitFor({ state: 'detached' });
});

for (const look of [WIDE, PHONE]) {
  test(`axe finds no violations in the panel at ${look.width} px, in either theme`, async () => {
    const fields = { assigneeId: team.bob.user.id, dueDate: '2026-11-10T12:00:00Z', priority: 'URGENT' };
    const todo = await team.todo(team.ada, { title: 'Everything', content: 'All of it', ...fields });
    const page = await panelOf(team.ada, todo.id, look);
    await panel(page).getByText('All of it').waitFor({ state: 'attached' });
    expect(await axeInBothThemes(page)).toEqual([]);
    if (look.width < WIDE.width) return;
    await panel(page)
      .getByRole('button', { name: /^Overdue, due:/ })
      .click();
    await panel(page).getByRole('button', { name: 'Edit' }).click();
    await team.bob.json('PATCH', `/todos/${todo.id}`, { content: 'Other words' });
    await panel(page).getByRole('textbox', { name: 'Title' }).fill('Nothing');
    await panel(page).getByText('Bob Kahn changed this').waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    await panel(page).getByRole('button', { name: 'Discard my version' }).click();
    await panel(page).getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    expect(await axeInBothThemes(page)).toEqual([]);
  });
}
