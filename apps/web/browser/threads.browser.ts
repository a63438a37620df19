import { expect, test } from 'bun:test';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { startBackdatedTeam, teamSessions, topOf } from '@hub/testkit/browser/hub-test-sessions';

const { open, openHub, newHub, forgetProblems } = await teamSessions(startBackdatedTeam());

test('a thread shows a reply to the other member within a second, in the panel and under the message', async () => {
  const team = await newHub();
  const posted = await team.post('messages', { text: 'Checkout p95 is 612 ms' });
  const ada = await openHub(team.ada);
  const bob = await openHub(team.bob);
  const openThread = async () => {
    await ada.row(posted).hover();
    await ada
      .row(posted)
      .getByRole('button', { name: /^Reply in thread/ })
      .click();
  };
  // Assistive technology clicks a row itself, without a pointer, which selects it.
  await ada.row(posted).evaluate((row: HTMLElement) => row.click());
  const more = ada.row(posted).getByRole('button', { name: 'More', expanded: false });
  expect(await more.getAttribute('aria-haspopup')).toBe('menu');
  const historyLength = () => ada.page.evaluate(() => history.length);
  await openThread();
  // Only the row under the pointer has tools, and none of them is in its name.
  await ada.page
    .getByRole('article', { name: /^ci \(bot\), \d\d:\d\d, message$/ })
    .first()
    .waitFor();
  await ada.row(posted).hover();
  await ada.row(posted).locator('.tools').waitFor();
  expect(await ada.page.locator('.main .tools').count()).toBe(1);
  await bob.row(posted).waitFor();
  expect(await bob.page.locator('.tools').count()).toBe(0);
  const before = await historyLength();
  // Opening the same thread again adds no history entry.
  await openThread();
  expect(await historyLength()).toBe(before);
  await ada.panel.getByRole('textbox', { name: 'Reply in thread' }).fill('On it');
  await ada.page.keyboard.press('Enter');
  await bob
    .row(posted)
    .getByRole('link', { name: /1 reply/ })
    .click();
  await bob.panel.locator('.msg').getByText('On it').waitFor();

  await team.reply(team.ada, posted, 'And the second');
  for (const testSession of [ada, bob]) {
    await testSession.panel.locator('.msg').getByText('And the second').waitFor();
    await testSession.panel.getByText('2 replies').waitFor();
    await testSession
      .row(posted)
      .getByRole('link', { name: /2 replies/ })
      .waitFor();
  }
  // Bob has not written in it, but follows it now; Ada mutes it.
  const forYou = bob.page.locator('.side').getByRole('link', { name: /^For you/ });
  expect(await forYou.textContent()).toBe('For you');
  await bob.panel.getByRole('button', { name: 'Follow thread' }).click();
  await bob.panel.getByRole('button', { name: 'Mute thread' }).waitFor();
  await ada.panel.getByRole('button', { name: 'Mute thread' }).click();
  await ada.panel.getByRole('button', { name: 'Follow thread' }).waitFor();
  await bob.page.keyboard.press('Escape');
  await bob.page.keyboard.press('Escape');
  await team.reply(team.ada, posted, 'Bob gets this');
  await bob.page.locator('.side').getByRole('link', { name: 'For you 1 unread' }).waitFor();
  // A reply appears only in its thread.
  expect(await ada.page.locator('.main .feed .msg').count()).toBe(1);

  await expectAccessible(ada.page);
});

test('a thread opens at the reply in the URL, no matter how far up it is, stays after its message is deleted, and ends with its last reply; an unsent reply is kept', async () => {
  const team = await newHub();
  const posted = await team.message(team.bob, 'What do you think?');
  const replies = [];
  for (let n = 0; n < 60; n += 1) replies.push(await team.reply(team.bob, posted, `Reply ${n}`));
  const ada = await openHub(team.ada, { at: `?at=${replies[5]?.id}` });
  const fifth = ada.panel.locator('.msg.is-current', { hasText: 'Reply 5' });
  await fifth.waitFor();
  await ada.panel.locator('.feed:not(.is-unplaced)').waitFor();
  expect(await topOf(fifth)).toBeWithin(40, 400);
  await ada.page.locator('.panel').getByRole('button', { name: 'Close' }).click();
  expect(new URL(ada.page.url()).searchParams.has('reply')).toBe(false);

  const written = await team.message(team.bob, 'Soon gone');
  const reply = await team.reply(team.ada, written, 'Still here');
  await ada.page.goto(`/hubs/${team.hubId}?open=${written.id}`);
  await ada.panel.getByText('Still here').waitFor();
  await team.bob.json('DELETE', `/messages/${written.id}`);
  await ada.panel.getByText('This message was deleted.').waitFor();
  await ada.row(written).getByText('This message was deleted.').waitFor();
  await ada.panel.getByText('Still here').waitFor();
  await ada.panel.getByRole('textbox', { name: 'Reply in thread' }).fill('A long answer');
  await team.ada.json('DELETE', `/messages/${reply.id}`);
  await ada.row(written).waitFor({ state: 'detached' });
  await ada.panel.getByText('This message was deleted, or you’re not a member of its Hub.').waitFor();
  expect(await ada.panel.getByRole('textbox').count()).toBe(0);
  await ada.panel.getByText('A long answer').waitFor();
  await ada.panel.getByRole('button', { name: 'Copy your text' }).waitFor();
  forgetProblems(ada.page);
});

test('a note and a to-do have a thread in their panel, counted on their card and row, that opens at its item or at the reply in the URL', async () => {
  const team = await newHub();
  const content = Array.from({ length: 80 }, (_, n) => `Paragraph ${n}`).join('\n\n');
  const note = await team.note(team.bob, { title: 'Restoring', content });
  const todo = await team.todo(team.bob, { title: 'Renew the certificate' });
  for (let n = 0; n < 3; n += 1) await team.reply(team.bob, note, `Reply ${n}`);
  const page = await open(team.ada, `/hubs/${team.hubId}/notes?open=${note.id}`);
  const panel = page.locator('.panel');
  await panel.locator('.feed:not(.is-unplaced)').waitFor();
  expect(await topOf(panel.getByRole('heading', { name: 'Restoring' }))).toBeWithin(0, 200);
  await page.keyboard.press('r');
  await panel.locator('textarea:focus').fill('It worked');
  await page.keyboard.press('Enter');
  await panel.locator('.msg', { hasText: 'It worked' }).waitFor();
  await page.locator('.note', { hasText: 'Restoring' }).getByText('4 replies').waitFor();
  // The controls of the item come before its replies, which are one stop with them.
  await page.keyboard.press('Escape');
  await panel.locator('.msg.is-current:focus', { hasText: 'It worked' }).waitFor();
  await expectAccessible(page);

  const bob = await open(team.bob, '/stream');
  const entry = (text: string) => bob.locator('.entry', { hasText: text });
  await entry('It worked')
    .getByRole('link', { name: /In reply to.*Restoring/ })
    .waitFor();
  await entry('Restoring')
    .getByRole('link', { name: /4 replies/ })
    .waitFor();
  await entry('It worked').locator('.time').click();
  await bob.locator('.panel').locator('.msg.is-current', { hasText: 'It worked' }).waitFor();
  expect(new URL(bob.url()).pathname).toEndWith('/notes');

  await page.goto(`/hubs/${team.hubId}/todos?open=${todo.id}`);
  await panel.getByRole('textbox', { name: 'Reply in thread' }).fill('By Friday?');
  await page.keyboard.press('Enter');
  await page.locator('.todo', { hasText: 'Renew' }).getByText('1 reply').waitFor();
  await bob.goto('/stream');
  await bob.locator(`[data-row="${todo.id}"]`).focus();
  await bob.keyboard.press('r');
  await bob.locator('.panel').locator('textarea:focus').fill('Yes');
  await bob.keyboard.press('Enter');
  await panel.locator('.msg', { hasText: 'Yes' }).waitFor();
  await expectAccessible(page);
});
