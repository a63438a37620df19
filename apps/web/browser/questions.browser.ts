import { expect, test } from 'bun:test';
import type { Message } from '@hub/contract';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { PHONE } from '@hub/testkit/browser/browser';
import { focused, startBackdatedTeam, teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { expireQuestionsOf } from '@hub/testkit/in-process/test-hub';
import { tokenOf } from '@hub/testkit/in-process/users';

const { openHub, open, newHub, forgetProblems } = await teamSessions(startBackdatedTeam());
/** The clock of the server is three days behind that of the browsers. */
const IN_HALF_AN_HOUR = 3 * 86_400 + 1_800;

test('a question shows its choices, its deadline and its answer in the Hub, the Stream and the thread, also on a phone', async () => {
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
  await card(deploy).getByText('Only you can answer.').waitFor();
  await card(which)
    .getByText(/^Reply to answer, by/)
    .waitFor();
  await card(forAdmins).getByText('Only admins can answer.').waitFor();
  expect(await card(forAdmins).getByRole('button', { name: 'Delete it now' }).isDisabled()).toBe(true);
  await expectAccessible(ada.page);
  // By keyboard alone. The focus stays at the question.
  await card(deploy).getByRole('button', { name: 'yes' }).focus();
  await ada.page.keyboard.press('Tab');
  await ada.page.keyboard.press('Enter');
  await card(deploy)
    .getByText(/^no, Ada Lovelace, /)
    .waitFor();
  expect(await focused(ada.page)).toBe('Question');
  expect((await team.show(deploy)).question?.answer?.choice).toBe('no');
  // Another member's reply appears at once, and so does an expiry.
  await team.reply(team.ada, which, '4.17.3');
  await card(which)
    .getByText(/^Answered in the thread, Ada Lovelace, /)
    .waitFor();
  team.hub.clock.advance(IN_HALF_AN_HOUR * 1_000);
  await expireQuestionsOf(team.hub);
  await card(forAdmins)
    .getByText(/^Expired without an answer, /)
    .waitFor();
  expect(await card(forAdmins).getByRole('button').count()).toBe(0);
  await card(which).getByRole('link', { name: 'Answered in the thread' }).click();
  await ada.panel.getByText('4.17.3').waitFor();
  await ada.panel.getByRole('group', { name: 'Question' }).waitFor();
  await expectAccessible(ada.page);
});

test('a press that comes too late says who was faster, and an answer works with the thumb in the Stream', async () => {
  const team = await newHub();
  const question = { choices: ['yes', 'no'], expiresInSeconds: IN_HALF_AN_HOUR };
  const ask = () => team.ada.call<Message>('POST', `/hubs/${team.hubId}/messages`, { text: 'Deploy?', question });
  const lost = await ask();
  const ada = await openHub(team.ada);
  const yes = ada.row(lost).getByRole('button', { name: 'yes' });
  await ada.page.route('**/answer', async (route) => {
    await team.bob.json('PUT', `/messages/${lost.id}/answer`, { choice: 'no' });
    await route.continue();
  });
  await yes.click();
  await ada.page.getByText(/^Your answer doesn’t count\. Bob Kahn answered “no” just now\./).waitFor();
  await ada
    .row(lost)
    .getByText(/^no, Bob Kahn, /)
    .waitFor();
  forgetProblems(ada.page);
  const won = await ask();
  const page = await open(team.ada, '/stream', { look: PHONE });
  const entry = page.locator(`[data-row="${won.id}"]`);
  await entry.getByRole('button', { name: 'yes' }).waitFor();
  const box = await entry.getByRole('button', { name: 'yes' }).boundingBox();
  expect(Math.min(box?.height ?? 0, box?.width ?? 0)).toBeGreaterThanOrEqual(44);
  await expectAccessible(page);
  await entry.getByRole('button', { name: 'yes' }).tap();
  await entry.getByText(/^yes, Ada Lovelace, /).waitFor();
});
