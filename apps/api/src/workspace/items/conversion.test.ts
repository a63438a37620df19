import { expect, test } from 'bun:test';
import type { Item, Note, Todo } from '@hub/contract';
import { shared } from '@hub/testkit/in-process/shared';
import { startTeam } from '@hub/testkit/in-process/team';
import type { UserCaller } from '@hub/testkit/in-process/users';

const team = shared(startTeam);
const path = (message: { id: string }) => `/messages/${message.id}/conversion`;
const convert = <T = Todo>(caller: UserCaller, message: { id: string }, body: object) =>
  caller.json<T>('POST', path(message), body);

test('a conversion creates a to-do from a message by the bot or a user; the message and the to-do link to each other', async () => {
  const text = '## **Disk** is full\n\nSee [the log](https://example.org).';
  const todo = { kind: 'todo', title: 'Disk is full', content: text, status: 'open', key: null } as const;
  for (const message of [await team.post('messages', { text }), await team.message(team.ada, text)]) {
    const seq = await team.seq();
    const { status, body } = await convert(team.bob, message, { to: 'todo' });
    const links = { sourceId: message.id, author: { id: team.bob.user.id } };
    expect({ status, body }).toMatchObject({ status: 201, body: { ...todo, ...links } });
    expect(await team.events(seq)).toEqual(['todo.created', 'message.changed']);
    expect(await team.show(message)).toMatchObject({ conversion: { kind: 'todo', id: body.id }, version: 1 });
    expect((await team.todos()).items[0]).toEqual(body);
  }
});

test('a conversion creates a note from a message and from a reply', async () => {
  const message = await team.message(team.ada, 'question');
  const reply = await team.reply(team.bob, message, 'A good answer');
  for (const [source, fields, note] of [
    [reply, { title: 'Answer' }, { title: 'Answer', content: 'A good answer' }],
    [message, {}, { title: null, content: 'question' }],
  ] as const) {
    const { body } = await convert<Note>(team.ada, source, { to: 'note', ...fields });
    expect(body).toMatchObject({ kind: 'note', sourceId: source.id, ...note });
    expect((await team.notes()).items[0]).toEqual(body);
  }
});

test('a conversion uses the given fields, or else the text, or that of the blocks', async () => {
  const given = { title: 'T', content: 'C', priority: 'HIGH', dueDate: '2026-05-01T10:00:00.000Z' };
  const todo = { to: 'todo', ...given, assigneeId: team.bob.user.id };
  const made = (await convert(team.ada, await team.message(team.ada, 'text'), todo)).body;
  expect(made).toMatchObject({ ...given, assignee: { name: 'Bob Kahn' } });
  const blocks = [
    { type: 'delimiter', data: {} },
    { type: 'header', data: { text: 'Ship <b>it</b>', level: 2 } },
    { type: 'checklist', data: { items: [{ text: 'test', checked: true }] } },
  ];
  const message = await team.post('messages', { text: 'not shown', blocks });
  const expected = { title: 'Ship it', content: '---\n\n## Ship **it**\n\n- [x] test' };
  expect((await convert(team.ada, message, { to: 'todo' })).body).toMatchObject(expected);
});

test('a conversion returns the first result when repeated with other fields, until that is deleted', async () => {
  const message = await team.message(team.ada, 'text');
  const first = await convert(team.ada, message, { to: 'todo' });
  const seq = await team.seq();
  for (const body of [{ to: 'todo' }, { to: 'note' }, { to: 'todo', title: 'T', assigneeId: 'usr_0' }]) {
    const again = await convert<Item>(team.bob, message, body);
    expect([again.status, again.body]).toEqual([200, first.body]);
  }
  expect(await team.events(seq)).toEqual([]);
  await team.bob.json('DELETE', `/todos/${first.body.id}`);
  expect(await team.events(seq)).toEqual(['todo.deleted', 'message.changed']);
  expect((await team.show(message)).conversion).toBeNull();
  const second = await convert<Note>(team.bob, message, { to: 'note' });
  expect(second.status).toBe(201);
  // One that is brought back does not take the place of the later one.
  await team.bob.json('POST', `/items/${first.body.id}/restoration`);
  expect((await team.show(message)).conversion).toEqual({ kind: 'note', id: second.body.id });
});

test('a conversion returns 400 instead of truncating text that is too long, unless content is given', async () => {
  // A to-do can hold 40,000 characters; the text of blocks can be longer.
  const { body } = await convert(team.ada, await team.post('messages', { text: 'x'.repeat(40_000) }), { to: 'todo' });
  expect([body.title.length, body.content?.length]).toEqual([255, 40_000]);
  expect(body.title).toEndWith('x…');
  const blocks = [{ type: 'paragraph', data: { text: 'y'.repeat(50_000) } }];
  const [long, other] = [await team.post('messages', { blocks }), await team.post('messages', { blocks })];
  expect(await team.ada.outcome('POST', path(long), { to: 'todo' })).toStartWith(
    '400 The text of this message has 50000 characters; a to-do can hold 40000: send shorter content',
  );
  expect((await convert(team.ada, long, { to: 'todo', content: 'short' })).status).toBe(201);
  expect((await convert(team.ada, other, { to: 'note' })).status).toBe(201);
});
