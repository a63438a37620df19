import { expect, test } from 'bun:test';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { isShown, startBackdatedTeam, teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { enter, eventually, holdBack, press, seen } from '@hub/testkit/browser/steps';
import { memberOf } from '@hub/testkit/in-process/users';
import type { Locator, Page } from 'playwright-core';

const { openHub, newHub } = await teamSessions(startBackdatedTeam());

const textOf = (page: Page) => page.getByRole('textbox', { name: 'Message to' });
const sent = (page: Page, text: string) => page.locator('.msg[id]', { hasText: text });
const hasFocus = (field: Locator) => field.evaluate((area) => area === area.ownerDocument.activeElement);

test('Enter sends, Shift+Enter adds a line break, and neither sends while an input method composes, a code block is open or the text is too long; the toolbar and its shortcuts format, undo reverts it, and the preview shows it in place of the text', async () => {
  const team = await newHub();
  const { page } = await openHub(team.ada);
  await textOf(page).pressSequentially('Hello');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('**there**');
  expect(await textOf(page).inputValue()).toBe('Hello\n**there**');
  await page.keyboard.press('Enter');
  expect(await textOf(page).inputValue()).toBe('');
  await page.locator('.msg[id] strong', { hasText: 'there' }).waitFor();

  await textOf(page).fill('Nihon');
  await textOf(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true });
  await textOf(page).dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
  expect(await textOf(page).inputValue()).toBe('Nihon');
  await textOf(page).fill('');

  await page.keyboard.type('```js');
  await page.keyboard.press('Enter');
  await page.keyboard.type('push @bo');
  await page.getByText('Ctrl + Enter to send').waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('```');
  await page.getByText('Enter to send, Shift + Enter for a new line').waitFor();
  expect(await textOf(page).inputValue()).toBe('```js\npush @bo\n```');
  await page.keyboard.press('Enter');
  await page.locator('.msg pre', { hasText: 'push @bo' }).waitFor();
  const status = page.locator('.composer').getByRole('status');
  await textOf(page).fill('a'.repeat(39_900));
  await status.getByText('100 characters left.').waitFor();
  await textOf(page).fill('a'.repeat(40_002));
  await status.getByText('2 characters over the limit of 40,000.').waitFor();
  expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  await textOf(page).press('Enter');
  expect((await textOf(page).inputValue()).length).toBe(40_002);

  const value = () => textOf(page).inputValue();
  await textOf(page).fill('one two');
  await textOf(page).press('Shift+Control+ArrowLeft');
  await page.getByRole('button', { name: 'Bold' }).click();
  // The code for typing loads with the first focus.
  await eventually(async () => (await value()) === 'one **two**');
  await page.keyboard.press('Control+i');
  expect(await value()).toBe('one **_two_**');
  await page.keyboard.press('Control+z');
  expect(await value()).toBe('one **two**');
  await page.getByRole('button', { name: 'List' }).click();
  expect(await value()).toBe('- one **two**');
  await textOf(page).press('End');
  await textOf(page).press('Shift+Enter');
  await page.keyboard.type('see the plan');
  expect(await value()).toBe('- one **two**\n- see the plan');
  // A URL that is pasted over selected text makes it a link.
  const paste = (text: string) =>
    textOf(page).evaluate((area, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      return area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  await textOf(page).press('Shift+Control+ArrowLeft');
  expect(await paste('https://hub.example/plan')).toBe(false);
  expect(await value()).toBe('- one **two**\n- see the [plan](https://hub.example/plan)');
  await page.keyboard.press('Control+z');
  expect(await paste('other words')).toBe(true);

  await textOf(page).fill('# Plan\n\n- [x] **eat**');
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('group', { name: 'Preview' });
  await seen(preview.locator('h3', { hasText: 'Plan' }), preview.locator('.tick.is-done'));
  await page.keyboard.press('Escape');
  expect([await hasFocus(textOf(page)), await value()]).toEqual([true, '# Plan\n\n- [x] **eat**']);
  await page.getByRole('button', { name: 'Preview' }).click();
  await preview.press('Enter');
  await page.locator('.msg h3', { hasText: 'Plan' }).waitFor();
  expect(await value()).toBe('');
});

test('a draft survives a reload, marks its Hub in every tab, is shared by tabs until one sends it or types on, and is removed once it is sent or emptied; an edit in two tabs is saved once', async () => {
  const team = await newHub();
  const message = await team.message(team.bob, 'A message');
  const { page, context } = await openHub(team.ada);
  const other = await context.newPage();
  await other.goto('/stream');
  const mark = (tab: Page) => tab.locator('.side .nav-row', { hasText: 'Releases' }).getByText('unsent draft');
  const areMarked = async (state: 'attached' | 'detached') => {
    for (const tab of [page, other]) await mark(tab).waitFor({ state });
  };
  await textOf(page).fill('Half a thought');
  await areMarked('attached');
  await page.reload();
  expect(await textOf(page).inputValue()).toBe('Half a thought');
  await textOf(page).fill('');
  await areMarked('detached');
  await textOf(page).fill('A whole thought');
  await areMarked('attached');
  await textOf(page).press('Enter');
  await areMarked('detached');
  await page.reload();
  expect(await textOf(page).inputValue()).toBe('');

  await page.goto(`/hubs/${team.hubId}?open=${message.id}`);
  const reply = page.getByRole('textbox', { name: 'Reply in thread' });
  await reply.fill('Half a reply');
  await areMarked('attached');
  await page.reload();
  await isShown(page);
  expect(await reply.inputValue()).toBe('Half a reply');
  await reply.press('Enter');
  await areMarked('detached');

  await page.goto(`/hubs/${team.hubId}`);
  const waitForDraft = (tab: Page, text: string) =>
    tab.waitForFunction(
      (wanted) => document.querySelector<HTMLTextAreaElement>('form.composer textarea')?.value === wanted,
      text,
    );
  const waitUntilStored = (tab: Page, text: string) =>
    tab.waitForFunction((wanted) => Object.values(localStorage).some((kept) => kept.includes(wanted)), text);
  await textOf(page).fill('Once');
  await waitUntilStored(page, 'Once');
  await other.goto(page.url());
  await waitForDraft(other, 'Once');
  await textOf(other).focus();
  await textOf(page).press('Enter');
  await waitForDraft(other, '');
  await textOf(other).press('Enter');
  await sent(page, 'Once').waitFor();
  expect(await other.locator('.msg', { hasText: 'Once' }).count()).toBe(1);

  // A tab without the focus adopts the draft of the other tab, but keeps anything typed in it.
  await other.evaluate(() => {
    document.hasFocus = () => false;
  });
  await textOf(page).fill('Half a thought');
  await waitForDraft(other, 'Half a thought');
  await textOf(other).press('End');
  await other.keyboard.type(' more');
  await waitUntilStored(other, 'Half a thought more');
  await textOf(page).press('Enter');
  await seen(sent(page, 'Half a thought'), sent(other, 'Half a thought'));
  expect(await textOf(other).inputValue()).toBe('Half a thought more');
  await other.reload();
  expect(await textOf(other).inputValue()).toBe('Half a thought more');
  await textOf(other).fill('');

  const editor = (tab: Page) => tab.getByRole('textbox', { name: 'Message text' });
  await textOf(page).press('ArrowUp');
  await editor(page).fill('A whole thought');
  await editor(page).press('Escape');
  await waitUntilStored(other, 'A whole thought');
  await textOf(other).press('ArrowUp');
  expect(await editor(other).inputValue()).toBe('A whole thought');
  await textOf(page).press('ArrowUp');
  await editor(page).press('Enter');
  await editor(other).waitFor({ state: 'detached' });

  // Text typed during a save counts as a change to the saved text.
  const response = await holdBack(other, '**/api/v1/messages/*');
  await textOf(other).press('ArrowUp');
  await editor(other).press('End');
  await other.keyboard.type(' of two');
  await other.keyboard.press('Enter');
  await other.keyboard.type(' people');
  response();
  await page.getByText('A whole thought of two', { exact: true }).waitFor();
  await other.getByRole('button', { name: 'Save', exact: true, disabled: false }).waitFor();
  expect(await editor(other).inputValue()).toBe('A whole thought of two people');
  await editor(other).press('Enter');
  await page.getByText('A whole thought of two people', { exact: true }).waitFor();
});

test('names are suggested after @ and emoji after :, and keys choose one; @hub and @here are highlighted, and ask first from twenty members on', async () => {
  const team = await newHub();
  const { page } = await openHub(team.ada);
  const value = () => textOf(page).inputValue();
  await textOf(page).pressSequentially('Ask @');
  const names = page.getByRole('listbox', { name: 'Members' });
  await names.waitFor();
  expect(await names.getByRole('option').count()).toBeGreaterThan(1);
  await expectAccessible(page);
  await textOf(page).press('Escape');
  await names.waitFor({ state: 'detached' });
  await textOf(page).fill('Ask ');
  await textOf(page).pressSequentially('@kah');
  await names.getByRole('option', { name: 'Bob Kahn', selected: true }).waitFor();
  const active = (await textOf(page).getAttribute('aria-activedescendant')) ?? '';
  expect(await page.locator(`[id="${active}"]`).textContent()).toContain('Bob Kahn');
  await textOf(page).press('Enter');
  expect(await value()).toBe('Ask @Bob Kahn ');
  await textOf(page).pressSequentially('and @a');
  await names.waitFor();
  await textOf(page).press('ArrowDown');
  await textOf(page).press('ArrowUp');
  await textOf(page).press('Tab');
  expect(await value()).toBe('Ask @Bob Kahn and @Ada Lovelace ');
  // A name that was typed completely is sent with the first Enter.
  await textOf(page).fill('Ready, @Bob Kah');
  await names.waitFor();
  await page.keyboard.type('n');
  await names.waitFor({ state: 'detached' });
  await textOf(page).press('Enter');
  await page.locator('.msg[id] .mention', { hasText: '@Bob Kahn' }).waitFor();

  const emoji = page.getByRole('listbox', { name: 'Emoji' });
  await textOf(page).pressSequentially(':tad');
  await emoji.waitFor();
  await textOf(page).press('Enter');
  await textOf(page).pressSequentially(':rocket:');
  expect(await value()).toBe('🎉 :rocket:');
  await textOf(page).press('Enter');
  await sent(page, '🎉 🚀').waitFor();

  const bob = await openHub(team.bob);
  await textOf(page).pressSequentially('Lunch @h');
  const options = page.getByRole('option');
  await page.getByRole('option', { name: /^hub/ }).waitFor();
  expect(await options.allTextContents()).toEqual(['hereMembers who have a page open', 'hubAll members of this Hub']);
  await press(page, 'Enter', 'Enter');
  expect(await sent(bob.page, 'Lunch').locator('.mention.is-me').textContent()).toBe('@here');
  expect(await sent(page, 'Lunch').locator('.mention:not(.is-me)').textContent()).toBe('@here');
  await team.post('messages', { text: 'A program writes @hub' });
  await sent(bob.page, 'A program writes').waitFor();
  expect(await sent(bob.page, 'A program writes').locator('.mention').count()).toBe(0);

  for (let n = 3; n <= 20; n += 1) await memberOf(team.hub, team.hubId, { name: `Member ${n}` });
  await page.locator('.bar-end .num', { hasText: '20' }).waitFor();
  await enter(textOf(page), 'All of you, @hub');
  const dialog = page.getByRole('dialog', { name: 'Notify all 20 members?' });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await textOf(page).inputValue()).toBe('All of you, @hub');
  await textOf(page).press('Enter');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await dialog.waitFor({ state: 'detached' });
  await sent(bob.page, 'All of you').locator('.mention.is-me').waitFor();
  expect(await textOf(page).inputValue()).toBe('');
});
