import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { PHONE, settled, type TestSession, testBrowser, testSession } from '@hub/testkit/browser/browser';
import { painted } from '@hub/testkit/browser/hub-test-sessions';
import { smallTouchTargets } from '@hub/testkit/browser/touch-targets';
import { startTeam } from '@hub/testkit/in-process/team';
import { adminJson } from '@hub/testkit/in-process/users';
import type { Browser, Locator, Page } from 'playwright-core';

/** The least size of a touch target in lists and pickers, in pixels. */
const TARGET = 44;
/** A phone in landscape with its keyboard open, and in portrait. */
const LANDSCAPE = { width: 740, height: 180 };
const PORTRAIT = { width: 360, height: 340 };

let browser: Browser;
let team: Awaited<ReturnType<typeof startTeam>>;
let opened: TestSession | null = null;
beforeAll(async () => {
  browser = await testBrowser();
  team = await startTeam();
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

/** Opens a page on a phone, which closes when the test ends, and then must have logged no errors. */
async function onPhone(path: string) {
  opened = await testSession(browser, team.hub, { caller: team.ada, look: PHONE });
  const { page, context, problems } = opened;
  await page.goto(path);
  return {
    page,
    row: ({ id }: { id: string }) => page.locator(`[data-row="${id}"]`),
    [Symbol.asyncDispose]: async () => {
      await context.close();
      expect(problems).toEqual([]);
    },
  };
}

const boxOf = async (element: Locator) => {
  await element.waitFor();
  const box = await element.boundingBox();
  if (!box) throw new Error('The element is not visible');
  return box;
};
const pathOf = (page: Page) => new URL(page.url()).pathname;
/** Resolves once this many of the things over the page have a history entry. */
const layered = (page: Page, count: number) =>
  page.waitForFunction((wanted) => (history.state?.layers ?? 0) === wanted, count);
const dialogs = (page: Page) => page.locator('dialog[open], :popover-open');

describe('Back', () => {
  test('closes what covers the page, the topmost first, and then leaves the page', async () => {
    const message = await team.message(team.ada, 'Who restarts it?');
    await team.reply(team.bob, message, 'I do.');
    await using phone = await onPhone('/stream');
    const { page, row } = phone;
    await page.locator('.bar .menu-open').tap();
    await page.locator('nav.side.is-open').waitFor();
    await layered(page, 1);
    await page.goBack();
    await page.locator('nav.side.is-open').waitFor({ state: 'detached' });
    await layered(page, 0);
    expect(pathOf(page)).toBe('/stream');
    await page.locator('.bar .menu-open').tap();
    await page.locator('.side .nav-row', { hasText: 'Releases' }).tap();
    await row(message)
      .getByRole('link', { name: /1 reply/ })
      .tap();
    const inPanel = page.locator('#panel').locator(`[data-row="${message.id}"]`);
    await page.locator('#panel').getByText('I do.').waitFor();
    await inPanel.locator('.prose').tap({ position: { x: 8, y: 14 } });
    await inPanel.getByRole('button', { name: 'More' }).tap();
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
    await layered(page, 1);
    await page.goBack();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await layered(page, 0);
    await inPanel.getByRole('button', { name: 'More' }).tap();
    await page.getByRole('menuitem', { name: 'Delete' }).tap();
    await settled(page);
    await layered(page, 1);
    await painted(page);
    await page.goBack();
    await dialogs(page).waitFor({ state: 'detached' });
    await layered(page, 0);
    expect(await inPanel.isVisible()).toBe(true);
    await page.goBack();
    await page.locator('#panel').waitFor({ state: 'detached' });
    expect(pathOf(page)).toBe(`/hubs/${team.hubId}`);
    await page.goBack();
    await page.waitForURL('**/stream');
  });

  test('leads to the page before, past panels, dialogs and sidebars that were closed by their own buttons', async () => {
    const message = await team.message(team.ada, 'Who stops it?');
    await using phone = await onPhone('/stream');
    const { page, row } = phone;
    await page.locator('.bar .menu-open').tap();
    await page.locator('.side .nav-row', { hasText: 'Releases' }).tap();
    await row(message).locator('.prose').tap();
    await row(message)
      .getByRole('button', { name: /^Reply/ })
      .tap();
    await page.locator('#panel').getByRole('button', { name: 'Close' }).tap();
    await page.locator('#panel').waitFor({ state: 'detached' });
    await row(message).getByRole('button', { name: 'More' }).tap();
    await page.getByRole('menuitem', { name: 'Delete' }).tap();
    await settled(page);
    await page.getByRole('button', { name: 'Cancel' }).tap();
    await dialogs(page).waitFor({ state: 'detached' });
    await page.locator('.bar .menu-open').tap();
    // The link to the current page only closes the sidebar.
    await page.locator('.side .nav-row', { hasText: 'Releases' }).tap();
    await page.locator('nav.side.is-open').waitFor({ state: 'detached' });
    await layered(page, 0);
    await page.goBack();
    await page.waitForURL('**/stream');
  });

  test('closes the editor of a due date before its to-do', async () => {
    const todo = await team.todo(team.ada, { title: 'Renew the domain' });
    await using phone = await onPhone(`/hubs/${team.hubId}/todos`);
    const { page } = phone;
    const due = page.locator('#panel').getByRole('button', { name: 'Due: No date' });
    await page.locator('.todo a', { hasText: todo.title }).tap();
    await due.tap();
    await page.getByLabel('Day').waitFor();
    await layered(page, 1);
    await page.goBack();
    await page.getByLabel('Day').waitFor({ state: 'detached' });
    expect(await due.evaluate((element) => element === document.activeElement)).toBe(true);
    await due.tap();
    await layered(page, 1);
    // The history entry of the editor goes with the panel.
    await page.locator('#panel .bar').getByRole('button', { name: 'Close' }).tap();
    await page.locator('#panel').waitFor({ state: 'detached' });
    await layered(page, 0);
    expect(pathOf(page)).toBe(`/hubs/${team.hubId}/todos`);
  });

  test('leads from a closed panel to the page whose link opened it', async () => {
    const message = await team.message(team.bob, 'Asked');
    const reply = await team.reply(team.bob, message, 'Answered');
    await using phone = await onPhone('/stream');
    const { page } = phone;
    await page.locator(`.entry[data-item="${reply.id}"] a.hub`).tap();
    await page.locator('#panel').getByText('Answered').waitFor();
    await page.locator('#panel').getByRole('button', { name: 'Close' }).tap();
    await page.locator('#panel').waitFor({ state: 'detached' });
    await page.goBack();
    await page.waitForURL('**/stream');
  });

  test('closes a panel that a link from elsewhere opened, and shows the page below', async () => {
    const message = await team.message(team.bob, 'Linked to');
    const reply = await team.reply(team.bob, message, 'The reply itself');
    await using phone = await onPhone(`/p/${reply.id}`);
    const { page } = phone;
    await page.locator('#panel').getByText('The reply itself').waitFor();
    await page.goBack();
    await page.locator('#panel').waitFor({ state: 'detached' });
    expect(pathOf(page)).toBe(`/hubs/${team.hubId}`);
    await page.locator('.main .feed').getByText('Linked to').waitFor();
  });
});

test('a tapped message offers React and Reply with labels, and the rest in a menu', async () => {
  const message = await team.message(team.bob, 'Tap me');
  await using phone = await onPhone(`/hubs/${team.hubId}`);
  const { page, row } = phone;
  await row(message).locator('.prose').tap();
  const tools = row(message).getByRole('toolbar');
  await tools.getByText('More', { exact: true }).waitFor();
  expect(await tools.getByRole('button').allInnerTexts()).toEqual(['React', 'Reply', 'More']);
  await tools.getByText('More', { exact: true }).tap();
  await page.getByRole('menuitem', { name: 'Convert to note' }).waitFor();
  await page.getByRole('menuitem', { name: 'Convert to to-do' }).tap();
  await row(message).locator('.conversion').waitFor();
  await tools.getByText('React', { exact: true }).tap();
  await page.getByRole('gridcell', { name: 'thumbs up' }).first().tap();
  await row(message).locator('.chip', { hasText: '👍' }).waitFor();
  // With large text, they take more than one row.
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'));
  const { x, width } = await boxOf(tools.getByRole('button', { name: 'More' }));
  expect(x + width).toBeLessThanOrEqual(PHONE.width);
});

test('the key of a message takes no taps on the text below it', async () => {
  const message = await team.post('messages', { text: 'Deployed to production' });
  await using phone = await onPhone(`/hubs/${team.hubId}`);
  const { page, row } = phone;
  const [key, line] = await Promise.all([
    boxOf(row(message).locator('.via-key')),
    boxOf(row(message).locator('.prose')),
  ]);
  const isKey = (y: number) =>
    page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.matches('.via-key') === true, [key.x + 2, y] as const);
  expect(await isKey(line.y - 2)).toBe(true);
  expect(await isKey(line.y + 1)).toBe(false);
});

test('with double-size text, the title and its buttons share a row, and so do a new to-do and its button', async () => {
  await using phone = await onPhone(`/hubs/${team.hubId}/todos`);
  const { page } = phone;
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'));
  const [title, options, add, field] = await Promise.all(
    ['.bar-title', '.bar-end .icon-btn', '.add-row > button', '.add-row > input'].map((part) =>
      boxOf(page.locator(part)),
    ),
  );
  const middle = (box?: { y: number; height: number }) => (box ? box.y + box.height / 2 : Number.NaN);
  expect(middle(options)).toBeCloseTo(middle(title), 0);
  expect(middle(field)).toBeCloseTo(middle(add), 0);
});

test('the emoji picker of the composer adds to the text without raising the keyboard over itself', async () => {
  await using phone = await onPhone(`/hubs/${team.hubId}`);
  const { page } = phone;
  const text = page.getByRole('textbox', { name: 'Message to' });
  await text.fill('Done ');
  await page.getByRole('button', { name: 'Emoji' }).tap();
  const cell = page.getByRole('gridcell', { name: 'party popper' }).first();
  await cell.waitFor();
  // Nothing has been used yet. The suggestions fill one row.
  expect(await page.getByRole('rowgroup', { name: 'Suggested' }).getByRole('row').count()).toBe(1);
  expect(await page.evaluate(() => document.activeElement?.matches('input, textarea'))).toBe(false);
  const small = await smallTouchTargets(page, TARGET);
  expect(small.filter((found) => found.includes('gridcell'))).toEqual([]);
  await cell.tap();
  expect(await text.inputValue()).toBe('Done 🎉');
  await page.getByRole('button', { name: 'Emoji' }).tap();
  const recent = page.getByRole('rowgroup', { name: 'Frequently used' });
  await recent.waitFor();
  expect(await recent.getByRole('row').count()).toBe(1);
});

test('the emoji picker opens at the first tap, also while a mention is being typed', async () => {
  await using phone = await onPhone(`/hubs/${team.hubId}`);
  const { page } = phone;
  await page.getByRole('textbox', { name: 'Message to' }).tap();
  const emoji = page.getByRole('button', { name: 'Emoji' });
  // Its code is loaded with the first picker.
  await emoji.tap();
  await page.getByRole('gridcell').first().waitFor();
  await layered(page, 1);
  await page.goBack();
  await page.getByRole('gridcell').first().waitFor({ state: 'detached' });
  await layered(page, 0);
  await page.getByRole('textbox', { name: 'Message to' }).tap();
  await page.keyboard.type('Hi @Bob');
  await page.locator('.completion').waitFor();
  await emoji.tap();
  await painted(page);
  await painted(page);
  await page.getByRole('gridcell').first().waitFor();
});

test('a tap beside a form closes it only until something is entered', async () => {
  await using phone = await onPhone(`/hubs/${team.hubId}`);
  const { page } = phone;
  const openForm = async () => {
    await page.goto('/settings/tokens');
    await page.getByRole('button', { name: 'New token' }).tap();
    await page.locator('dialog input').first().waitFor();
  };
  await openForm();
  await page.touchscreen.tap(180, 10);
  await page.locator('dialog').waitFor({ state: 'detached' });
  await openForm();
  await page.locator('dialog input').first().fill('laptop');
  await page.touchscreen.tap(180, 10);
  await painted(page);
  expect(await page.locator('dialog input').first().inputValue()).toBe('laptop');
  await page.getByRole('button', { name: 'Cancel' }).tap();
  await page.locator('dialog').waitFor({ state: 'detached' });
});

test('a picker and a menu stay in view above the screen keyboard and after a rotation', async () => {
  const message = await team.message(team.bob, 'React to this');
  await using phone = await onPhone(`/hubs/${team.hubId}`);
  const { page, row } = phone;
  const popover = page.locator(':popover-open');
  const isInView = (height: number) =>
    page.waitForFunction((most) => {
      const box = document.querySelector(':popover-open')?.getBoundingClientRect();
      return box && box.top >= 0 && box.bottom <= most;
    }, height);
  await row(message).tap();
  await page.getByRole('button', { name: 'More' }).tap();
  await popover.waitFor();
  await page.setViewportSize(PORTRAIT);
  await isInView(PORTRAIT.height);
  await page.setViewportSize(LANDSCAPE);
  await isInView(LANDSCAPE.height);
  await page.setViewportSize(PHONE);
  await page.goBack();
  await row(message).getByRole('button', { name: 'React' }).tap();
  await page.getByRole('gridcell').first().waitFor();
  await page.setViewportSize(PORTRAIT);
  await isInView(PORTRAIT.height);
});

test('suggestions, due dates and key names can be hit with a finger', async () => {
  const todo = await team.todo(team.ada, { title: 'Renew the certificate' });
  await adminJson(team.hub, 'PATCH', '/workspace', { membersManageKeys: true });
  await using phone = await onPhone(`/hubs/${team.hubId}`);
  const { page } = phone;
  await page.getByRole('textbox', { name: 'Message to' }).pressSequentially('@bo');
  await page.getByRole('option', { name: 'Bob Kahn' }).waitFor();
  expect(await smallTouchTargets(page, TARGET)).toEqual([]);
  await page.goto(`/hubs/${team.hubId}/todos?open=${todo.id}`);
  await page.locator('#panel').getByText('No date').tap();
  await page.getByLabel('Day').waitFor();
  const small = await smallTouchTargets(page, TARGET);
  expect(small.filter((found) => /type="(?:date|time)"|Tomorrow/.test(found))).toEqual([]);
  await page.goto('/settings/keys');
  await page.locator('.key-open').first().waitFor();
  expect((await smallTouchTargets(page, TARGET)).filter((found) => found.includes('key-open'))).toEqual([]);
  // The filters are in one row, which scrolls.
  const tops = await page
    .locator('.filters > *')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().y));
  expect(new Set(tops.map(Math.round)).size).toBe(1);
});

describe('beside the screen keyboard', () => {
  test.each(['the conversation', 'a thread'])(
    'in landscape, %s and a composer of one line share the screen',
    async (name) => {
      const message = await team.message(team.bob, 'Still visible');
      await using phone = await onPhone(`/hubs/${team.hubId}${name === 'a thread' ? `?open=${message.id}` : ''}`);
      const { page } = phone;
      await page.setViewportSize(LANDSCAPE);
      await page.locator('html.is-low').waitFor({ state: 'attached' });
      const part = page.locator(name === 'a thread' ? '#panel' : '.main');
      const text = part.locator('form.composer textarea');
      await text.tap();
      await painted(page);
      expect((await boxOf(part.locator('form.composer'))).height).toBeLessThan(50);
      expect((await boxOf(part.locator('.feed'))).height).toBeGreaterThan(110);
      expect(await part.locator('.bar').isVisible()).toBe(false);
      await text.blur();
      await part.locator('.bar').waitFor();
    },
  );

  test('in landscape, an open note leaves the screen to the field being filled in, and so does a dialog', async () => {
    const note = await team.note(team.ada, { title: 'Runbook', content: 'One line\n\n'.repeat(20) });
    await using phone = await onPhone(`/hubs/${team.hubId}/notes?open=${note.id}`);
    const { page } = phone;
    const panel = page.locator('#panel');
    await panel.getByRole('button', { name: 'Edit' }).tap();
    const text = panel.getByRole('textbox', { name: 'Content' });
    await page.setViewportSize(LANDSCAPE);
    await text.tap();
    await painted(page);
    expect(await panel.locator('.bar').isVisible()).toBe(false);
    const { y, height } = await boxOf(text);
    const end = Math.min(y + height, (await boxOf(panel.getByRole('button', { name: 'Save' }))).y, LANDSCAPE.height);
    expect(end - Math.max(y, 0)).toBeGreaterThan(110);
    await page.setViewportSize(PHONE);
    await page.goto('/settings/tokens');
    await page.getByRole('button', { name: 'New token' }).tap();
    await settled(page);
    await page.setViewportSize(LANDSCAPE);
    const field = await boxOf(page.locator('dialog input').first());
    expect(field.y + field.height).toBeLessThanOrEqual((await boxOf(page.locator('dialog footer'))).y);
  });

  test('the buttons of a note stay in view, also where the keyboard covers the page', async () => {
    await using phone = await onPhone(`/hubs/${team.hubId}/notes`);
    const { page } = phone;
    await page.setViewportSize(PORTRAIT);
    await page.getByRole('button', { name: 'Write a note' }).tap();
    await page.getByRole('textbox', { name: 'Content' }).fill('One line\n'.repeat(30));
    const save = page.getByRole('button', { name: 'Save note' });
    const endOf = async () => {
      await painted(page);
      const { y, height } = await boxOf(save);
      return y + height;
    };
    expect(await endOf()).toBeLessThanOrEqual(PORTRAIT.height);
    const bold = await boxOf(page.getByRole('button', { name: 'Bold' }));
    expect(bold.y + bold.height).toBeLessThanOrEqual((await boxOf(save)).y);
    // Safari makes only the visual viewport smaller.
    await page.setViewportSize(PHONE);
    await page.evaluate((height) => {
      Object.defineProperty(visualViewport, 'height', { value: height });
      visualViewport?.dispatchEvent(new Event('resize'));
    }, PORTRAIT.height);
    expect(await endOf()).toBeLessThanOrEqual(PORTRAIT.height);
    await page.getByRole('textbox', { name: 'Content' }).fill('');
    await page.getByRole('button', { name: 'Cancel' }).tap();
  });
});

test('shows no keyboard shortcuts', async () => {
  await using phone = await onPhone('/stream');
  const { page } = phone;
  await page.locator('.bar .menu-open').tap();
  await page.getByRole('button', { name: 'Command palette' }).tap();
  await page.getByRole('option', { name: 'Stream' }).waitFor();
  await page.getByRole('combobox').fill('theme');
  await page.getByRole('option', { name: 'Use the dark theme' }).waitFor();
  await page.getByRole('combobox').fill('shortcuts');
  expect(await page.getByRole('option', { name: 'Keyboard shortcuts' }).count()).toBe(0);
  await page.goBack();
  await page.locator('.me').tap();
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  expect(await page.getByText(/shortcuts/).count()).toBe(0);
  expect(await page.locator('kbd').evaluateAll((all) => all.filter((key) => key.checkVisibility()).length)).toBe(0);
});

test('the count of unread items is beside the menu icon, not on it', async () => {
  for (let n = 0; n < 101; n += 1) await team.message(team.bob, `Unread ${n}`);
  await using phone = await onPhone('/mentions');
  const { page } = phone;
  const count = page.locator('.menu-open .count');
  await count.getByText('99+').waitFor();
  const [icon, badge, title] = await Promise.all(
    [page.locator('.menu-open[aria-controls] svg'), count, page.locator('h1 span')].map(boxOf),
  );
  expect(badge?.x).toBeGreaterThanOrEqual((icon?.x ?? 0) + (icon?.width ?? 0));
  expect(title?.x).toBeGreaterThan((badge?.x ?? 0) + (badge?.width ?? 0));
});

test('the button that shows a password is in the middle of its field', async () => {
  const { page, context } = await testSession(browser, team.hub, { look: PHONE });
  await page.goto('/');
  const [field, eye] = await Promise.all(
    [page.getByLabel('Password', { exact: true }), page.locator('.password-field svg')].map(boxOf),
  );
  const middle = (box?: { y: number; height: number }) => (box ? box.y + box.height / 2 : Number.NaN);
  expect(Math.abs(middle(field) - middle(eye))).toBeLessThan(1);
  await context.close();
});
