import { expect, test } from 'bun:test';
import type { Message } from '@hub/contract';
import { expectAccessible } from '@hub/testkit/browser/axe';
import {
  fill,
  type HubTestSession,
  isShown,
  scrollUp,
  startBackdatedTeam,
  teamSessions,
} from '@hub/testkit/browser/hub-test-sessions';
import { enter, press } from '@hub/testkit/browser/steps';
import { memberOf } from '@hub/testkit/in-process/users';
import type { Locator, Page } from 'playwright-core';

const { openHub, newHub } = await teamSessions(startBackdatedTeam());

/** Starts editing a message as its menu does. */
async function beginEdit({ page, row }: HubTestSession, message: { id: string }): Promise<Locator> {
  await row(message).hover();
  await row(message).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const field = page.getByRole('textbox', { name: 'Message text' });
  await field.waitFor();
  return field;
}

test('the keyboard moves between messages, into a message and past the list, and acts on no message out of view, and otherwise on the one that was clicked; it replies, converts to a to-do or note and copies the link', async () => {
  const team = await newHub();
  const written = await fill(team, 40);
  const ada = await openHub(team.ada);
  const { page, context } = ada;
  await expectToMove(page, written.slice(-2));
  const last = page.locator(`[data-row="${written[39]?.id}"]:focus`);
  await page.locator('.tab').last().focus();
  for (let presses = 0; presses < 30; presses += 1) await page.keyboard.press('k');
  await press(page, 'Shift+G', 'e', 'k');
  await last.waitFor();
  expect(await page.locator(':popover-open').count()).toBe(0);

  await scrollUp({ page }, 1_000);
  const clicked = page.locator('.msg:hover');
  await clicked.locator('.prose').click();
  const id = await clicked.getAttribute('data-row');
  await page.keyboard.press('r');
  await page.waitForURL((url) => url.searchParams.has('open'));
  expect(new URL(page.url()).searchParams.get('open')).toBe(id);
  expect(id).not.toBe(written[39]?.id ?? '');

  await page.goto(`/hubs/${team.hubId}`);
  await isShown(page);
  const [first, second] = written.slice(-2);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await press(page, 'k', 't');
  await page.getByText('To-do created.').waitFor();
  await press(page, 'k', 'n');
  await page.getByText('Note created.').waitFor();
  // Undo deletes the note, and it can be created again; an undo does not revert later changes by others.
  await page.keyboard.press('z');
  await page.getByText('Note deleted.').waitFor();
  const badge = ada.row(first ?? { id: '' }).locator('.conversion');
  await badge.waitFor({ state: 'detached' });
  expect((await team.notes()).items).toEqual([]);
  await page.keyboard.press('n');
  await badge.waitFor();
  const [made] = (await team.notes()).items;
  await team.bob.json('PATCH', `/notes/${made?.id}`, { title: 'Bob was here' });
  await badge.getByText('Bob was here').waitFor();
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await page.getByText('Couldn’t undo: someone has changed the note.').waitFor();
  expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.row)).toBe(first?.id ?? '');
  expect((await team.show<Message>(second ?? { id: '' })).conversion?.kind).toBe('todo');
  expect((await team.show<Message>(first ?? { id: '' })).conversion?.kind).toBe('note');
  await page.keyboard.press('y');
  await page.getByText('Link copied.').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${team.hub.url}/p/${first?.id}`);
  await page.keyboard.press('r');
  await ada.panel.getByRole('textbox').waitFor();
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Enter');
  await ada.panel.locator('.msg').getByText('By keyboard').waitFor();
});

/** Moves between the last two messages by keyboard. */
async function expectToMove(page: Page, [previous, last]: { id: string }[]): Promise<void> {
  const here = () =>
    page.evaluate(
      () => (document.activeElement as HTMLElement | null)?.dataset.row ?? document.activeElement?.className,
    );
  await page.locator('.tab').last().focus();
  await page.keyboard.press('k');
  expect(await here()).toBe(last?.id ?? '');
  await page.keyboard.press('k');
  expect(await here()).toBe(previous?.id ?? '');
  await page.keyboard.press('j');
  expect([await here(), await page.locator('.msg.is-current').count()]).toEqual([last?.id ?? '', 1]);

  // Tab moves into the message, through its controls and out at the end.
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('[data-row]') !== null)).toBe(true);
  for (let presses = 0; presses < 12; presses += 1) {
    if ((await page.evaluate(() => document.activeElement?.tagName)) === 'TEXTAREA') break;
    await page.keyboard.press('Tab');
  }
  expect(await page.evaluate(() => document.activeElement?.closest('.composer') !== null)).toBe(true);
  await page.keyboard.press('Shift+Tab');
  expect(await here()).toBe(last?.id ?? '');
  await page.keyboard.press('Shift+Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('.bar') !== null)).toBe(true);

  await page.keyboard.press('c');
  expect(await page.evaluate(() => document.activeElement?.closest('.composer') !== null)).toBe(true);

  // Escape returns to the last selected message, and the draft stays in the composer.
  const text = page.getByRole('textbox', { name: 'Message to' });
  await page.keyboard.type('Half a thought');
  await press(page, 'ArrowUp', 'Escape');
  expect(await here()).toBe(last?.id ?? '');
  await page.keyboard.press('k');
  expect([await here(), await text.inputValue()]).toEqual([previous?.id ?? '', 'Half a thought']);
}

test('an edit that is closed without saving is marked at its message, which opens it again; it completes names, survives a reload and ends with an explanation when the message is deleted; a conflicting change is shown, the text kept, and changes to different lines are merged', async () => {
  const team = await newHub();
  const written = await team.message(team.ada, 'First text');
  const ada = await openHub(team.ada);
  const { page, row } = ada;
  const [edit, text] = [row(written).getByText('Unsaved edit'), page.getByRole('textbox', { name: 'Message text' })];
  await row(written).waitFor();
  await page.getByRole('textbox', { name: 'Message to' }).focus();
  await page.keyboard.press('ArrowUp');
  await text.waitFor();
  await page.keyboard.press('Escape');
  await text.waitFor({ state: 'detached' });
  expect(await edit.count()).toBe(0);
  await page.waitForFunction(() => document.activeElement?.closest('form.composer') !== null);
  await page.keyboard.press('ArrowUp');
  await text.fill('Second text');
  await page.keyboard.press('Escape');
  await edit.click();
  expect(await text.inputValue()).toBe('Second text');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await text.waitFor({ state: 'detached' });
  expect(await edit.count()).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(await text.inputValue()).toBe('Second text');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await text.waitFor({ state: 'detached' });

  const admin = await memberOf(team.hub, team.hubId, { name: 'Root', role: 'admin' });
  const field = await beginEdit(ada, written);
  await field.fill('Ask');
  await ada.page.keyboard.type(' @bo');
  await ada.page.getByRole('option', { name: 'Bob Kahn' }).waitFor();
  await ada.page.keyboard.press('Enter');
  expect(await field.inputValue()).toBe('Ask @Bob Kahn ');
  await ada.page.reload();
  await isShown(ada.page);
  await beginEdit(ada, written);
  expect(await field.inputValue()).toBe('Ask @Bob Kahn ');

  // The explanation disappears after a while, so it is awaited from the start.
  const explained = ada.page.getByText('The message you were editing was deleted.').waitFor();
  await Promise.all([explained, admin.json('DELETE', `/messages/${written.id}`)]);
  await ada.row(written).waitFor({ state: 'detached' });
  await ada.page.getByRole('button', { name: 'Copy your text' }).waitFor();

  // An editor sees a conflicting change.
  const contested = await team.message(team.ada, 'First text');
  await ada.row(contested).waitFor();
  await beginEdit(ada, contested);
  await field.fill('');
  await ada.page.getByText('A message needs text. To remove it, choose Delete in its menu.').waitFor();
  await field.fill('My own text');
  await team.ada.json('PATCH', `/messages/${contested.id}`, { text: 'Text from elsewhere' });
  await ada.page.getByText('You changed this elsewhere while you were editing').waitFor();
  expect(await field.inputValue()).toBe('My own text');
  await ada.page.locator('del', { hasText: 'First text' }).waitFor();
  await ada.page.locator('ins', { hasText: 'Text from elsewhere' }).waitFor();
  await expectAccessible(ada.page);
  await field.press('Enter');
  expect(await ada.page.locator('.msg-editor .banner:focus').count()).toBe(1);
  expect(await ada.page.getByRole('button', { name: 'Merge both versions' }).count()).toBe(0);

  // The text is still there after leaving the editor and returning.
  await field.press('Escape');
  await ada.row(contested).getByText('Text from elsewhere').waitFor();
  await beginEdit(ada, contested);
  expect(await field.inputValue()).toBe('My own text');
  await ada.page.getByRole('button', { name: 'Edit both versions' }).click();
  expect(await field.inputValue()).toBe('Text from elsewhere\nMy own text');
  expect(await field.evaluate((element) => element === document.activeElement)).toBeTrue();
  await enter(field, 'My own text');
  await ada.row(contested).getByText('My own text').waitFor();
  expect((await team.show<Message>(contested)).text).toBe('My own text');

  // A task that the author checks meanwhile is merged unasked.
  await team.ada.json('PATCH', `/messages/${contested.id}`, { text: '- [ ] build\n- [ ] test' });
  await ada.row(contested).getByText('test').waitFor();
  await beginEdit(ada, contested);
  await field.fill('- [ ] build\n- [ ] test twice');
  await team.ada.json('PATCH', `/messages/${contested.id}`, { text: '- [x] build\n- [ ] test' });
  await ada.page.waitForFunction(() =>
    [...document.querySelectorAll('textarea')].some(({ value }) => value === '- [x] build\n- [ ] test twice'),
  );
  expect(await ada.page.locator('.msg-editor .banner').count()).toBe(0);
});
