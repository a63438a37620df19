import { describe, expect, test } from 'bun:test';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { PHONE, WIDE } from '@hub/testkit/browser/browser';
import { runInPage } from '@hub/testkit/browser/isolated-render';
import { fresh, textOf, writers } from '@hub/testkit/browser/writers';
import type { Page } from 'playwright-core';

const { openSession, open, hubId } = writers();

test('Enter sends, Shift+Enter adds a line break, and every member sees the message', async () => {
  const [{ page, problems }, bob] = await Promise.all([openSession(), openSession(WIDE, 'bob')]);
  const text = fresh('Hello');
  await textOf(page).pressSequentially(text);
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('**there**');
  expect(await textOf(page).inputValue()).toBe(`${text}\n**there**`);
  await page.keyboard.press('Enter');
  expect(await textOf(page).inputValue()).toBe('');
  await bob.page.locator('.msg strong', { hasText: 'there' }).waitFor();
  await page.locator('.msg[id]', { hasText: text }).waitFor();
  expect(await page.locator('.msg:not([id])').count()).toBe(0);
  expect([problems, bob.problems]).toEqual([[], []]);
});

test('Enter in a code block that is not closed adds a line break, and Ctrl+Enter sends', async () => {
  const { page } = await openSession();
  const text = fresh('const a');
  await textOf(page).focus();
  await page.keyboard.type('```js');
  await page.keyboard.press('Enter');
  await page.keyboard.type(text);
  await page.getByText('Ctrl + Enter to send').waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('```');
  await page.getByText('Enter to send, Shift + Enter for a new line').waitFor();
  expect(await textOf(page).inputValue()).toBe(`\`\`\`js\n${text}\n\`\`\``);
  await page.keyboard.press('Enter');
  expect(await textOf(page).inputValue()).toBe('');
  await page.locator('.msg pre', { hasText: text }).waitFor();
  await page.keyboard.type('~~~');
  await page.keyboard.press('Enter');
  await page.keyboard.type('push @bo');
  await page.keyboard.press('Enter');
  expect(await textOf(page).inputValue()).toBe('~~~\npush @bo\n');
  await page.keyboard.press('Control+Enter');
  expect(await textOf(page).inputValue()).toBe('');
  // Inline code: the rest of a line that opens a block contains no backticks.
  await page.keyboard.type(`\`\`\`${text} inline\`\`\``);
  await page.keyboard.press('Enter');
  await page.locator('.msg code', { hasText: `${text} inline` }).waitFor();
});

test('pressing Enter to end an input method composition sends nothing', async () => {
  const { page } = await openSession();
  const text = fresh('Nihon');
  await textOf(page).fill(text);
  await textOf(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true });
  await textOf(page).dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
  expect(await textOf(page).inputValue()).toBe(text);
  await textOf(page).press('Enter');
  expect(await textOf(page).inputValue()).toBe('');
});

test('on a touch keyboard, Enter adds a line break and the button sends', async () => {
  const { page } = await openSession(PHONE);
  const text = fresh('Line');
  await textOf(page).tap();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await page.keyboard.type('more');
  expect(await textOf(page).inputValue()).toBe(`${text}\nmore`);
  await page.getByRole('button', { name: 'Send', exact: true }).tap();
  await page.locator('.msg[id]', { hasText: text }).waitFor();
  // The focus stays in the field, so the user can keep typing.
  expect(await textOf(page).evaluate((area) => area === area.ownerDocument.activeElement)).toBe(true);
});

test('on a touch screen, the composer makes room for the editor of a message, and shows no hint about keys', async () => {
  const { page } = await openSession(PHONE);
  await page.setViewportSize({ width: 740, height: 360 });
  const text = fresh('Touched');
  await textOf(page).fill(text);
  expect(await page.getByText('Enter to send').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Send', exact: true }).tap();
  const message = page.locator('.msg[id]', { hasText: text });
  await message.tap();
  await message.getByRole('button', { name: 'More' }).tap();
  await page.getByRole('menuitem', { name: 'Edit' }).tap();
  await page.getByRole('textbox', { name: 'Message text' }).waitFor();
  expect(await textOf(page).isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Cancel' }).tap();
  await textOf(page).waitFor();
});

describe('a draft', () => {
  test('survives a reload and is removed once it is sent', async () => {
    const { page } = await openSession();
    const text = fresh('Draft');
    await textOf(page).fill(text);
    await page.reload();
    expect(await textOf(page).inputValue()).toBe(text);
    await textOf(page).press('Enter');
    await page.locator('.msg[id]', { hasText: text }).waitFor();
    await page.reload();
    expect(await textOf(page).inputValue()).toBe('');
  });

  test('stays in its tab when another tab sends a different draft', async () => {
    const { page, context } = await openSession();
    const other = await context.newPage();
    await open(other);
    const [mine, others] = [fresh('First tab'), fresh('Second tab')];
    await textOf(page).fill(others);
    await other.bringToFront();
    await textOf(other).fill(mine);
    await textOf(other).press('End');
    await page.bringToFront();
    await textOf(page).press('Enter');
    await page.locator('.msg[id]', { hasText: others }).waitFor();
    expect(await textOf(other).inputValue()).toBe(mine);
    await other.reload();
    expect(await textOf(other).inputValue()).toBe(mine);
    await textOf(other).fill('');
  });

  test('disappears from other tabs once one tab sends or clears it, so it is not sent twice', async () => {
    const { page, context } = await openSession();
    const text = fresh('Once');
    const waitForDraft = (tab: Page, text: string) =>
      tab.waitForFunction(
        (wanted) => document.querySelector<HTMLTextAreaElement>('form.composer textarea')?.value === wanted,
        text,
      );
    await textOf(page).fill(text);
    await page.reload();
    const other = await context.newPage();
    await open(other);
    await waitForDraft(other, text);
    await textOf(other).focus();
    await textOf(page).press('Enter');
    await waitForDraft(other, '');
    await textOf(other).press('Enter');
    await page.locator('.msg[id]', { hasText: text }).waitFor();
    expect(await other.locator('.msg', { hasText: text }).count()).toBe(1);

    // A tab without the focus adopts the draft of the other tab, but keeps anything typed in it.
    await other.evaluate(() => {
      document.hasFocus = () => false;
    });
    await textOf(page).fill('Half a thought');
    await waitForDraft(other, 'Half a thought');
    await textOf(page).fill('');
    await waitForDraft(other, '');
    await textOf(page).fill('Half a thought');
    await waitForDraft(other, 'Half a thought');
    await textOf(other).press('End');
    await other.keyboard.type(' more');
    await textOf(page).press('Enter');
    await page.locator('.msg[id]', { hasText: 'Half a thought' }).waitFor();
    await other.locator('.msg[id]', { hasText: 'Half a thought' }).waitFor();
    expect(await textOf(other).inputValue()).toBe('Half a thought more');
    await textOf(other).fill('');

    // The same applies to an edit open in both tabs.
    const editor = (tab: Page) => tab.getByRole('textbox', { name: 'Message text' });
    await textOf(page).press('ArrowUp');
    await editor(page).fill('A whole thought');
    await editor(page).press('Escape');
    await other.waitForFunction(() => Object.values(localStorage).some((kept) => kept.includes('A whole thought')));
    await textOf(other).press('ArrowUp');
    expect(await editor(other).inputValue()).toBe('A whole thought');
    await textOf(page).press('ArrowUp');
    await editor(page).press('Enter');
    await editor(other).waitFor({ state: 'detached' });
    await textOf(other).press('ArrowUp');
    expect(await editor(other).inputValue()).toBe('A whole thought');

    // Text typed during a save counts as a change to the saved text.
    const response = Promise.withResolvers<void>();
    await other.route('**/api/v1/messages/*', async (route) => {
      await response.promise;
      await route.continue();
    });
    await editor(other).press('End');
    await other.keyboard.type(' of two');
    await other.keyboard.press('Enter');
    await other.keyboard.type(' people');
    response.resolve();
    await page.getByText('A whole thought of two', { exact: true }).waitFor();
    await other.getByRole('button', { name: 'Save', exact: true, disabled: false }).waitFor();
    expect(await editor(other).inputValue()).toBe('A whole thought of two people');
    await editor(other).press('Enter');
    await page.getByText('A whole thought of two people', { exact: true }).waitFor();
    await editor(other).waitFor({ state: 'detached' });
  });
});

describe('the formatting toolbar', () => {
  test('formats the selection by button and shortcut, and undo reverts it', async () => {
    const { page } = await openSession();
    await textOf(page).fill('one two');
    await textOf(page).press('Shift+Control+ArrowLeft');
    await page.getByRole('button', { name: 'Bold' }).click();
    expect(await textOf(page).inputValue()).toBe('one **two**');
    await page.keyboard.press('Control+i');
    expect(await textOf(page).inputValue()).toBe('one **_two_**');
    await page.keyboard.press('Control+z');
    expect(await textOf(page).inputValue()).toBe('one **two**');
    await page.getByRole('button', { name: 'List' }).click();
    expect(await textOf(page).inputValue()).toBe('- one **two**');
    await textOf(page).fill('');
  });

  test('a line break in a list begins the next item, and in an empty one ends the list', async () => {
    const { page } = await openSession();
    await textOf(page).pressSequentially('@');
    await page.getByRole('listbox', { name: 'Members' }).waitFor();
    await textOf(page).fill('1. Build');
    await textOf(page).press('Shift+Enter');
    await page.keyboard.type('Deploy');
    expect(await textOf(page).inputValue()).toBe('1. Build\n2. Deploy');
    await textOf(page).press('Shift+Enter');
    await textOf(page).press('Shift+Enter');
    expect(await textOf(page).inputValue()).toBe('1. Build\n2. Deploy\n');
    await page.keyboard.press('Control+z');
    expect(await textOf(page).inputValue()).toBe('1. Build\n2. Deploy\n3. ');
    await textOf(page).fill('');
  });

  test('a URL that is pasted over selected text makes it a link', async () => {
    const { page } = await openSession();
    const paste = (text: string) =>
      textOf(page).evaluate((area, pasted) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', pasted);
        return area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      }, text);
    // By then, the code for typing has loaded.
    await textOf(page).pressSequentially('@');
    await page.getByRole('listbox', { name: 'Members' }).waitFor();
    await textOf(page).fill('see the plan');
    await textOf(page).press('Shift+Control+ArrowLeft');
    expect(await paste('https://hub.example/plan')).toBe(false);
    expect(await textOf(page).inputValue()).toBe('see the [plan](https://hub.example/plan)');
    await page.keyboard.press('Control+z');
    expect(await textOf(page).inputValue()).toBe('see the plan');
    // Left to the browser.
    expect(await paste('other words')).toBe(true);
    await textOf(page).fill('');
  });

  test('shows a preview in place of the text', async () => {
    const { page } = await openSession();
    await textOf(page).fill('# Plan\n\n- [x] **eat**');
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('group', { name: 'Preview' });
    await preview.locator('h3', { hasText: 'Plan' }).waitFor();
    await preview.locator('.tick.is-done').waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await textOf(page).evaluate((area) => area === area.ownerDocument.activeElement)).toBe(true);
    expect(await textOf(page).inputValue()).toBe('# Plan\n\n- [x] **eat**');
    await page.getByRole('button', { name: 'Preview' }).click();
    await preview.press('?');
    await preview.press('Enter');
    await page.locator('.msg h3', { hasText: 'Plan' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await textOf(page).inputValue()).toBe('');
  });
});

describe('after typing @', () => {
  test('members are suggested, arrow keys and Enter choose one and Escape closes the list', async () => {
    const { page } = await openSession();
    await textOf(page).pressSequentially('Ask @');
    const list = page.getByRole('listbox', { name: 'Members' });
    await list.waitFor();
    expect(await list.getByRole('option').count()).toBeGreaterThan(1);
    expect(await axeInBothThemes(page)).toEqual([]);
    await textOf(page).press('Escape');
    await list.waitFor({ state: 'detached' });
    await textOf(page).fill('Ask ');
    await textOf(page).pressSequentially('@kah');
    await list.getByRole('option', { name: 'Bob Kahn', selected: true }).waitFor();
    const active = (await textOf(page).getAttribute('aria-activedescendant')) ?? '';
    expect(await page.locator(`[id="${active}"]`).textContent()).toContain('Bob Kahn');
    await textOf(page).press('Enter');
    expect(await textOf(page).inputValue()).toBe('Ask @Bob Kahn ');
    await list.waitFor({ state: 'detached' });
    await textOf(page).pressSequentially('and @a');
    await list.waitFor();
    await textOf(page).press('ArrowDown');
    await textOf(page).press('ArrowUp');
    await textOf(page).press('Tab');
    expect(await textOf(page).inputValue()).toBe('Ask @Bob Kahn and @Ada Lovelace ');
    await textOf(page).press('Enter');
    await page.locator('.msg[id] .mention', { hasText: '@Bob Kahn' }).waitFor();
  });
});

test('a mention that was typed completely is sent with the first Enter', async () => {
  const { page } = await openSession();
  await textOf(page).fill('');
  await textOf(page).pressSequentially('Ready, @bob');
  await page.getByRole('option', { name: 'Bob Kahn' }).waitFor();
  await textOf(page).fill('Ready, @Bob Kah');
  await page.getByRole('option', { name: 'Bob Kahn' }).waitFor();
  await page.keyboard.type('n');
  await page.getByRole('option', { name: 'Bob Kahn' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.locator('.msg[id]', { hasText: 'Ready, @Bob Kahn' }).waitFor();
});

test('after typing : and two letters, emoji are suggested and Enter inserts one, in the chosen skin tone', async () => {
  const { page, problems } = await openSession();
  await page.evaluate(() => localStorage.setItem('hub.emoji.tone', '🏽'));
  await page.reload();
  await textOf(page).pressSequentially('at 10:30 :t');
  const list = page.getByRole('listbox', { name: 'Emoji' });
  expect(await list.count()).toBe(0);
  await textOf(page).press('a');
  await list.getByRole('option', { name: ':tada:', selected: true }).waitFor();
  expect(await axeInBothThemes(page)).toEqual([]);
  await textOf(page).press('Escape');
  await list.waitFor({ state: 'detached' });
  await textOf(page).pressSequentially('da');
  expect(await list.count()).toBe(0);
  await textOf(page).fill('');
  await textOf(page).pressSequentially(':tad');
  await list.waitFor();
  await textOf(page).press('Enter');
  await textOf(page).pressSequentially(':wav');
  await list.getByRole('option', { name: ':wave:' }).click();
  const text = fresh('and now');
  await textOf(page).pressSequentially(`:rocket: ${text} std::fire::x`);
  expect(await textOf(page).inputValue()).toBe(`🎉 👋🏽 :rocket: ${text} std::fire::x`);
  await textOf(page).press('Enter');
  await page.locator('.msg[id]', { hasText: `🎉 👋🏽 🚀 ${text} std::fire::x` }).waitFor();
  expect(problems).toEqual([]);
});

test('the composer warns before a message is too long, and does not send one that is', async () => {
  const { page } = await openSession();
  const status = page.locator('.composer').getByRole('status');
  await textOf(page).fill('a'.repeat(39_900));
  await status.getByText('100 characters left.').waitFor();
  await textOf(page).fill('a'.repeat(40_002));
  await status.getByText('2 characters over the limit of 40,000.').waitFor();
  expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  await textOf(page).press('Enter');
  expect((await textOf(page).inputValue()).length).toBe(40_002);
  expect(await axeInBothThemes(page)).toEqual([]);
  await textOf(page).fill('');
});

test('the emoji button inserts an emoji at the caret, and Enter in its search sends nothing', async () => {
  const { page } = await openSession();
  await textOf(page).fill('Shipped!');
  await textOf(page).press('ArrowLeft');
  await page.getByRole('button', { name: 'Emoji' }).click();
  const search = page.getByRole('searchbox', { name: 'Search emoji' });
  await search.fill('no such emoji');
  await search.press('Enter');
  await page.getByText('No emoji found').waitFor();
  await search.fill('rocket');
  await page.getByRole('gridcell', { name: 'rocket' }).waitFor();
  await search.press('Enter');
  expect(await textOf(page).inputValue()).toBe('Shipped🚀!');
  await page.keyboard.type('3');
  expect(await textOf(page).inputValue()).toBe('Shipped🚀3!');
  await textOf(page).fill('');
});

test('the composer grows with its text up to 40% of the window height', async () => {
  const { page } = await openSession();
  const height = async () => (await textOf(page).boundingBox())?.height ?? 0;
  const low = await height();
  await textOf(page).fill('a\n'.repeat(5));
  expect(await height()).toBeGreaterThan(low + 80);
  await textOf(page).fill('a\n'.repeat(80));
  expect(await height()).toBeCloseTo(0.4 * WIDE.height, 0);
  await textOf(page).fill('');
});

test('a Markdown area has the same toolbar everywhere and shows when its text is too long', async () => {
  const { page, problems } = await openSession();
  await runInPage(
    page,
    `
    import { signal } from '@preact/signals';
    import { h, render } from 'preact';
    import { MarkdownArea } from './ui/composer/markdown-area.tsx';
    import { WorkspaceContext } from './data/live/workspace.ts';
    const workspace = { me: signal({ id: 'per_1' }), hubs: { onEvent() {}, onLive() {}, connection: signal({ status: 'live' }), lost: signal(new Map()) } };
    const text = signal('');
    const Field = () => h(MarkdownArea, { label: 'Text', value: text.value, rows: 5, maxCodePoints: 50, hubId: '${hubId()}', isFocused: true,
      onChange: (next) => { text.value = next; }, onKey: ({ key, ctrlKey }) => { if (key !== 'Enter' || !ctrlKey) return false; globalThis.submitted = text.value; return true; } });
    const place = document.createElement('main');
    document.querySelector('#app').replaceWith(place);
    render(h(WorkspaceContext.Provider, { value: workspace }, h(Field)), place);
  `,
  );
  const field = page.getByRole('textbox', { name: 'Text' });
  expect((await field.boundingBox())?.height).toBeGreaterThan(110);
  await page.keyboard.type('one');
  await page.keyboard.press('Enter');
  await page.keyboard.type('@bo');
  await page.getByRole('option', { name: 'Bob Kahn' }).click();
  await page.getByRole('button', { name: 'Bold' }).click();
  await page.keyboard.type('two');
  expect(await field.inputValue()).toBe('one\n@Bob Kahn **two**');
  await page.keyboard.press('Control+Enter');
  expect(await page.evaluate('submitted')).toBe('one\n@Bob Kahn **two**');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.locator('.preview strong', { hasText: 'two' }).waitFor();
  await page.getByRole('button', { name: 'Preview' }).click();
  await field.fill('x'.repeat(51));
  await page.getByText('1 character over the limit of 50.').waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(problems).toEqual([]);
});
