import { describe, expect, test } from 'bun:test';
import type { Item, Message, Todo } from '@hub/contract';
import { shared } from '@hub/testkit/in-process/shared';
import { startTeam } from '@hub/testkit/in-process/team';

const team = shared(startTeam);

/** Sends a request from each of two users at the same moment, with one body for each. */
const together = <T>(method: string, path: string, ofAda: object, ofBob = ofAda) =>
  Promise.all([team.ada.json<T>(method, path, ofAda), team.bob.json<T>(method, path, ofBob)]);
const statusesOf = (responses: { status: number }[]) => responses.map(({ status }) => status).toSorted();

describe.each(Array.from({ length: 10 }, (_, n) => n))('two users at the same moment, round %d,', () => {
  test('convert a message: one item is created, and both get it', async () => {
    const message = await team.message(team.ada, 'text');
    const seq = await team.seq();
    const responses = await together<Item>(
      'POST',
      `/messages/${message.id}/conversion`,
      { to: 'todo' },
      { to: 'note' },
    );
    expect(statusesOf(responses)).toEqual([200, 201]);
    expect(responses[0].body).toEqual(responses[1].body);
    const { kind, id } = responses[0].body;
    for (const user of [team.ada, team.bob])
      expect((await team.show(message, user)).conversion as object).toEqual({ kind, id });
    expect(await team.events(seq)).toEqual([`${kind}.created`, 'message.changed']);
  });

  test('edit the same version: one edit succeeds, the other gets 409 and changes nothing', async () => {
    const note = await team.note(team.ada, { content: 'draft' });
    const seq = await team.seq();
    const edits = ['by Ada', 'by Bob'].map((content) => ({ content, baseVersion: 1 }));
    const responses = await together<{ content: string }>('PATCH', `/notes/${note.id}`, edits[0] ?? {}, edits[1]);
    expect(statusesOf(responses)).toEqual([200, 409]);
    expect(await team.events(seq)).toEqual(['note.changed']);
    const winner = responses.find(({ status }) => status === 200);
    expect(await team.show<Item>(note)).toMatchObject({ content: winner?.body.content ?? '', version: 2 });
  });

  test('complete a to-do: one of them is recorded as having finished it', async () => {
    const todo = await team.todo(team.ada, { title: 'T' });
    const seq = await team.seq();
    const responses = await together<Todo>('PATCH', `/todos/${todo.id}`, { status: 'done' });
    expect(statusesOf(responses)).toEqual([200, 200]);
    expect(responses[0].body).toEqual(responses[1].body);
    expect(responses[0].body.finishedBy).not.toBeNull();
    expect(await team.events(seq)).toEqual(['todo.changed']);
  });

  test('reply to a message and delete it: the reply is either kept with its thread or rejected', async () => {
    const message = await team.message(team.ada, 'text');
    const [reply, deletion] = await Promise.all([
      team.bob.json<Message>('POST', `/items/${message.id}/replies`, { text: 'reply' }),
      team.ada.json<Message>('DELETE', `/messages/${message.id}`),
    ]);
    expect(deletion.status).toBe(200);
    expect([201, 404]).toContain(reply.status);
    const shown = await team.bob.json<Message>('GET', `/items/${message.id}`);
    if (reply.status === 201) expect(shown.body).toMatchObject({ replyCount: 1, text: null });
    else expect(shown.status).toBe(404);
  });
});
