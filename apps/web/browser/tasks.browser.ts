import { expect, test } from 'bun:test';
import type { Message, Note, Todo } from '@hub/contract';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { PHONE, WIDE } from '@hub/testkit/browser/browser';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { smallTouchTargets } from '@hub/testkit/browser/touch-targets';
import { startTeam } from '@hub/testkit/in-process/team';
import { memberOf, type UserCaller } from '@hub/testkit/in-process/users';
import type { Page, Route } from 'playwright-core';

const { team, open: openPath } = await teamSessions(startTeam(), { expected: /status of 409/ });

const open = (caller: UserCaller, path: string, look = WIDE) =>
  openPath(caller, `/hubs/${team.hubId}${path}`, { look });

const box = (page: Page, name: string) => page.locator('.prose').getByRole('checkbox', { name, exact: true });
/** A task that the reader cannot change. */
const done = (page: Page, name: string) => page.locator('.task:has(.tick.is-done)', { hasText: name });
const CONTENT =
  '# Release\r\n\r\n- [ ] Build `[ ] it`\r\n  1. [x] Test\r\n- [ ] Ship\r\n\r\n```\r\n- [ ] no task\r\n```\r\n';

test('a task of a note is checked in place, changes nothing else in the text, and appears for the other member', async () => {
  const note = await team.note(team.ada, { content: CONTENT });
  const [ada, bob] = await Promise.all([
    open(team.ada, `/notes?open=${note.id}`),
    open(team.bob, `/notes?open=${note.id}`),
  ]);
  await box(ada, 'Ship').click();
  expect(await ada.locator('.panel').getByRole('checkbox').count()).toBe(3);
  await box(bob, 'Ship').and(bob.locator(':checked')).waitFor();
  // With the keyboard; the focus stays on the box.
  await box(ada, 'Test').focus();
  await ada.keyboard.press('Space');
  await box(bob, 'Test').and(bob.locator(':not(:checked)')).waitFor();
  expect(await box(ada, 'Test').evaluate((element) => element === document.activeElement)).toBeTrue();
  expect((await team.show<Note>(note)).content).toBe(
    CONTENT.replace('[x] Test', '[ ] Test').replace('[ ] Ship', '[x] Ship'),
  );
  expect(await axeInBothThemes(ada)).toEqual([]);
});

test('tasks that two members check at the same moment are both saved', async () => {
  const todo = await team.todo(team.ada, { title: 'Move', content: '- [ ] one\n- [ ] two\n- [ ] three' });
  const [ada, bob] = await Promise.all([
    open(team.ada, `/todos?open=${todo.id}`),
    open(team.bob, `/todos?open=${todo.id}`),
  ]);
  await Promise.all([box(ada, 'one').waitFor(), box(bob, 'two').waitFor()]);
  await Promise.all([box(ada, 'one').click(), box(bob, 'two').click()]);
  await box(ada, 'three').click();
  for (const page of [ada, bob]) {
    for (const name of ['one', 'two', 'three']) await box(page, name).and(page.locator(':checked')).waitFor();
  }
  expect((await team.show<Todo>(todo)).content).toBe('- [x] one\n- [x] two\n- [x] three');
});

test('if the text was changed in the meantime, the newer text appears, nothing is saved and a message says so', async () => {
  const note = await team.note(team.ada, { content: '- [ ] one\n- [ ] two' });
  const page = await open(team.ada, `/notes?open=${note.id}`);
  const change = async (route: Route) => {
    await team.bob.json('PATCH', `/notes/${note.id}`, { content: '- [ ] zero\n- [ ] one\n- [ ] two' });
    await route.continue();
  };
  await page.route('**/api/v1/notes/*', change, { times: 1 });
  await box(page, 'two').click();
  await page.getByText('Not saved. This text was changed in the meantime.').waitFor();
  await box(page, 'zero').waitFor();
  expect(await page.locator('.prose :checked').count()).toBe(0);
  expect((await team.show<Note>(note)).content).toBe('- [ ] zero\n- [ ] one\n- [ ] two');
});

test('the tasks of a message can be checked by its author alone, and those of a post by nobody', async () => {
  const mine = await team.message(team.ada, '- [ ] written by Ada');
  await team.post('messages', { text: '- [ ] posted by a key' });
  const admin = await memberOf(team.hub, team.hubId, { name: 'Grace Hopper', role: 'admin' });
  const [ada, ...others] = await Promise.all([open(team.ada, ''), open(team.bob, ''), open(admin, '')]);
  await box(ada, 'written by Ada').click();
  expect(await box(ada, 'posted by a key').count()).toBe(0);
  for (const other of others) {
    await done(other, 'written by Ada').waitFor();
    await other.getByText('Not done: posted by a key').waitFor();
    expect(await other.locator('.prose').getByRole('checkbox').count()).toBe(0);
  }
  expect((await team.show<Message>(mine)).text).toBe('- [x] written by Ada');
});

test('a text that is parsed in the worker keeps its place while a task in it is saved', async () => {
  const lines = Array.from({ length: 300 }, (_, n) => `- [ ] task ${n}, **which** has some words to read`);
  const note = await team.note(team.ada, { content: lines.join('\n') });
  const page = await open(team.ada, `/notes?open=${note.id}`);
  const last = box(page, 'task 299, which has some words to read');
  await last.scrollIntoViewIfNeeded();
  const top = (await last.boundingBox())?.y;
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await last.click();
  await saved;
  await page.locator('.prose[aria-busy="false"]').waitFor();
  expect([await last.isChecked(), (await last.boundingBox())?.y]).toEqual([true, top]);
  expect((await team.show<Note>(note)).content).toBe(
    lines.with(299, lines[299]?.replace('[ ]', '[x]') ?? '').join('\n'),
  );
});

test('the targets are 24 pixels high, and 40 on touch screens', async () => {
  const note = await team.note(team.ada, { content: '- [ ] one\n- [ ] two\n- [ ] three\n  - [ ] four\n  - [ ] five' });
  const [wide, phone] = await Promise.all([
    open(team.ada, `/notes?open=${note.id}`),
    open(team.ada, `/notes?open=${note.id}`, PHONE),
  ]);
  await Promise.all([box(wide, 'five').waitFor(), box(phone, 'five').waitFor()]);
  expect((await smallTouchTargets(phone)).filter((found) => found.includes('check'))).toEqual([]);
  expect((await smallTouchTargets(wide, 24)).filter((found) => found.includes('check'))).toEqual([]);
  expect(await axeInBothThemes(phone)).toEqual([]);
});
