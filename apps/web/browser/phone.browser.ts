import { expect, test } from 'bun:test';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { PHONE } from '@hub/testkit/browser/browser';
import { readAll, teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { eventually, gone, painted, show } from '@hub/testkit/browser/steps';
import { smallTouchTargets } from '@hub/testkit/browser/touch-targets';
import { startTeam } from '@hub/testkit/in-process/team';
import { post } from '@hub/testkit/in-process/test-hub';
import { addMember } from '@hub/testkit/in-process/users';
import type { Locator, Page } from 'playwright-core';

/** The least size of a touch target in lists and pickers, in pixels. */
const TARGET = 44;
/** A phone in landscape with its keyboard open, and in portrait. */
const LANDSCAPE = { width: 740, height: 180 };
const PORTRAIT = { width: 360, height: 340 };

const { team, open, forgetProblems } = await teamSessions(startTeam());
const onPhone = (path: string) => open(team.ada, path, { look: PHONE });
const inHub = (rest = '') => `/hubs/${team.hubId}${rest}`;

const rowOf = (page: Page, { id }: { id: string }) => page.locator(`[data-row="${id}"]`);
const boxOf = async (element: Locator) => {
  await element.waitFor();
  const box = await element.boundingBox();
  if (!box) throw new Error('The element is not visible');
  return box;
};
/** Resolves once this many of the things over the page have a history entry. */
const layered = (page: Page, count: number) =>
  page.waitForFunction((wanted) => (history.state?.layers ?? 0) === wanted, count);
const panelOf = (page: Page) => page.locator('#panel');
const sidebar = (page: Page) => page.locator('nav.side.is-open');

async function openSidebar(page: Page): Promise<void> {
  await page.locator('.bar .menu-open').tap();
  await sidebar(page).waitFor();
}

test('Back closes what covers the page, the topmost first, and a panel that a link opened; it leads past what was closed by its own buttons, and then leaves the page', async () => {
  const message = await team.message(team.ada, 'Who restarts it?');
  await team.reply(team.bob, message, 'I do.');
  const page = await onPhone('/stream');
  await openSidebar(page);
  await layered(page, 1);
  // It traps the focus, and returns it when it closes.
  await page.waitForFunction(() => document.activeElement?.closest('nav.side') !== null);
  expect(await page.evaluate(() => document.querySelector('#main')?.closest('[inert]') !== null)).toBe(true);
  await page.goBack();
  await gone(sidebar(page));
  await layered(page, 0);
  await page.locator('.bar .menu-open:focus').waitFor();
  await openSidebar(page);
  await page.locator('.backdrop.is-drawer').tap({ position: { x: 350, y: 400 } });
  await gone(sidebar(page));
  await openSidebar(page);
  await page.keyboard.press('Escape');
  await gone(sidebar(page));
  await openSidebar(page);
  await expectAccessible(page);
  await page.locator('.side .nav-row', { hasText: 'Releases' }).tap();
  await rowOf(page, message).getByRole('link', { name: '1 reply' }).tap();
  const inPanel = panelOf(page).locator(`[data-row="${message.id}"]`);
  await panelOf(page).getByText('I do.').waitFor();
  await expectAccessible(page);
  await inPanel.locator('.prose').tap({ position: { x: 8, y: 14 } });
  await inPanel.getByRole('button', { name: 'More' }).tap();
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
  await layered(page, 1);
  await page.goBack();
  await gone(page.getByRole('menu'));
  await layered(page, 0);
  await inPanel.getByRole('button', { name: 'More' }).tap();
  await page.getByRole('menuitem', { name: 'Delete' }).tap();
  await layered(page, 1);
  await page.goBack();
  await gone(page.locator('dialog[open], :popover-open'));
  await layered(page, 0);
  expect(await inPanel.isVisible()).toBe(true);
  await page.goBack();
  await gone(panelOf(page));
  expect(new URL(page.url()).pathname).toBe(inHub());
  await page.goBack();
  await page.waitForURL('**/stream');

  const stopped = await team.message(team.ada, 'Who stops it?');
  const reply = await team.reply(team.bob, stopped, 'The reply itself');
  await page.goto('/stream');
  await openSidebar(page);
  await layered(page, 1);
  const entries = await page.evaluate(() => history.length);
  await page.locator('.side .nav-row', { hasText: 'Releases' }).tap();
  await rowOf(page, stopped).locator('.prose').tap();
  // The entry of the sidebar has become that of the page.
  expect(await page.evaluate(() => history.length)).toBe(entries);
  await rowOf(page, stopped).getByRole('button', { name: 'Reply' }).tap();
  await panelOf(page).getByRole('button', { name: 'Close' }).tap();
  await gone(panelOf(page));
  await openSidebar(page);
  // The link to the current page only closes the sidebar.
  await page.locator('.side .nav-row', { hasText: 'Releases' }).tap();
  await gone(sidebar(page));
  await layered(page, 0);
  await page.goBack();
  await page.waitForURL('**/stream');

  await page.goto(`/p/${reply.id}`);
  await panelOf(page).getByText('The reply itself').waitFor();
  await page.goBack();
  await gone(panelOf(page));
  expect(new URL(page.url()).pathname).toBe(inHub());
});

test('a tapped message offers React and Reply with labels, and the rest in a menu; a toast covers no composer; its emoji picker opens at the first tap, also while a mention is typed, without raising the keyboard over itself', async () => {
  const message = await team.message(team.bob, 'Tap me');
  const page = await onPhone(inHub());
  await rowOf(page, message).locator('.prose').tap();
  const tools = rowOf(page, message).getByRole('toolbar');
  await tools.getByText('More', { exact: true }).waitFor();
  expect(await tools.getByRole('button').allInnerTexts()).toEqual(['React', 'Reply', 'More']);
  await expectAccessible(page);
  await tools.getByText('More', { exact: true }).tap();
  await page.getByRole('menuitem', { name: 'Convert to to-do' }).tap();
  await rowOf(page, message).locator('.conversion').waitFor();
  const composer = page.locator('.main .composer');
  await composer.locator('textarea').fill('One\nTwo\nThree\nFour');
  const toast = await boxOf(page.locator('.toast'));
  expect(toast.y + toast.height).toBeLessThan((await boxOf(composer)).y);
  await tools.getByText('React', { exact: true }).tap();
  await page.getByRole('gridcell', { name: 'thumbs up' }).first().tap();
  await rowOf(page, message).locator('.chip', { hasText: '👍' }).waitFor();
  await layered(page, 0);
  await page.goto(inHub());
  const text = page.getByRole('textbox', { name: 'Message to' });
  const emoji = page.getByRole('button', { name: 'Emoji' });
  // Enter adds a line break, the button sends, and the focus stays in the field.
  await text.fill('');
  await text.tap();
  await page.keyboard.type('Line');
  await page.keyboard.press('Enter');
  await page.keyboard.type('more');
  expect([await text.inputValue(), await page.getByText('Enter to send').isVisible()]).toEqual(['Line\nmore', false]);
  await page.getByRole('button', { name: 'Send', exact: true }).tap();
  await page.locator('.msg[id]', { hasText: 'Line' }).waitFor();
  expect(await text.evaluate((area) => area === document.activeElement)).toBe(true);
  await text.fill('Done ');
  await emoji.tap();
  const cell = page.getByRole('gridcell', { name: 'party popper' }).first();
  await cell.waitFor();
  expect(await page.evaluate(() => document.activeElement?.matches('input, textarea'))).toBe(false);
  const small = await smallTouchTargets(page, TARGET);
  expect(small.filter((found) => found.includes('gridcell'))).toEqual([]);
  await cell.tap();
  expect(await text.inputValue()).toBe('Done 🎉');
  await gone(page.getByRole('gridcell').first());
  await layered(page, 0);
  await text.tap();
  await page.keyboard.type(' @Bob');
  await page.getByRole('option', { name: 'Bob Kahn' }).waitFor();
  expect(await smallTouchTargets(page, TARGET)).toEqual([]);
  await emoji.tap();
  await page.getByRole('rowgroup', { name: 'Frequently used' }).waitFor();
});

test('pickers, menus and the editors of notes stay in view above the screen keyboard and after a rotation; in landscape, the conversation or a thread leaves the screen to the field being filled in', async () => {
  const message = await team.message(team.bob, 'React to this');
  const page = await onPhone(inHub());
  const isInView = (height: number) =>
    page.waitForFunction((most) => {
      const box = document.querySelector(':popover-open')?.getBoundingClientRect();
      return box && box.top >= 0 && box.bottom <= most;
    }, height);
  await rowOf(page, message).tap();
  await page.getByRole('button', { name: 'More' }).tap();
  await page.locator(':popover-open').waitFor();
  for (const size of [PORTRAIT, LANDSCAPE]) {
    await page.setViewportSize(size);
    await isInView(size.height);
  }
  await page.setViewportSize(PHONE);
  await page.goBack();
  await rowOf(page, message).getByRole('button', { name: 'React' }).tap();
  await page.getByRole('gridcell').first().waitFor();
  await page.setViewportSize(PORTRAIT);
  await isInView(PORTRAIT.height);

  const write = page.getByRole('button', { name: 'Write a note' });
  await show(page, inHub('/notes'), write);
  await write.tap();
  await page.getByRole('textbox', { name: 'Content' }).fill('One line\n'.repeat(30));
  const endOfSave = async () => {
    await painted(page);
    const { y, height } = await boxOf(page.getByRole('button', { name: 'Save note' }));
    return y + height;
  };
  expect(await endOfSave()).toBeLessThanOrEqual(PORTRAIT.height);
  // In landscape beside the screen keyboard, what is around the field being filled in gives way.
  await page.setViewportSize(LANDSCAPE);
  for (const [path, part] of [
    [inHub(), page.locator('.main')],
    [inHub(`?open=${message.id}`), panelOf(page)],
  ] as const) {
    await page.goto(path);
    await page.locator('html.is-low').waitFor({ state: 'attached' });
    const text = part.locator('form.composer textarea');
    await text.tap();
    await painted(page);
    expect((await boxOf(part.locator('form.composer'))).height).toBeLessThan(50);
    expect((await boxOf(part.locator('.feed'))).height).toBeGreaterThan(110);
    expect(await part.locator('.bar').isVisible()).toBe(false);
    await text.blur();
    await part.locator('.bar').waitFor();
  }
});

test('the newest message stays in view when the keyboard opens, also below the line above what is new, and so do the actions of a message after its first reaction', async () => {
  for (let n = 0; n < 12; n++) await team.message(team.ada, `Read before ${n}`);
  await readAll(team);
  for (let n = 0; n < 6; n++) await team.message(team.bob, `New ${n}`);
  const newest = await team.message(team.bob, 'The newest');
  const page = await onPhone(inHub());
  await page.getByRole('separator', { name: '7 new messages below' }).waitFor();
  const scrollTop = () => page.locator('.main .feed').evaluate((feed) => feed.scrollTop);
  await rowOf(page, newest).waitFor();
  expect(await scrollTop()).toBe(0);
  await page.setViewportSize({ width: PHONE.width, height: 400 });
  await painted(page);
  expect(await scrollTop()).toBe(0);

  const messages: { id: string }[] = [];
  for (let n = 0; n < 60; n++) messages.push(await team.message(team.bob, `Line ${n}\n\nand ${n}`));
  await readAll(team);
  await page.setViewportSize(PHONE);
  await page.goto(inHub(`?at=${messages[10]?.id}`));
  const pill = page.getByRole('button', { name: 'Newest' });
  await pill.waitFor();
  const end = (await boxOf(page.locator('.main form.composer'))).y;
  // The last row that is in view.
  const id = await page
    .locator('.main .feed [data-row]')
    .evaluateAll(
      (rows, bottom) =>
        (rows.findLast((row) => row.getBoundingClientRect().bottom < bottom) as HTMLElement).dataset.row,
      end,
    );
  const row = rowOf(page, { id: id ?? '' });
  await row.locator('.prose').tap({ position: { x: 8, y: 8 } });
  const tools = row.getByRole('toolbar');
  await tools.getByText('React', { exact: true }).tap();
  await page.getByRole('gridcell', { name: 'thumbs up' }).first().tap();
  await row.locator('.chip', { hasText: '👍' }).waitFor();
  await painted(page);
  const { y, height } = await boxOf(tools);
  expect(y + height).toBeLessThanOrEqual((await boxOf(pill)).y);
});

test('long names of keys and Hubs use the width of the screen, and without a connection, a line below the title and the tabs says so and covers nothing', async () => {
  const { id: hubId } = await team.hub.admin.createHub('Everything that the northern office has released');
  const key = await team.hub.admin.issueKey({ hubId, name: 'nightly-build-and-release-of-the-northern-office' });
  await addMember(team.hub, hubId, team.ada.user);
  await post(team.hub, 'messages', key.key, { text: 'Done' });
  const page = await onPhone('/stream');
  const entry = page.locator('.entry', { hasText: 'nightly' }).first();
  const [name, tag, hub] = [
    await boxOf(entry.locator('.via-key')),
    await boxOf(entry.locator('.bot-tag')),
    await boxOf(entry.locator('.hub')),
  ];
  expect(name.height).toBeLessThan(50);
  expect(tag.y).toBeLessThan(name.y + name.height);
  expect(hub.width).toBeGreaterThan(250);

  const message = await team.message(team.bob, 'Still readable');
  const notice = page.locator('.connection-toast > .banner');
  for (const path of [inHub(), inHub('/todos'), '/stream', '/settings', inHub(`?open=${message.id}`)]) {
    await page.goto(path);
    const bar = page.locator(path.includes('open') ? '.panel > .bar' : '.main > .bar');
    await bar.waitFor();
    // Its content, which could not be loaded afterwards.
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    for (const field of [null, page.locator('form.composer textarea').last()]) {
      if (field && (await field.count()) === 0) continue;
      await field?.tap();
      await eventually(async () => {
        const [above, below] = [await boxOf(bar), await boxOf(bar.locator('xpath=following-sibling::*').first())];
        const { y, height } = await boxOf(notice);
        return y === above.y + above.height && y + height <= below.y;
      });
    }
    await page.context().setOffline(false);
    await gone(notice);
  }
  forgetProblems(page);
});
