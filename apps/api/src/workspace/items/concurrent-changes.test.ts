import { describe, expect, test } from 'bun:test';
import type { Item, Message, Todo } from '@hub/contract';
import { startTeam } from '@hub/testkit/in-process/team';
import type { HubResponse, UserCaller } from '@hub/testkit/in-process/users';

const ROUNDS = 10;

/** Sends a request from each of two users at the same moment, with one body for each. */
async function together<T>(
  [ada, bob]: readonly [UserCaller, UserCaller],
  method: string,
  path: string,
  bodies: readonly [unknown, unknown] = [undefined, undefined],
): Promise<[HubResponse<T>, HubResponse<T>]> {
  return Promise.all([ada.json<T>(method, path, bodies[0]), bob.json<T>(method, path, bodies[1])]);
}

describe('two users at the same moment', () => {
  test('convert a message: one item is created, and both get it', async () => {
    await using team = await startTeam();
    const both = [team.ada, team.bob] as const;
    for (let round = 0; round < ROUNDS; round += 1) {
      const message = await team.message(team.ada, 'text');
      const seq = await team.seq();
      const responses = await together<Item>(both, 'POST', `/messages/${message.id}/conversion`, [
        { to: 'todo' },
        { to: 'note' },
      ]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 201]);
      expect(responses[0].body).toEqual(responses[1].body);
      const { kind, id } = responses[0].body;
      for (const user of both) expect((await team.show(message, user)).conversion as object).toEqual({ kind, id });
      expect(await team.events(seq)).toEqual([`${kind}.created`, 'message.changed']);
    }
    expect((await team.notes()).items.length + (await team.todos()).items.length).toBe(ROUNDS);
  });

  test('edit the same version: one edit succeeds, the other gets 409', async () => {
    await using team = await startTeam();
    for (let round = 0; round < ROUNDS; round += 1) {
      const note = await team.note(team.ada, { content: 'draft' });
      const responses = await together<{ content: string }>([team.ada, team.bob], 'PATCH', `/notes/${note.id}`, [
        { content: 'by Ada', baseVersion: 1 },
        { content: 'by Bob', baseVersion: 1 },
      ]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
      const winner = responses.find(({ status }) => status === 200);
      expect(await team.show<Item>(note)).toMatchObject({ content: winner?.body.content ?? '', version: 2 });
    }
  });

  test('complete a to-do: one of them is recorded as having finished it', async () => {
    await using team = await startTeam();
    for (let round = 0; round < ROUNDS; round += 1) {
      const todo = await team.todo(team.ada, { title: 'T' });
      const seq = await team.seq();
      const body = { status: 'done' };
      const responses = await together<Todo>([team.ada, team.bob], 'PATCH', `/todos/${todo.id}`, [body, body]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      expect(responses[0].body).toEqual(responses[1].body);
      expect(responses[0].body.finishedBy).not.toBeNull();
      expect(await team.events(seq)).toEqual(['todo.changed']);
    }
  });

  test('reply to a message and delete it: the reply is either kept with its thread or rejected', async () => {
    await using team = await startTeam();
    for (let round = 0; round < ROUNDS; round += 1) {
      const message = await team.message(team.ada, 'text');
      const [reply, deletion] = await Promise.all([
        team.bob.json<Message>('POST', `/messages/${message.id}/replies`, { text: 'reply' }),
        team.ada.json<Message>('DELETE', `/messages/${message.id}`),
      ]);
      expect(deletion.status).toBe(200);
      expect([201, 404]).toContain(reply.status);
      const shown = await team.bob.json<Message>('GET', `/items/${message.id}`);
      if (reply.status === 201) expect(shown.body).toMatchObject({ replyCount: 1, text: null });
      else expect(shown.status).toBe(404);
    }
  });
});
