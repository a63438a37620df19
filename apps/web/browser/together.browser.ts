import { expect, test } from 'bun:test';
import type { Item, Message, Note, Todo } from '@hub/contract';
import { startBackdatedTeam, teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { enter, gone, seen, show } from '@hub/testkit/browser/steps';
import { memberOf, type UserCaller } from '@hub/testkit/in-process/users';
import type { Locator, Page } from 'playwright-core';

const { open, openHub, newHub } = await teamSessions(startBackdatedTeam());

/** A member's pages of the Hub, none of which is reloaded. */
interface Views {
  hub: Page;
  stream: Page;
  /** The to-dos, then the notes. */
  list: Page;
}

async function viewsOf(caller: UserCaller, hubId: string): Promise<Views> {
  const at = `/hubs/${hubId}`;
  // Each page has its own context, since Chromium delays drawing a page that is behind another one of the same context.
  const [hub, stream, list] = await Promise.all(
    [at, '/stream', `${at}/todos?status=all`].map(async (path) => {
      const page = await open(caller, path);
      await page.locator('.msg, .entry, .todo').first().waitFor();
      await page.evaluate(() => document.documentElement.setAttribute('data-first-load', ''));
      return page;
    }),
  );
  if (!hub || !stream || !list) throw new Error('A page is missing');
  return { hub, stream, list };
}

const row = ({ hub }: Views, { id }: { id: string }) => hub.locator(`.feed [data-row="${id}"]`);
const entry = ({ stream }: Views, { id }: { id: string }) => stream.locator(`.entry[data-item="${id}"]`);
const todoRow = ({ list }: Views, { id }: { id: string }) => list.locator(`[data-todo="${id}"]`);
const card = ({ list }: Views, { id }: { id: string }) => list.locator(`.note[data-note="${id}"]`);
const panel = (page: Page) => page.locator('#panel');

/** Checks that all of these elements appear within a second. */
async function expectShown(...locators: Locator[]): Promise<void> {
  await Promise.all(locators.map((locator) => locator.first().waitFor()));
}

/** Opens the views of Ada and Bob in a Hub with one item of each kind. */
async function openBoth() {
  const team = await newHub();
  await team.message(team.bob, 'The first message');
  await team.note(team.bob, { title: 'The first note', content: 'So that there is one.' });
  await team.todo(team.bob, { title: 'The first to-do' });
  const [ada, bob] = [await viewsOf(team.ada, team.hubId), await viewsOf(team.bob, team.hubId)];
  const expectNotReloaded = async () => {
    for (const page of [ada, bob].flatMap((views) => Object.values(views)))
      expect(await page.locator('html[data-first-load]').count()).toBe(1);
  };
  return { team, ada, bob, both: [ada, bob], expectNotReloaded };
}

/** New items wait while the pointer or the focus is in the rows of the Stream. */
async function leaveStreams({ ada, bob }: Both): Promise<void> {
  for (const { stream } of [ada, bob]) {
    await stream.mouse.move(0, 0);
    await stream.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  }
}

async function choose(page: Page, message: Locator, item: string): Promise<void> {
  await message.hover();
  await message.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

test('messages, to-dos and notes by a key, by members and by conversion, and all changes to them, appear for the other member in every view; only the author edits a message, and an admin can delete it', async () => {
  const both = await openBoth();
  await shareMessages(both);
  await leaveStreams(both);
  await shareTodos(both);
  await leaveStreams(both);
  await shareNotes(both);
  await both.expectNotReloaded();
}, 240_000);

type Both = Awaited<ReturnType<typeof openBoth>>;

async function shareMessages(all: Both): Promise<void> {
  const { team, ada, bob, both } = all;
  const posted = await team.post('messages', { text: 'Deployed **4.18.0**' });
  await expectShown(
    ...both.flatMap((views) => [row(views, posted), entry(views, posted)].map((at) => at.getByText('4.18.0'))),
  );
  expect(await row(bob, posted).locator('.msg-head').textContent()).toStartWith('ci bot ');

  const field = ada.hub.getByRole('textbox', { name: /^Message to/ });
  await enter(field, '@Bob Kahn, who looks after it?');
  await expectShown(...[bob.hub, bob.stream].map((page) => page.locator('.mention.is-me', { hasText: '@Bob Kahn' })));
  const [asked] = (await team.messages()).items as [Message];

  await entry(bob, asked).focus();
  await bob.stream.keyboard.press('r');
  await bob.stream.waitForFunction(() => document.activeElement?.matches('#panel .composer textarea'));
  await bob.stream.keyboard.type('I do.');
  await bob.stream.keyboard.press('Enter');
  await expectShown(
    ...[row(ada, asked), entry(ada, asked)].map((at) => at.getByText('1 reply')),
    ada.stream.getByText('I do.'),
  );

  await row(bob, posted).hover();
  await row(bob, posted).getByRole('button', { name: 'React' }).click();
  await bob.hub.getByRole('gridcell', { name: 'thumbs up' }).first().click();
  const liked = (at: Locator, who: string) => at.getByRole('button', { name: who });
  await expectShown(...[row(ada, posted), entry(ada, posted)].map((at) => liked(at, '👍, 1: Bob Kahn')));
  await liked(entry(ada, posted), '👍, 1: Bob Kahn').click();
  await expectShown(...[row(bob, posted), entry(bob, posted)].map((at) => liked(at, '👍, 2: Ada Lovelace and you')));

  await choose(ada.hub, row(ada, asked), 'Edit');
  await enter(ada.hub.getByRole('textbox', { name: 'Message text' }), 'Who looks after it today?');
  await expectShown(...[row(bob, asked), entry(bob, asked)].map((at) => at.getByText('Who looks after it today?')));
  await expectShown(row(bob, asked).getByText('edited', { exact: true }));

  await expectOffered(all, asked);
  const mistake = await team.message(team.ada, 'A mistake');
  await expectShown(row(ada, mistake), row(bob, mistake), entry(bob, mistake));
  await choose(ada.hub, row(ada, mistake), 'Delete');
  const dialog = ada.hub.getByRole('alertdialog');
  expect(await dialog.locator('.item-quote').textContent()).toBe('Ada Lovelace A mistake');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await gone(row(bob, mistake), entry(bob, mistake), entry(ada, mistake));
  await ada.hub.waitForFunction((id) => document.activeElement?.getAttribute('data-row') === id, asked.id);
  await ada.hub.getByRole('button', { name: 'Undo' }).click();
  await expectShown(row(ada, mistake), row(bob, mistake), entry(bob, mistake));

  // Later, the menu of the Hub lists it for its author, and not for others.
  await team.ada.json('DELETE', `/messages/${mistake.id}`);
  await gone(row(ada, mistake), row(bob, mistake));
  for (const { hub } of both) {
    await hub.getByRole('button', { name: 'Hub options' }).click();
    await hub.getByRole('menuitem', { name: 'Deleted items' }).click();
  }
  await seen(bob.hub.getByText('No deleted items.'), ada.hub.locator('.deleted-items').getByText('A mistake'));
  await ada.hub.getByRole('button', { name: 'Restore' }).click();
  await ada.hub.getByText('No deleted items.').waitFor();
  await expectShown(row(bob, mistake));
  for (const { hub } of both) await hub.keyboard.press('Escape');
}

/** Checks that only the author edits a message; an admin can delete it, and another member neither. */
async function expectOffered({ team, ada, bob }: Both, message: { id: string }): Promise<void> {
  const admin = await memberOf(team.hub, team.hubId, { name: 'Root', role: 'admin' });
  for (const [page, offered] of [
    [bob.hub, []],
    [(await openHub(admin)).page, ['Delete']],
    [ada.hub, ['Edit', 'Delete']],
  ] as const) {
    const at = page.locator(`.feed [data-row="${message.id}"]`);
    await at.hover();
    await at.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Copy text' }).waitFor();
    const items = await page.getByRole('menuitem', { name: /^(?:Edit|Delete)$/ }).allTextContents();
    expect(items.map((item) => item.trim())).toEqual([...offered]);
    await page.keyboard.press('Escape');
  }
}

async function shareTodos({ team, ada, bob, both }: Both): Promise<void> {
  const posted = await team.post<Todo>('todos', { title: 'Call back', priority: 'HIGH' });
  await expectShown(...both.flatMap((views) => [todoRow(views, posted), entry(views, posted)]));

  const message = await team.post('messages', { text: 'The disk fills up' });
  await expectShown(row(ada, message));
  await row(ada, message).hover();
  await row(ada, message).getByRole('button', { name: 'Convert to to-do' }).click();
  await expectShown(
    ...[row(bob, message), entry(bob, message)].map((at) => at.locator('.conversion', { hasText: 'open' })),
  );
  const todo = { id: (await team.show<Message>(message)).conversion?.id ?? '' };
  await expectShown(todoRow(bob, todo).getByText('The disk fills up'), entry(bob, todo));

  await todoRow(ada, todo).getByRole('link').click();
  await panel(ada.list).getByRole('button', { name: 'Assignee: Unassigned' }).click();
  await ada.list.getByRole('option', { name: 'Bob Kahn' }).click();
  await expectShown(
    todoRow(bob, todo).getByRole('img', { name: 'Bob Kahn' }),
    row(bob, message).getByText('open · Bob'),
  );

  await todoRow(bob, todo).getByRole('checkbox').click();
  await expectShown(
    ...[row(ada, message), entry(ada, message)].map((at) => at.getByText('done · Bob')),
    entry(ada, todo).getByText('done by Bob Kahn'),
    ada.list.locator(`.todo.is-done[data-todo="${todo.id}"]`),
    panel(ada.list).getByRole('button', { name: 'Reopen' }),
  );
  await todoRow(bob, todo).getByRole('checkbox').click();
  await expectShown(
    ...[row(ada, message), row(bob, message)].map((at) => at.getByText('open · Bob')),
    ...both.map((views) => views.list.locator(`.todo:not(.is-done)[data-todo="${todo.id}"]`)),
    ...both.map((views) => entry(views, todo).locator('.todo-card:not(.is-done)')),
    panel(ada.list).getByRole('button', { name: 'Mark as done' }),
  );

  await panel(ada.list).getByRole('button', { name: 'Edit' }).click();
  const title = 'Make room on the disk';
  await panel(ada.list).getByRole('textbox', { name: 'Title' }).fill(title);
  await panel(ada.list).getByRole('button', { name: 'Save', exact: true }).click();
  await expectShown(...[todoRow(bob, todo), entry(bob, todo), row(bob, message)].map((at) => at.getByText(title)));

  await deleteAndExpectGone(ada.list, todoRow(bob, todo), entry(bob, todo));
}

async function shareNotes({ team, ada, bob, both }: Both): Promise<void> {
  for (const { list } of both) await show(list, `/hubs/${team.hubId}/notes`, '.notes .note');
  const posted = await team.post<Note>('notes', { title: 'Weekly numbers', content: 'All is well.' });
  await expectShown(...both.flatMap((views) => [card(views, posted), entry(views, posted)]));

  await card(ada, posted).click();
  await panel(ada.list).getByRole('button', { name: 'Edit' }).click();
  await panel(ada.list).getByRole('textbox', { name: 'Content (Markdown)' }).fill('Nothing is well.');
  await panel(ada.list).getByRole('button', { name: 'Save', exact: true }).click();
  await expectShown(...[card(bob, posted), entry(bob, posted)].map((at) => at.getByText('Nothing is well.')));
  await expectShown(card(bob, posted).getByText('edited by Ada Lovelace'));

  await deleteAndExpectGone(ada.list, card(bob, posted), entry(bob, posted));
}

/** Deletes the item in the open panel, and checks that it disappears from these views. */
async function deleteAndExpectGone(page: Page, ...locators: Locator[]): Promise<void> {
  await panel(page).getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await gone(...locators);
}

test('a reader who switches Hubs quickly finds every message once and in order in each', async () => {
  const team = await newHub();
  const other = await team.hub.admin.createHub('Second');
  for (const { user } of [team.ada, team.bob])
    await team.hub.admin.raw('POST', `/hubs/${other.id}/members`, { userId: user.id });
  const { page } = await openHub(team.ada);
  const link = (name: string) => page.locator('.side').getByRole('link', { name: new RegExp(name) });
  await link('Second').waitFor();
  const write = (hubId: string, n: number) =>
    team.bob.json('POST', `/hubs/${hubId}/messages`, { text: `Said ${n} there` });
  for (let n = 0; n < 16; n += 1) {
    const arriving = [write(team.hubId, n), write(other.id, n)];
    await link(n % 2 === 0 ? 'Second' : 'Releases').click();
    await Promise.all(arriving);
  }
  for (const [name, hubId] of Object.entries({ Second: other.id, Releases: team.hubId })) {
    await link(name).click();
    await page.getByRole('log', { name: `Conversation in ${name}` }).waitFor();
    await page.keyboard.press('Shift+G');
    await page.locator('.main .feed').getByText('Said 15 there').waitFor();
    const { items } = (await team.ada.json<{ items: Item[] }>('GET', `/hubs/${hubId}/messages?limit=100`)).body;
    const drawn = await page
      .locator('.main .feed [data-row]')
      .evaluateAll((rows) => rows.map((each) => each.getAttribute('data-row')));
    const ids = items.map(({ id }) => id).reverse();
    expect(drawn).toEqual(ids.slice(-drawn.length));
    expect(drawn.length).toBeGreaterThan(10);
  }
  await team.hub.admin.deleteHub(other.id);
});
