import { expect, test } from 'bun:test';
import { Changes } from '@hub/testkit/concurrency';
import { shared } from '@hub/testkit/in-process/shared';
import { startTeam } from '@hub/testkit/in-process/team';
import { newTokenOf } from '@hub/testkit/in-process/users';
import { errorOf, type RunOptions, runHubctl } from '../../../test/run-hubctl.ts';

const on = shared(async () => {
  const team = await startTeam();
  return { ...team, token: await newTokenOf(team.hub, team.ada.user) };
});

const run = (argv: string[], options: RunOptions = {}) =>
  runHubctl(['ask', ...argv], { ...options, env: { HUB_TOKEN: on.token, HUB_URL: on.hub.url, ...options.env } });

/** Starts `hubctl ask`, and resolves once the ID of the question is printed. */
async function start(argv: string[], options: RunOptions = {}) {
  const changes = new Changes();
  let stderr = '';
  const ended = run(argv, {
    ...options,
    onWrite: (name, text) => {
      if (name === 'stderr') stderr += text;
      changes.happened();
    },
  });
  const idOf = () => /msg_\w{26}/.exec(stderr)?.[0];
  await Promise.race([changes.until(() => idOf() !== undefined), ended]);
  const id = idOf() ?? '';
  const answer = (choice: string) => on.bob.json('PUT', `/messages/${id}/answer`, { choice });
  return { id, ended, answer };
}

const question = () => ['Deploy?', '--hub', on.hubId, '--choices', 'yes,no', '--deny', 'no'];

test('prints the choice on standard output, and exits with 0, or 1 for the choice of --deny', async () => {
  for (const [code, choice] of ['yes', 'no'].entries()) {
    const { ended, answer, id } = await start(question());
    await answer(choice);
    const stderr = expect.stringContaining('Answered by Bob Kahn.');
    expect(await ended).toMatchObject({ code, stdout: `${choice}\n`, stderr });
    // Started again, it finds the same answer.
    const resumed = await run(['--resume', id, '--deny', 'no', '--json']);
    const by = { id: on.bob.user.id, name: 'Bob Kahn' };
    expect(resumed).toMatchObject({ code, stderr: '' });
    expect(resumed.json()).toMatchObject({ state: 'answered', id, choice, text: choice, replyId: null, by });
  }
});

test('prints the first reply if there are no choices, without its terminal escapes', async () => {
  const { ended, id } = await start(['Which version?', '--hub', on.hubId]);
  await on.reply(on.bob, { id }, '4.17.3\n\u001b[31mor later');
  expect(await ended).toMatchObject({ code: 0, stdout: '4.17.3\nor later\n' });
});

test('exits with 6 once the question has expired', async () => {
  const { ended, id } = await start([...question(), '--timeout', '90s', '--json']);
  on.hub.clock.advance(90_000);
  await on.hub.expireQuestions();
  const ran = await ended;
  expect(ran.code).toBe(6);
  expect(ran.json()).toEqual({ state: 'expired', id });
});

test('leaves the question open if it is interrupted, and says how to wait again', async () => {
  const stop = new AbortController();
  const { ended, id, answer } = await start(question(), { stop: stop.signal });
  stop.abort();
  const again = `The question stays open. To wait again:\n  hubctl ask --resume ${id} --deny no\n`;
  expect(await ended).toMatchObject({ code: 130, stdout: '', stderr: expect.stringContaining(again) });
  await answer('yes');
  expect(await run(['--resume', id])).toMatchObject({ code: 0, stdout: 'yes\n' });
});

test('lets only those answer whom --from names', async () => {
  const { ended, id, answer } = await start([...question(), '--from', `${on.bob.user.email},@admins`]);
  expect((await on.show({ id })).question?.answerBy).toEqual([on.bob.user.id, 'admin']);
  await answer('yes');
  expect((await ended).code).toBe(0);
  const { ended: other, answer: notBob, id: second } = await start([...question(), '--from', 'owner']);
  expect((await notBob('yes')).status).toBe(403);
  await on.ada.json('DELETE', `/messages/${second}`);
  expect(await other).toMatchObject({ code: 1, stderr: expect.stringContaining('was deleted') });
});

test('says what is wrong with the command line, the question or the connection', async () => {
  const there = `x --hub ${on.hubId}`;
  for (const [line, code, message] of [
    [`--hub ${on.hubId}`, 2, 'Specify the question'],
    ['x', 2, '--hub is missing.'],
    [`${there} --choices yes,no --deny nope`, 2, '--deny "nope" is no choice of the question.'],
    [`${there} --timeout 31d`, 2, '--timeout 31d must be 1s to 30d.'],
    [`${there} --choices yes`, 2, '--choices must have 2 to 10 labels'],
    ['x --resume msg_1', 2, '--resume can only be combined with --deny.'],
    ['--resume msg_1', 1, 'There is no item msg_1.'],
    [`${there} --from nobody`, 1, 'There is no member "nobody".'],
  ] as const) {
    const ran = await run([...line.split(' '), '--json']);
    expect([ran.code, errorOf(ran).message]).toEqual([code, expect.stringContaining(message)]);
  }
  const local = await run(['x', '--hub', on.hubId], { env: { HUB_TOKEN: '', HUB_ADMIN_SOCKET: on.hub.socketPath } });
  expect(local).toMatchObject({ code: 4, stderr: expect.stringContaining('A question needs an account') });
  const away = { fetch: () => Promise.reject(Object.assign(new Error('refused'), { code: 'ENOTFOUND' })) };
  expect((await run(['x', '--hub', on.hubId], away)).code).toBe(3);
});
