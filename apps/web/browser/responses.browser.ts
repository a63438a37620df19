import { expect, test } from 'bun:test';
import type { Message } from '@hub/contract';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { type HubTestSession, startBackdatedTeam, teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { enter, eventually, focused, holdBack, press, seen, show, topOf } from '@hub/testkit/browser/steps';
import { tokenOf } from '@hub/testkit/in-process/users';

const { open, openHub, newHub, forgetProblems } = await teamSessions(startBackdatedTeam());

test('a thread shows a reply to the other member within a second, in the panel and under the message', async () => {
  const team = await newHub();
  const posted = await team.post('messages', { text: 'Checkout p95 is 612 ms' });
  const ada = await openHub(team.ada);
  const bob = await openHub(team.bob);
  await ada.row(posted).hover();
  await ada.row(posted).getByRole('button', { name: 'Reply in thread' }).click();
  await enter(ada.panel.getByRole('textbox', { name: 'Reply in thread' }), 'On it');
  await bob.row(posted).getByRole('link', { name: '1 reply' }).click();
  await bob.panel.locator('.msg').getByText('On it').waitFor();

  await team.reply(team.ada, posted, 'And the second');
  for (const testSession of [ada, bob]) {
    await seen(testSession.panel.locator('.msg').getByText('And the second'), testSession.panel.getByText('2 replies'));
    await testSession.row(posted).getByRole('link', { name: '2 replies' }).waitFor();
  }
  // Bob has not written in it, but follows it now; Ada mutes it.
  const forYou = bob.page.locator('.side').getByRole('link', { name: /^For you/ });
  expect(await forYou.textContent()).toBe('For you');
  await bob.panel.getByRole('button', { name: 'Follow thread' }).click();
  await bob.panel.getByRole('button', { name: 'Mute thread' }).waitFor();
  await ada.panel.getByRole('button', { name: 'Mute thread' }).click();
  await ada.panel.getByRole('button', { name: 'Follow thread' }).waitFor();
  await press(bob.page, 'Escape', 'Escape');
  await team.reply(team.ada, posted, 'Bob gets this');
  await bob.page.locator('.side').getByRole('link', { name: 'For you 1 unread' }).waitFor();
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
  await seen(fifth, ada.panel.locator('.feed:not(.is-unplaced)'));
  expect(await topOf(fifth)).toBeWithin(40, 400);
  await ada.page.locator('.panel').getByRole('button', { name: 'Close' }).click();
  expect(new URL(ada.page.url()).searchParams.has('reply')).toBe(false);

  const written = await team.message(team.bob, 'Soon gone');
  const reply = await team.reply(team.ada, written, 'Still here');
  await show(ada.page, `/hubs/${team.hubId}?open=${written.id}`, ada.panel.getByText('Still here'));
  await team.bob.json('DELETE', `/messages/${written.id}`);
  await seen(ada.panel.getByText('This message was deleted.'), ada.row(written).getByText('This message was deleted.'));
  await ada.panel.getByText('Still here').waitFor();
  await ada.panel.getByRole('textbox', { name: 'Reply in thread' }).fill('A long answer');
  await team.ada.json('DELETE', `/messages/${reply.id}`);
  await ada.row(written).waitFor({ state: 'detached' });
  await ada.panel.getByText('This message was deleted, or you’re not a member of its Hub.').waitFor();
  expect(await ada.panel.getByRole('textbox').count()).toBe(0);
  await seen(ada.panel.getByText('A long answer'), ada.panel.getByRole('button', { name: 'Copy your text' }));
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
  await enter(panel.locator('textarea:focus'), 'It worked');
  await panel.locator('.msg', { hasText: 'It worked' }).waitFor();
  await page.locator('.note', { hasText: 'Restoring' }).getByText('4 replies').waitFor();
  await expectAccessible(page);

  const entry = (text: string) => page.locator('.entry', { hasText: text });
  await show(page, '/stream', '.entry');
  await entry('It worked')
    .getByRole('link', { name: /In reply to.*Restoring/ })
    .waitFor();
  await entry('Restoring').getByRole('link', { name: '4 replies' }).waitFor();
  await entry('It worked').locator('.time').click();
  await panel.locator('.msg.is-current', { hasText: 'It worked' }).waitFor();
  expect(new URL(page.url()).pathname).toEndWith('/notes');

  await show(page, `/hubs/${team.hubId}/todos?open=${todo.id}`, '.todo');
  await enter(panel.getByRole('textbox', { name: 'Reply in thread' }), 'By Friday?');
  await page.locator('.todo', { hasText: 'Renew' }).getByText('1 reply').waitFor();
});

async function openPicker({ row }: HubTestSession, message: { id: string }): Promise<void> {
  await row(message).hover();
  await row(message).getByRole('button', { name: 'React' }).click();
}

test('a reaction appears before the server responds, is removed with an error message if that fails, and otherwise the last press wins; the picker gets what is typed while it loads, offers only emoji that the server accepts, remembers the skin tone, and asks no other server', async () => {
  const team = await newHub();
  const posted = await team.post('messages', { text: 'Released' });
  await team.bob.json('PUT', `/messages/${posted.id}/reactions/${encodeURIComponent('👀')}`);
  const ada = await openHub(team.ada);
  const response = Promise.withResolvers<void>();
  await ada.page.route('**/reactions/**', async (route) => {
    await response.promise;
    await route.fulfill({
      status: 503,
      contentType: 'application/json',
      body: '{"statusCode":503,"message":"The disk is full."}',
    });
  });
  await ada.row(posted).getByRole('button', { name: /^👀/ }).click();
  await ada.row(posted).getByRole('button', { name: '👀, 2: Bob Kahn and you' }).waitFor();
  response.resolve();
  await ada.page.getByText('Couldn’t add your 👀. The disk is full.').waitFor();
  await ada.row(posted).getByRole('button', { name: '👀, 1: Bob Kahn' }).waitFor();
  forgetProblems(ada.page);
  await ada.page.unroute('**/reactions/**');
  const chip = ada.row(posted).getByRole('button', { name: /^👀/ });
  const asked: string[] = [];
  ada.page.on('request', (request) => {
    if (request.url().includes('/reactions/')) asked.push(request.method());
  });
  for (let press = 0; press < 3; press += 1) await chip.click();
  await ada.row(posted).getByRole('button', { name: '👀, 2: Bob Kahn and you' }).waitFor();
  await ada.page.waitForFunction(() => document.querySelector('.chip[aria-pressed="true"]') !== null);
  const { id: adaId } = team.ada.user;
  await eventually(async () => (await team.show(posted)).reactions[0]?.userIds.includes(adaId) === true);
  expect(asked.at(-1)).toBe('PUT');

  const { page } = ada;
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(team.hub.url)) foreign.push(request.url());
  });
  await ada.row(posted).hover();
  await ada.row(posted).getByRole('button', { name: 'React' }).waitFor();
  const typed = await holdBack(page, '**/app/chunk-*.js');
  await openPicker(ada, posted);
  // No letter of it is a shortcut.
  await page.keyboard.type('tada');
  typed();
  const field = page.getByRole('searchbox', { name: 'Search emoji' });
  await page.waitForFunction(() => document.activeElement?.matches('input[type=search]'));
  expect([await field.inputValue(), (await team.show<Message>(posted)).conversion]).toEqual(['tada', null]);

  await field.fill('');
  await page.getByRole('gridcell', { name: 'flag: Wales' }).waitFor();
  const spellings = [...new Set(await page.getByRole('gridcell').allTextContents())];
  expect(spellings.length).toBeGreaterThan(1_800);
  expect(spellings.filter((text) => !/^\p{RGI_Emoji}$/v.test(text))).toEqual([]);
  // Every 40th, to keep the test fast.
  for (const emoji of spellings.filter((_, n) => n % 40 === 0)) {
    const response = await team.bob.json('PUT', `/messages/${posted.id}/reactions/${encodeURIComponent(emoji)}`);
    expect([emoji, response.status]).toEqual([emoji, 200]);
  }

  await page.getByRole('button', { name: /^Skin tone: No skin tone/ }).click();
  await field.fill('thumbs up');
  await page.getByRole('gridcell', { name: 'thumbs up' }).click();
  await ada.row(posted).getByRole('button', { name: '👍🏻, 1' }).waitFor();
  await openPicker(ada, posted);
  await page.getByRole('button', { name: /^Skin tone: Light/ }).waitFor();
  expect(foreign).toEqual([]);

  await field.fill('rocket');
  await page.getByRole('gridcell', { name: 'grinning face', exact: true }).waitFor({ state: 'detached' });
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await page.locator('[role="gridcell"]:focus').waitFor();
  await press(page, 'ArrowUp', 'Escape');
  await field.waitFor({ state: 'detached' });
});

/** The clock of the server is three days behind that of the browsers. */
const IN_HALF_AN_HOUR = 3 * 86_400 + 1_800;

test('a question shows its choices, its deadline and its answer in the Hub, the Stream and the thread; a press that comes too late says who was faster', async () => {
  const team = await newHub();
  const program = await tokenOf(team.hub, team.bob.user);
  const ask = (text: string, question: object) =>
    program.call<Message>('POST', `/hubs/${team.hubId}/messages`, {
      text,
      question: { expiresInSeconds: IN_HALF_AN_HOUR, ...question },
    });
  const deploy = await ask('Deploy **4.17.3** to production?', {
    choices: ['yes', 'no'],
    answerBy: [team.ada.user.id],
  });
  const which = await ask('Which version?', {});
  const forAdmins = await ask('Delete the old database?', {
    choices: ['Keep it for another week, until the migration is verified', 'Delete it now'],
    answerBy: ['admin'],
  });
  const ada = await openHub(team.ada);
  const card = (message: Message) => ada.row(message).getByRole('group', { name: 'Question' });
  await card(deploy)
    .getByText(/^Answer by (Tomorrow, )?\d\d:\d\d$/)
    .waitFor();
  await seen(card(deploy).getByText('Only you can answer.'), card(which).getByText('Reply to answer, by'));
  await card(forAdmins).getByText('Only admins can answer.').waitFor();
  expect(await card(forAdmins).getByRole('button', { name: 'Delete it now' }).isDisabled()).toBe(true);
  await expectAccessible(ada.page);
  await card(deploy).getByRole('button', { name: 'yes' }).focus();
  await press(ada.page, 'Tab', 'Enter');
  await card(deploy).getByText('no, Ada Lovelace, ').waitFor();
  expect([await focused(ada.page), (await team.show(deploy)).question?.answer?.choice]).toEqual(['Question', 'no']);
  // Another member's reply appears at once, and so does an expiry.
  await team.reply(team.ada, which, '4.17.3');
  await card(which).getByText('Answered in the thread, Ada Lovelace, ').waitFor();
  team.hub.clock.advance(IN_HALF_AN_HOUR * 1_000);
  await team.hub.expireQuestions();
  await card(forAdmins).getByText('Expired without an answer, ').waitFor();
  expect(await card(forAdmins).getByRole('button').count()).toBe(0);
  await card(which).getByRole('link', { name: 'Answered in the thread' }).click();
  await seen(ada.panel.getByText('4.17.3'), ada.panel.getByRole('group', { name: 'Question' }));

  const lost = await ask('Deploy?', { choices: ['yes', 'no'] });
  await ada.page.route('**/answer', async (route) => {
    await team.bob.json('PUT', `/messages/${lost.id}/answer`, { choice: 'no' });
    await route.continue();
  });
  await card(lost).getByRole('button', { name: 'yes' }).click();
  await ada.page.getByText(/^Your answer doesn’t count\. Bob Kahn answered “no” just now\./).waitFor();
  await ada.row(lost).getByText('no, Bob Kahn, ').waitFor();
  forgetProblems(ada.page);
  const won = await ask('Deploy?', { choices: ['yes', 'no'] });
  const entry = ada.page.locator(`.entry[data-item="${won.id}"]`);
  await show(ada.page, '/stream', entry);
  await entry.getByRole('button', { name: 'yes' }).click();
  await entry.getByText(/^yes, Ada Lovelace, /).waitFor();
});
