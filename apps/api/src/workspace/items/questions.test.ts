import { expect, test } from 'bun:test';
import type { Message } from '@hub/contract';
import { shared } from '@hub/testkit/in-process/shared';
import { startTeam, type Team, teamIn, teamOn } from '@hub/testkit/in-process/team';
import { createDatabase } from '@hub/testkit/in-process/test-databases';
import { onlyOnPostgres, post, startTestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';

const base = shared(startTeam);
const MINUTE_MS = 60_000;
const yesNo = { choices: ['yes', 'no'], expiresInSeconds: 60 };

/** Returns a Hub of its own with the same users, and what asks and answers in it. */
async function newTeam() {
  const team = await teamIn(base.hub, base);
  const ask = (question: object = yesNo, caller = team.ada) =>
    caller.call<Message>('POST', `/hubs/${team.hubId}/messages`, { text: 'Deploy?', question });
  return { ...team, ask };
}

const answer = (caller: UserCaller, { id }: Message, choice: string) =>
  caller.outcome('PUT', `/messages/${id}/answer`, { choice });
const expire = () => base.hub.expireQuestions();
const refused = (team: Team, question: object, text = 'Deploy?') =>
  team.ada.outcome('POST', `/hubs/${team.hubId}/messages`, { text, question });

test('a question is answered by the first choice, and shows who answered what and when', async () => {
  const team = await newTeam();
  const question = await team.ask();
  const asked = { choices: ['yes', 'no'], answerBy: null, expiresAt: expect.any(String) };
  expect(question.question).toEqual({ ...asked, state: 'open', answer: null });
  const seq = await team.seq();
  base.hub.clock.advance(1_000);
  expect(await answer(team.bob, question, 'yes')).toStartWith('200');
  base.hub.clock.advance(2_000);
  const at = new Date(base.hub.clock.now() - 2_000).toISOString();
  const by = { id: team.bob.user.id, name: 'Bob Kahn' };
  const shown = { ...asked, state: 'answered', answer: { choice: 'yes', replyId: null, by, at } };
  expect((await team.show(question)).question).toEqual(shown as never);
  // The same answer can be sent again; any other finds out who was first.
  expect(await answer(team.bob, question, ' yes ')).toStartWith('200');
  const late = '409 Bob Kahn answered “yes” 2 seconds ago.';
  expect([await answer(team.bob, question, 'no'), await answer(team.ada, question, 'yes')]).toEqual([late, late]);
  expect(await team.events(seq)).toEqual(['message.changed']);
  // Its text stays what was answered, and a reply is only a reply.
  const edit = { text: 'Delete everything?' };
  expect(await team.ada.outcome('PATCH', `/messages/${question.id}`, edit)).toStartWith('409');
  await team.reply(team.bob, question, 'no');
  expect((await team.show(question)).question).toEqual(shown as never);
});

test('a question without choices is answered by the first reply of a member who may answer', async () => {
  const team = await newTeam();
  const carol = await memberOf(base.hub, team.hubId, { name: 'Carol Shaw' });
  const asToken = await tokenOf(base.hub, team.ada.user);
  const question = await team.ask({ answerBy: [carol.user.id], expiresInSeconds: 60 }, asToken);
  expect(await answer(carol, question, 'yes')).toBe('409 This question has no choices: reply to it to answer.');
  await team.reply(team.bob, question, 'I may not answer');
  expect((await team.show(question)).question?.state).toBe('open');
  const first = await team.reply(carol, question, 'at noon');
  await team.reply(carol, question, 'or later');
  const shown = (await team.show(question)).question;
  expect(shown?.answer).toMatchObject({ choice: null, replyId: first.id, by: { name: 'Carol Shaw' } });
  await carol.json('DELETE', `/messages/${first.id}`);
  expect((await team.show(question)).question).toEqual(shown as never);
});

test('a question is answered only by those whom it names, and never by a token of the user who asked', async () => {
  const team = await newTeam();
  const admin = await memberOf(base.hub, team.hubId, { name: 'Grace Hopper', role: 'admin' });
  const outsider = await memberOf(base.hub, (await base.hub.admin.createHub()).id);
  const question = await team.ask({ ...yesNo, answerBy: ['admin', team.ada.user.id] });
  // Those who are named are notified as by a mention, but for the user who asks.
  expect(question.mentions).toEqual([admin.user.id, team.ada.user.id].sort());
  expect(await answer(team.bob, question, 'yes')).toBe('403 Only admins and Ada Lovelace can answer this question.');
  expect(await answer(outsider, question, 'yes')).toStartWith('404');
  const asToken = await tokenOf(base.hub, team.ada.user);
  expect(await answer(asToken, question, 'yes')).toStartWith('403 A token of the user who asked cannot answer.');
  expect((await base.hub.admin.raw('PUT', `/messages/${question.id}/answer`, { choice: 'yes' })).status).toBe(403);
  expect(await answer(admin, question, 'maybe')).toBe('400 choice must be one of yes, no');
  expect(await answer(admin, question, 'no')).toStartWith('200');
  const open = await team.ask({ expiresInSeconds: 60 }, asToken);
  await team.reply(asToken, open, 'progress');
  expect((await team.show(open)).question?.state).toBe('open');
  await team.reply(team.ada, open, 'my answer');
  expect((await team.show(open)).question?.state).toBe('answered');
});

test('a question says what is wrong with it, and cannot be asked with a key or in a reply', async () => {
  const team = await newTeam();
  const soon = { expiresInSeconds: 60 };
  for (const [question, message] of [
    [{ ...soon, choices: ['yes'] }, 'question.choices must have 2 to 10 labels'],
    ...['yes', ' yes', 'YES', 'уes', 'y\u200des'].map(
      (twin) => [{ ...soon, choices: ['yes', twin] }, 'question.choices'] as const,
    ),
    [{ ...soon, choices: ['HOLD', 'НOLD'] }, 'question.choices'],
    [{ ...soon, choices: Array.from({ length: 11 }, String) }, 'question.choices has 11 elements; at most 10'],
    [{ ...soon, choices: ['yes', 'n\no'] }, 'question.choices[1] cannot contain control characters'],
    [{ ...soon, choices: ['yes', 'x'.repeat(81)] }, 'question.choices[1] has 81 characters; at most 80'],
    [{ ...soon, choises: ['yes', 'no'] }, 'choises is not a field of question; did you mean choices?'],
    [
      { ...soon, answerBy: ['admin', '@all'] },
      'question.answerBy must have IDs of active members of this Hub, "admin"',
    ],
    [{ ...soon, answerBy: [] }, 'question.answerBy must have IDs of active members'],
    [{ ...soon, expiresAt: '2030-01-01T00:00:00Z' }, 'A question requires either expiresAt or expiresInSeconds'],
    [{ choices: ['yes', 'no'] }, 'A question requires either expiresAt or expiresInSeconds'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'question.expiresAt must be in the future'],
    [{ expiresAt: '2030-01-01T00:00:00Z' }, 'question.expiresAt must be in the future, at most 30 days'],
    [{ expiresInSeconds: 31 * 86_400 }, 'question.expiresInSeconds must be a whole number'],
    ['yes', 'question must be an object'],
  ] as const)
    expect(await refused(team, question as object)).toStartWith(`400 ${message}`);
  expect(await refused(team, yesNo, ' ')).toStartWith('400 ');
  const plain = await team.message(team.ada, 'plain');
  expect(plain).not.toHaveProperty('question');
  expect(await answer(team.bob, plain, 'yes')).toBe('409 This message is not a question.');
  const asked = { text: 'x', question: yesNo };
  const inThread = await team.bob.outcome('POST', `/items/${plain.id}/replies`, asked);
  expect(inThread).toStartWith('400 question is not a field of a reply');
  expect((await post(base.hub, 'messages', team.key, asked)).status).toBe(400);
});

test('a question expires by the clock of the server, and then cannot be answered', async () => {
  const team = await newTeam();
  const question = await team.ask();
  base.hub.clock.advance(MINUTE_MS - 1);
  await expire();
  expect((await team.show(question)).question?.state).toBe('open');
  base.hub.clock.advance(1);
  // Also before it is closed.
  expect(await answer(team.bob, question, 'yes')).toBe('409 This question expired just now.');
  const seq = await team.seq();
  await expire();
  await expire();
  expect(await team.events(seq)).toEqual(['message.changed']);
  expect((await team.show(question)).question).toMatchObject({ state: 'expired', answer: null });
  expect(await answer(team.bob, question, 'yes')).toStartWith('409 This question expired');
});

test('a question has one answer, whichever of twenty members is first, and never one and an expiry', async () => {
  const team = await newTeam();
  const question = await team.ask();
  const seq = await team.seq();
  const answers = Array.from({ length: 20 }, (_, n) => ({
    by: n % 2 === 0 ? team.ada : team.bob,
    choice: n % 3 === 0 ? 'yes' : 'no',
  }));
  const outcomes = await Promise.all(answers.map(({ by, choice }) => answer(by, question, choice)));
  const { answer: winner } = (await team.show(question)).question ?? {};
  const isWinner = answers.map(({ by, choice }) => winner?.by.id === by.user.id && winner.choice === choice);
  expect(outcomes.map((outcome) => outcome.startsWith('200'))).toEqual(isWinner);
  expect(await team.events(seq)).toEqual(['message.changed']);
  for (let round = 0; round < 10; round += 1) {
    const raced = await team.ask();
    const from = await team.seq();
    const racing = answer(team.bob, raced, 'yes');
    base.hub.clock.advance(MINUTE_MS);
    const [outcome] = await Promise.all([racing, expire(), expire()]);
    await expire();
    expect((await team.show(raced)).question?.state).toBe(outcome.startsWith('200') ? 'answered' : 'expired');
    expect(await team.events(from)).toEqual(['message.changed']);
  }
});

test('a question keeps its answer when it is deleted and restored, and expires without an event while it is deleted', async () => {
  const team = await newTeam();
  const question = await team.ask();
  await answer(team.bob, question, 'no');
  const shown = await team.show(question);
  await team.ada.json('DELETE', `/messages/${question.id}`);
  expect(await answer(team.bob, question, 'no')).toBe(`404 The message ${question.id} was deleted.`);
  await team.ada.json('POST', `/items/${question.id}/restoration`);
  expect((await team.show(question)).question).toEqual(shown.question);
  const gone = await team.ask();
  await team.ada.json('DELETE', `/messages/${gone.id}`);
  const seq = await team.seq();
  base.hub.clock.advance(MINUTE_MS);
  await expire();
  expect(await team.events(seq)).toEqual([]);
  await team.ask();
  await base.hub.admin.raw('PATCH', `/hubs/${team.hubId}`, { retentionDays: 1 });
  base.hub.clock.advance(3 * 24 * 60 * MINUTE_MS);
  await base.hub.prune();
  expect(await base.hub.query('SELECT item_id FROM open_questions WHERE item_id = $1', gone.id)).toEqual([]);
});

onlyOnPostgres.test('a question has one end, whichever node its answers and its expiry come to', async () => {
  const databaseUrl = await createDatabase();
  await using hub = await startTestHub({ databaseUrl });
  await using other = await startTestHub({ databaseUrl, clock: hub.clock });
  const { ada, bob, hubId, show, seq, events } = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
  const elsewhere = await tokenOf(other, bob.user);
  for (let round = 0; round < 10; round += 1) {
    const body = { text: 'Deploy?', question: yesNo };
    const question = await ada.call<Message>('POST', `/hubs/${hubId}/messages`, body);
    const from = await seq();
    if (round % 2 === 1) hub.clock.advance(MINUTE_MS - 1);
    const answering = Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0 ? answer(ada, question, 'yes') : answer(elsewhere, question, 'no'),
    );
    if (round % 2 === 1) hub.clock.advance(1);
    const ending = [hub, other].map((node) => node.expireQuestions());
    const [outcomes] = await Promise.all([Promise.all(answering), ...ending]);
    await hub.expireQuestions();
    const { state, answer: winner } = (await show(question)).question ?? {};
    expect(await events(from)).toEqual(['message.changed']);
    const isBy = (n: number) => winner?.by.id === (n % 2 === 0 ? ada : bob).user.id;
    expect(outcomes.map((outcome) => outcome.startsWith('200'))).toEqual(outcomes.map((_, n) => isBy(n)));
    expect(state).toBe(winner ? 'answered' : 'expired');
  }
});
