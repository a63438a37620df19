import { describe, expect, test } from 'bun:test';
import type { Item, Message, Note, Todo } from '@hub/contract';
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
    const path = `/messages/${message.id}/conversion`;
    const responses = await together<Item>('POST', path, { to: 'todo' }, { to: 'note' });
    expect(statusesOf(responses)).toEqual([200, 201]);
    expect(responses[0].body).toEqual(responses[1].body);
    const { kind, id } = responses[0].body;
    expect((await team.show(message)).conversion as object).toEqual({ kind, id });
    expect(await team.events(seq)).toEqual([`${kind}.created`, 'message.changed']);
  });

  test('edit the same version: one edit succeeds, the other gets 409 and changes nothing', async () => {
    const note = await team.note(team.ada, { content: 'draft' });
    const seq = await team.seq();
    const edit = (content: string) => ({ content, baseVersion: 1 });
    const responses = await together<Note>('PATCH', `/notes/${note.id}`, edit('by Ada'), edit('by Bob'));
    expect(statusesOf(responses)).toEqual([200, 409]);
    expect(await team.events(seq)).toEqual(['note.changed']);
    const winner = responses.find(({ status }) => status === 200);
    expect(await team.show<Note>(note)).toEqual(winner?.body as Note);
  });

  test('complete a to-do: one of them is recorded as having finished it', async () => {
    const todo = await team.todo(team.ada, { title: 'T' });
    const seq = await team.seq();
    const responses = await together<Todo>('PATCH', `/todos/${todo.id}`, { status: 'done' });
    expect(statusesOf(responses)).toEqual([200, 200]);
    expect(responses[0].body).toEqual(responses[1].body);
    expect(await team.events(seq)).toEqual(['todo.changed']);
  });

  test('reply to a message and delete it: the reply is either kept with its thread or rejected', async () => {
    const message = await team.message(team.ada, 'text');
    const [reply] = await Promise.all([
      team.bob.json<Message>('POST', `/items/${message.id}/replies`, { text: 'reply' }),
      team.ada.call('DELETE', `/messages/${message.id}`),
    ]);
    const kept = { status: 200, body: { replyCount: 1, text: null } };
    const shown = await team.bob.json('GET', `/items/${message.id}`);
    expect([reply.status, shown]).toMatchObject(reply.status === 201 ? [201, kept] : [404, { status: 404 }]);
  });
});
