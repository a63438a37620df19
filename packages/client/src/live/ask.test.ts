import { describe, expect, test } from 'bun:test';
import { failureOf } from '@hub/testkit/concurrency';
import { shared } from '@hub/testkit/in-process/shared';
import { startTeam, teamIn } from '@hub/testkit/in-process/team';
import { newTokenOf } from '@hub/testkit/in-process/users';
import { TestProxy } from '@hub/testkit/proxy';
import { type AskOptions, ask, HubApiError, type LiveState, type Message } from './index.ts';

const base = shared(startTeam);

/** Asks as a service account, and resolves once the question is in the Hub, and followed. */
async function asked(options: Partial<AskOptions> = {}) {
  const { hub } = base;
  const team = await teamIn(hub, base);
  const token = await newTokenOf(hub, team.ada.user);
  const [message, live] = [Promise.withResolvers<Message>(), Promise.withResolvers<void>()];
  const connection = { baseUrl: hub.url, token };
  const outcome = ask({
    ...{ ...connection, hubId: team.hubId, text: 'Deploy?', timeoutMs: 60_000 },
    onAsked: message.resolve,
    onState: ({ status }: LiveState) => status === 'live' && live.resolve(),
    ...options,
  });
  outcome.catch((error) => [message, live].map(({ reject }) => reject(error)));
  const { id } = await message.promise;
  await live.promise;
  const answer = (choice: string) => team.bob.json('PUT', `/messages/${id}/answer`, { choice });
  return { ...team, outcome, id, connection, answer };
}

describe('ask', () => {
  test('resolves with the choice, and with the same one if it is resumed', async () => {
    const { outcome, answer, id, connection, bob } = await asked({ choices: ['yes', 'no'] });
    await answer('no');
    const by = { id: bob.user.id, name: 'Bob Kahn' };
    const expected = { state: 'answered', id, choice: 'no', text: 'no', replyId: null, by, at: expect.any(String) };
    expect(await outcome).toEqual(expected as never);
    expect(await ask({ ...connection, resume: id })).toEqual(expected as never);
    const typed = async (): Promise<'yes' | 'no' | null> => {
      const result = await ask({ ...connection, hubId: '', text: '', choices: ['yes', 'no'], timeoutMs: 1_000 });
      return result.state === 'answered' ? result.choice : null;
    };
    expect(await failureOf(typed())).toBeInstanceOf(TypeError);
  });

  test('resolves with the first reply if there are no choices, also after it was deleted', async () => {
    const { outcome, reply, bob, id, connection } = await asked();
    const { id: replyId } = await reply(bob, { id }, 'at **noon**');
    expect(await outcome).toMatchObject({ state: 'answered', choice: null, text: 'at **noon**', replyId });
    await bob.json('DELETE', `/messages/${replyId}`);
    expect(await ask({ ...connection, resume: id })).toMatchObject({ text: '', replyId });
  });

  test('finds an answer that was given while it was disconnected', async () => {
    const proxy = new TestProxy(Number(new URL(base.hub.url).port));
    const { outcome, answer, connection, id } = await asked({ baseUrl: proxy.url, choices: ['yes', 'no'] });
    proxy.target = null;
    proxy.drop();
    await answer('yes');
    const resumed = ask({ ...connection, baseUrl: proxy.url, resume: id });
    proxy.forwardTo(base.hub);
    expect(await outcome).toMatchObject({ choice: 'yes' });
    expect(await resumed).toMatchObject({ choice: 'yes' });
    proxy.close();
  });

  test('finds an answer that came before it followed the Hub', async () => {
    const { connection, hubId, bob } = await asked({ choices: ['a', 'b'] });
    const send = async (url: string, init: RequestInit) => {
      const response = await fetch(url, init);
      const { id } = (await response.clone().json()) as Message;
      if (init.method === 'POST') await bob.json('PUT', `/messages/${id}/answer`, { choice: 'yes' });
      return response;
    };
    const question = { hubId, text: 'x', choices: ['yes', 'no'], timeoutMs: 3_600_000 };
    expect(await ask({ ...connection, ...question, fetch: send })).toMatchObject({ choice: 'yes' });
  });

  test('rejects with the reason of its signal, and leaves the question open', async () => {
    const controller = new AbortController();
    const { outcome, show, id } = await asked({ choices: ['yes', 'no'], signal: controller.signal });
    controller.abort(new Error('stopped'));
    expect(await failureOf(outcome)).toEqual(new Error('stopped'));
    expect((await show({ id })).question?.state).toBe('open');
  });

  test('rejects if the question was deleted, cannot be asked, or is none', async () => {
    const { outcome, ada, id, connection, hubId, message } = await asked({ choices: ['yes', 'no'] });
    await ada.json('DELETE', `/messages/${id}`);
    const deleted = { statusCode: 404, message: expect.stringContaining('was deleted') };
    expect(await failureOf(outcome)).toMatchObject(deleted);
    const wrong = await failureOf(ask({ ...connection, hubId, text: 'x', choices: ['yes'], timeoutMs: 60_000 }));
    expect(wrong).toBeInstanceOf(HubApiError);
    expect(wrong).toMatchObject({ statusCode: 400, message: expect.stringContaining('2 to 10 labels') });
    const { id: plain } = await message(ada, 'plain');
    const none = new TypeError(`${plain} is not a question.`);
    expect(await failureOf(ask({ ...connection, resume: plain }))).toEqual(none);
    const unknown = ask({ ...connection, token: `${connection.token}x`, resume: id });
    expect(await failureOf(unknown)).toMatchObject({ statusCode: 401 });
    const valid = { ...connection, hubId, text: 'x', timeoutMs: 60_000 };
    for (const list of [{ choices: 'yes' }, { answerBy: 'admin' }])
      expect(await failureOf(ask({ ...valid, ...list } as never))).toEqual(
        new TypeError(`${Object.keys(list)} must be an array.`),
      );
    for (const options of [{ ...connection, text: 'x' }, { ...connection, resume: id, text: 'x' }, { resume: '' }])
      expect(await failureOf(ask(options as never))).toBeInstanceOf(TypeError);
  });
});
