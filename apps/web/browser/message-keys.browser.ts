import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Message } from '@hub/contract';
import type { Browser } from 'playwright-core';
import { createUser, signIn } from '../../api/src/testing/users.ts';
import { startBrowser } from './browser.ts';
import { fill, isShown, LIVE_MS, openTestSession, startTeamOfYesterday } from './hub-test-sessions.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

describe('by keyboard', () => {
  test('one goes among the messages, into one of them, and past all of them', async () => {
    await using team = await startTeamOfYesterday();
    const written = await fill(team, 6);
    const ada = await openTestSession(browser, team, { caller: team.ada });
    const { page } = ada;
    const here = () =>
      page.evaluate(
        () => (document.activeElement as HTMLElement | null)?.dataset.row ?? document.activeElement?.className,
      );
    await page.locator('.tab').last().focus();
    await page.keyboard.press('k');
    expect(await here()).toBe(written[5]?.id ?? '');
    await page.keyboard.press('k');
    expect(await here()).toBe(written[4]?.id ?? '');
    await page.keyboard.press('j');
    expect(await here()).toBe(written[5]?.id ?? '');
    expect(await page.locator('.msg.is-current').count()).toBe(1);

    // Into the message, through what can be pressed there, and out behind it.
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('[data-row]') !== null)).toBe(true);
    for (let presses = 0; presses < 12; presses += 1) {
      if ((await page.evaluate(() => document.activeElement?.tagName)) === 'TEXTAREA') break;
      await page.keyboard.press('Tab');
    }
    expect(await page.evaluate(() => document.activeElement?.closest('.composer') !== null)).toBe(true);
    await page.keyboard.press('Shift+Tab');
    expect(await here()).toBe(written[5]?.id ?? '');
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.bar') !== null)).toBe(true);

    await page.keyboard.press('c');
    expect(await page.evaluate(() => document.activeElement?.closest('.composer') !== null)).toBe(true);

    // Out of it again, to the message that one was at: what was typed stays there.
    const text = page.getByRole('textbox', { name: 'Message to' });
    await page.keyboard.type('Half a thought');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Escape');
    expect(await here()).toBe(written[5]?.id ?? '');
    await page.keyboard.press('k');
    expect(await here()).toBe(written[4]?.id ?? '');
    expect(await text.inputValue()).toBe('Half a thought');

    // From the empty text, up to what one has said last.
    await text.fill('');
    await page.keyboard.press('ArrowUp');
    const edited = ada.row(written[4] ?? { id: '' }).getByRole('textbox', { name: 'Text of the message' });
    await page.waitForFunction(() => document.activeElement?.matches('.msg-editor textarea'));
    expect(await edited.inputValue()).toBe('Message 4');
    await page.keyboard.type(', corrected');
    await page.keyboard.press('Enter');
    await ada
      .row(written[4] ?? { id: '' })
      .getByText('Message 4, corrected')
      .waitFor();

    // Back where one came from: what is typed next is text, also after Escape, and no key of the row.
    const isWriting = () => page.waitForFunction(() => document.activeElement?.closest('form.composer') !== null);
    await isWriting();
    await page.keyboard.type('t');
    expect(await text.inputValue()).toBe('t');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('ArrowUp');
    await edited.waitFor();
    await edited.press('Escape');
    await isWriting();
    // Begun at the row, it leads back to the row.
    await ada.row(written[4] ?? { id: '' }).hover();
    await ada
      .row(written[4] ?? { id: '' })
      .getByRole('button', { name: 'More' })
      .click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await edited.press('Escape');
    await page.waitForFunction((id) => document.activeElement?.getAttribute('data-row') === id, written[4]?.id);
    expect(await page.locator('.toast').count()).toBe(0);
    await ada.leave();
  });

  test('one replies, makes to-dos and notes, and copies the link', async () => {
    await using team = await startTeamOfYesterday();
    const [first, second] = await fill(team, 2);
    const ada = await openTestSession(browser, team, { caller: team.ada });
    const { page, context } = ada;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.keyboard.press('k');
    await page.keyboard.press('t');
    await page.getByText('Made a to-do from the message.').waitFor();
    await page.keyboard.press('k');
    await page.keyboard.press('n');
    await page.getByText('Made a note from the message.').waitFor();
    // Taken back, and made anew; what somebody has changed meanwhile is not taken from him.
    await page.keyboard.press('z');
    await page.getByText('The note was taken back.').waitFor();
    const badge = ada.row(first ?? { id: '' }).locator('.conversion');
    await badge.waitFor({ state: 'detached' });
    expect((await team.notes()).items).toEqual([]);
    await page.keyboard.press('n');
    await badge.waitFor();
    const [made] = (await team.notes()).items;
    await team.bob.json('PATCH', `/notes/${made?.id}`, { title: 'Bob was here' });
    await badge.getByText('Bob was here').waitFor({ timeout: LIVE_MS });
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByText('Somebody has changed the note since.').waitFor();
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.row)).toBe(first?.id ?? '');
    expect((await team.show<Message>(second ?? { id: '' })).conversion?.kind).toBe('todo');
    expect((await team.show<Message>(first ?? { id: '' })).conversion?.kind).toBe('note');
    await page.keyboard.press('y');
    await page.getByText('Link copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${team.hub.url}/p/${first?.id}`);
    await page.keyboard.press('r');
    await ada.panel.getByRole('textbox').waitFor();
    await page.keyboard.type('By keys alone');
    await page.keyboard.press('Enter');
    await ada.panel.locator('.msg').getByText('By keys alone').waitFor();
    await ada.leave();
  });
});

describe('editing', () => {
  test('what was changed meanwhile is said, and nothing that one has written is lost', async () => {
    await using team = await startTeamOfYesterday();
    const written = await team.message(team.ada, 'First words');
    const admin = await signIn(team.hub, await createUser(team.hub, { role: 'admin', name: 'Root' }));
    await team.hub.admin.raw('POST', `/hubs/${team.hubId}/members`, { personId: admin.user.id });
    const ada = await openTestSession(browser, team, { caller: team.ada });
    await ada.row(written).hover();
    await ada.row(written).getByRole('button', { name: 'More' }).click();
    await ada.page.getByRole('menuitem', { name: 'Edit' }).click();
    const field = ada.page.getByRole('textbox', { name: 'Text of the message' });
    await field.fill('My own words');
    await admin.json('PATCH', `/messages/${written.id}`, { text: 'The words of another' });
    await ada.page.getByText('It was changed meanwhile.').waitFor({ timeout: LIVE_MS });
    expect(await field.inputValue()).toBe('My own words');
    await ada.page.getByText('The words of another').waitFor();

    // Left and come back to, it is still there.
    await field.press('Escape');
    await ada.row(written).getByText('The words of another').waitFor();
    await ada.row(written).hover();
    await ada.row(written).getByRole('button', { name: 'More' }).click();
    await ada.page.getByRole('menuitem', { name: 'Edit' }).click();
    expect(await field.inputValue()).toBe('My own words');
    await ada.page.getByRole('button', { name: 'Edit over it' }).click();
    await ada.page.getByRole('button', { name: 'Save' }).click();
    await ada.row(written).getByText('My own words').waitFor();
    expect((await team.show<Message>(written)).text).toBe('My own words');
    await ada.leave();
  });

  test('completes names, outlives a reload of the page, and says so when the message goes', async () => {
    await using team = await startTeamOfYesterday();
    const written = await team.message(team.ada, 'Ask');
    const admin = await signIn(team.hub, await createUser(team.hub, { role: 'admin', name: 'Root' }));
    await team.hub.admin.raw('POST', `/hubs/${team.hubId}/members`, { personId: admin.user.id });
    const ada = await openTestSession(browser, team, { caller: team.ada });
    const begin = async () => {
      await ada.row(written).hover();
      await ada.row(written).getByRole('button', { name: 'More' }).click();
      await ada.page.getByRole('menuitem', { name: 'Edit' }).click();
    };
    await begin();
    const field = ada.page.getByRole('textbox', { name: 'Text of the message' });
    await field.press('End');
    await ada.page.keyboard.type(' @bo');
    await ada.page.getByRole('option', { name: 'Bob Kahn' }).waitFor();
    await ada.page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe('Ask @Bob Kahn ');
    await ada.page.reload();
    await isShown(ada.page);
    await begin();
    expect(await field.inputValue()).toBe('Ask @Bob Kahn ');

    await admin.json('DELETE', `/messages/${written.id}`);
    await ada.row(written).waitFor({ state: 'detached', timeout: LIVE_MS });
    await ada.page.getByText('The message that you were editing was deleted.').waitFor();
    await ada.page.getByRole('button', { name: 'Copy what you wrote' }).waitFor();
    // Nothing is being edited any more: the conversation follows what comes.
    await fill(team, 25);
    await ada.page.getByText('Message 24').waitFor();
    await ada.page.waitForFunction(() => document.querySelector('.feed')?.scrollTop === 0);
    expect(await ada.page.locator('.jump').count()).toBe(0);
    expect(ada.problems).toEqual([]);
    await ada.context.close();
  });

  test('is for the author and for admins', async () => {
    await using team = await startTeamOfYesterday();
    const written = await team.message(team.ada, 'Mine');
    const bob = await openTestSession(browser, team, { caller: team.bob });
    await bob.row(written).hover();
    await bob.row(written).getByRole('button', { name: 'More' }).click();
    await bob.page.getByRole('menuitem', { name: 'Copy text' }).waitFor();
    expect(await bob.page.getByRole('menuitem', { name: 'Edit' }).count()).toBe(0);
    expect(await bob.page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0);
    await bob.leave();
  });
});
