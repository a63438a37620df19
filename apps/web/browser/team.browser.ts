import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Message, Note, Todo } from '@hub/contract';
import type { Browser, Locator, Page } from 'playwright-core';
import type { UserCaller } from '../../api/src/testing/users.ts';
import { startBrowser, type TestSession, testSession } from './browser.ts';
import { LIVE_MS, startTeamOfYesterday, type TeamOfYesterday } from './hub-test-sessions.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** Somebody with a window on each view of the Hub. None of them is loaded again. */
interface Desk {
  hub: Page;
  stream: Page;
  todos: Page;
  notes: Page;
  testSessions: readonly TestSession[];
}

async function openTestSession(team: TeamOfYesterday, caller: UserCaller): Promise<Desk> {
  const testSessions: TestSession[] = [];
  const open = async (path: string, shows: string): Promise<Page> => {
    // A context of its own: what lies behind another page of its context is drawn when there is time.
    const taken = await testSession(browser, team.hub, { caller });
    testSessions.push(taken);
    await taken.page.goto(path);
    await taken.page.locator(shows).first().waitFor();
    await taken.page.evaluate(() => document.documentElement.setAttribute('data-first-load', ''));
    return taken.page;
  };
  const at = `/hubs/${team.hubId}`;
  const [hub, stream, todos, notes] = await Promise.all([
    open(at, '.msg'),
    open('/stream', '.entry'),
    open(`${at}/todos?status=all`, '.todo'),
    open(`${at}/notes`, '.notes .note'),
  ]);
  return { hub, stream, todos, notes, testSessions };
}

async function leave({ testSessions }: Desk): Promise<void> {
  for (const { page, problems, context } of testSessions) {
    expect(problems).toEqual([]);
    expect(await page.locator('html[data-first-load]').count()).toBe(1);
    await context.close();
  }
}

const row = ({ hub }: Desk, { id }: { id: string }) => hub.locator(`.feed [data-row="${id}"]`);
const entry = ({ stream }: Desk, { id }: { id: string }) => stream.locator(`.entry[data-item="${id}"]`);
const todoRow = ({ todos }: Desk, { id }: { id: string }) => todos.locator(`[data-todo="${id}"]`);
const card = ({ notes }: Desk, { id }: { id: string }) => notes.locator(`.note[data-note="${id}"]`);
const panel = (page: Page) => page.locator('#panel');

/** All of it is to be seen within a second. */
async function seen(...places: Locator[]): Promise<void> {
  await Promise.all(places.map((place) => place.first().waitFor({ timeout: LIVE_MS })));
}
async function gone(...places: Locator[]): Promise<void> {
  await Promise.all(places.map((place) => place.waitFor({ state: 'detached', timeout: LIVE_MS })));
}

/** Ada and Bob at their desks, in a Hub where there is one item of each kind already. */
async function twoDesks(team: TeamOfYesterday): Promise<[Desk, Desk]> {
  await team.message(team.bob, 'The first message');
  await team.note(team.bob, { title: 'The first note', content: 'So that there is one.' });
  await team.todo(team.bob, { title: 'The first to-do' });
  return [await openTestSession(team, team.ada), await openTestSession(team, team.bob)];
}

test('messages: what a key and either of two people do, the other sees within a second', async () => {
  await using team = await startTeamOfYesterday();
  const [ada, bob] = await twoDesks(team);

  const posted = await team.post('messages', { text: 'Deployed **4.18.0**' });
  await seen(
    ...[ada, bob].flatMap((desk) => [row(desk, posted), entry(desk, posted)].map((at) => at.getByText('4.18.0'))),
  );

  const field = ada.hub.getByRole('textbox', { name: /^Message to/ });
  await field.fill('@Bob Kahn, who looks after it?');
  await field.press('Enter');
  await seen(...[bob.hub, bob.stream].map((page) => page.locator('.mention.is-me', { hasText: '@Bob Kahn' })));
  const [asked] = (await team.messages()).items as [Message];

  await entry(bob, asked).focus();
  await bob.stream.keyboard.press('r');
  await bob.stream.waitForFunction(() => document.activeElement?.matches('#panel .composer textarea'));
  await bob.stream.keyboard.type('I do.');
  await bob.stream.keyboard.press('Enter');
  await seen(
    row(ada, asked).getByText('1 reply'),
    entry(ada, asked).getByText('1 reply'),
    ada.stream.getByText('I do.'),
  );

  await row(bob, posted).hover();
  await row(bob, posted).getByRole('button', { name: 'React (e)' }).click();
  await bob.hub.getByRole('gridcell', { name: 'thumbs up' }).first().click();
  const liked = (at: Locator, who: string) => at.getByRole('button', { name: who });
  await seen(...[row(ada, posted), entry(ada, posted)].map((at) => liked(at, '👍, 1: Bob Kahn')));
  await liked(entry(ada, posted), '👍, 1: Bob Kahn').click();
  await seen(...[row(bob, posted), entry(bob, posted)].map((at) => liked(at, '👍, 2: Ada Lovelace and you')));

  await row(ada, asked).hover();
  await row(ada, asked).getByRole('button', { name: 'More' }).click();
  await ada.hub.getByRole('menuitem', { name: 'Edit' }).click();
  await ada.hub.getByRole('textbox', { name: 'Text of the message' }).fill('Who looks after it today?');
  await ada.hub.keyboard.press('Enter');
  await seen(...[row(bob, asked), entry(bob, asked)].map((at) => at.getByText('Who looks after it today?')));

  const mistake = await team.message(team.ada, 'A mistake');
  await seen(row(ada, mistake), row(bob, mistake), entry(bob, mistake));
  await row(ada, mistake).hover();
  await row(ada, mistake).getByRole('button', { name: 'More' }).click();
  await ada.hub.getByRole('menuitem', { name: 'Delete' }).click();
  await ada.hub.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await gone(row(bob, mistake), entry(bob, mistake), entry(ada, mistake));
  for (const desk of [ada, bob]) await leave(desk);
});

test('to-dos: made by a key or of a message, given away, checked off, opened again, edited, deleted', async () => {
  await using team = await startTeamOfYesterday();
  const [ada, bob] = await twoDesks(team);
  const posted = await team.post<Todo>('todos', { title: 'Call back', priority: 'HIGH' });
  await seen(...[ada, bob].flatMap((desk) => [todoRow(desk, posted), entry(desk, posted)]));

  const message = await team.post('messages', { text: 'The disk fills up' });
  await seen(row(ada, message));
  await row(ada, message).hover();
  await row(ada, message)
    .getByRole('button', { name: /Make a to-do/ })
    .click();
  await seen(...[row(bob, message), entry(bob, message)].map((at) => at.locator('.conversion', { hasText: 'open' })));
  const todo = { id: (await team.show<Message>(message)).conversion?.id ?? '' };
  await seen(todoRow(bob, todo).getByText('The disk fills up'), entry(bob, todo));

  await todoRow(ada, todo).getByRole('link').click();
  await panel(ada.todos).getByRole('button', { name: 'Assignee: Nobody' }).click();
  await ada.todos.getByRole('option', { name: 'Bob Kahn' }).click();
  await seen(todoRow(bob, todo).getByRole('img', { name: 'Bob Kahn' }), row(bob, message).getByText('open · Bob'));

  await todoRow(bob, todo).getByRole('checkbox').click();
  await seen(
    ...[row(ada, message), entry(ada, message)].map((at) => at.getByText('done · Bob')),
    entry(ada, todo).getByText('done by Bob Kahn'),
    ada.todos.locator(`.todo.is-done[data-todo="${todo.id}"]`),
    panel(ada.todos).getByRole('button', { name: 'Open it again' }),
  );
  // Ada could not have read so soon that it is done: a press of hers would be one on what was open.
  await todoRow(bob, todo).getByRole('checkbox').click();
  await seen(
    ...[row(ada, message), row(bob, message)].map((at) => at.getByText('open · Bob')),
    ...[ada, bob].map((desk) => desk.todos.locator(`.todo:not(.is-done)[data-todo="${todo.id}"]`)),
    ...[ada, bob].map((desk) => entry(desk, todo).locator('.todo-card:not(.is-done)')),
    panel(ada.todos).getByRole('button', { name: 'Mark as done' }),
  );

  await panel(ada.todos).getByRole('button', { name: 'Edit' }).click();
  await panel(ada.todos).getByRole('textbox', { name: 'Title' }).fill('Make room on the disk');
  await panel(ada.todos).getByRole('button', { name: 'Save', exact: true }).click();
  const title = 'Make room on the disk';
  await seen(...[todoRow(bob, todo), entry(bob, todo), row(bob, message)].map((at) => at.getByText(title)));

  await removed(ada.todos, todoRow(bob, todo), entry(bob, todo));
  for (const desk of [ada, bob]) await leave(desk);
});

test('notes: made by a key or of a message, edited, deleted', async () => {
  await using team = await startTeamOfYesterday();
  const [ada, bob] = await twoDesks(team);
  const posted = await team.post<Note>('notes', { title: 'Weekly numbers', content: 'All is well.' });
  await seen(...[ada, bob].flatMap((desk) => [card(desk, posted), entry(desk, posted)]));

  const message = await team.message(team.bob, 'How to restore');
  await seen(entry(ada, message));
  await entry(ada, message).focus();
  await ada.stream.keyboard.press('n');
  await seen(...[row(bob, message), entry(bob, message)].map((at) => at.locator('.conversion')));
  const note = { id: (await team.show<Message>(message)).conversion?.id ?? '' };
  await seen(card(bob, note), entry(bob, note));

  await card(ada, posted).click();
  await panel(ada.notes).getByRole('button', { name: 'Edit' }).click();
  await panel(ada.notes).getByRole('textbox', { name: 'Content, in Markdown' }).fill('Nothing is well.');
  await panel(ada.notes).getByRole('button', { name: 'Save', exact: true }).click();
  await seen(...[card(bob, posted), entry(bob, posted)].map((at) => at.getByText('Nothing is well.')));

  await removed(ada.notes, card(bob, posted), entry(bob, posted));
  for (const desk of [ada, bob]) await leave(desk);
});

/** What is open in the panel is deleted there, and gone from these places. */
async function removed(page: Page, ...places: Locator[]): Promise<void> {
  await panel(page).getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await gone(...places);
}
