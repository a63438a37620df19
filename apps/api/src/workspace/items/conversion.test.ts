import { describe, expect, test } from 'bun:test';
import type { Item, Note, Todo } from '@hub/contract';
import { startTeam, statusAndMessageOf } from '@hub/testkit/in-process/team';

const convert = (message: { id: string }) => `/messages/${message.id}/conversion`;

describe('a conversion', () => {
  test('creates a to-do from a message by the bot or a user; the message and the to-do link to each other', async () => {
    await using team = await startTeam();
    const posted = await team.post('messages', { text: '## **Disk** is full\n\nSee [the log](https://example.org).' });
    const own = await team.message(team.ada, '## **Disk** is full\n\nSee [the log](https://example.org).');
    for (const message of [posted, own]) {
      const seq = await team.seq();
      const { status, body } = await team.bob.json<Todo>('POST', convert(message), { to: 'todo' });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        kind: 'todo',
        title: 'Disk is full',
        content: message.text,
        status: 'open',
        sourceId: message.id,
        author: { id: team.bob.user.id },
        key: null,
      });
      expect(await team.events(seq)).toEqual(['todo.created', 'message.changed']);
      expect(await team.show(message)).toMatchObject({ conversion: { kind: 'todo', id: body.id }, version: 1 });
      expect((await team.todos()).items[0]).toEqual(body);
    }
  });

  test('creates a note from a message and from a reply', async () => {
    await using team = await startTeam();
    const message = await team.message(team.ada, 'question');
    const reply = await team.reply(team.bob, message, 'A good answer');
    const { status, body } = await team.ada.json<Note>('POST', convert(reply), { to: 'note', title: 'Answer' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ kind: 'note', title: 'Answer', content: 'A good answer', sourceId: reply.id });
    expect((await team.notes()).items).toEqual([body]);
    const untitled = await team.ada.json<Note>('POST', convert(message), { to: 'note' });
    expect(untitled.body).toMatchObject({ title: null, content: 'question' });
  });

  test('uses the given title, content and other to-do fields', async () => {
    await using team = await startTeam();
    const message = await team.message(team.ada, 'text');
    const given = { title: 'T', content: 'C', priority: 'HIGH', dueDate: '2026-05-01T10:00Z' };
    const { body } = await team.ada.json<Todo>('POST', convert(message), {
      to: 'todo',
      assigneeId: team.bob.user.id,
      ...given,
    });
    expect(body).toMatchObject({ ...given, dueDate: '2026-05-01T10:00:00.000Z', assignee: { name: 'Bob Kahn' } });
  });

  test('uses the text of the blocks if the message has blocks', async () => {
    await using team = await startTeam();
    const blocks = [
      { type: 'delimiter', data: {} },
      { type: 'header', data: { text: 'Ship <b>it</b>', level: 2 } },
      { type: 'checklist', data: { items: [{ text: 'test', checked: true }] } },
    ];
    const message = await team.post('messages', { text: 'not shown', blocks });
    const { body } = await team.ada.json<Todo>('POST', convert(message), { to: 'todo' });
    expect(body).toMatchObject({ title: 'Ship it', content: '---\n\n## Ship **it**\n\n- [x] test' });
  });

  test('returns the first result when repeated with other fields', async () => {
    await using team = await startTeam();
    const message = await team.message(team.ada, 'text');
    const first = await team.ada.json<Todo>('POST', convert(message), { to: 'todo' });
    const seq = await team.seq();
    for (const body of [{ to: 'todo' }, { to: 'note' }, { to: 'todo', title: 'T', assigneeId: 'usr_0' }]) {
      const again = await team.bob.json<Item>('POST', convert(message), body);
      expect([again.status, again.body]).toEqual([200, first.body]);
    }
    expect(await team.events(seq)).toEqual([]);
  });

  test('can be repeated if its result was deleted', async () => {
    await using team = await startTeam();
    const message = await team.message(team.ada, 'text');
    const first = await team.ada.json<Todo>('POST', convert(message), { to: 'todo' });
    const seq = await team.seq();
    await team.bob.json('DELETE', `/todos/${first.body.id}`);
    expect(await team.events(seq)).toEqual(['todo.deleted', 'message.changed']);
    expect((await team.show(message)).conversion).toBeNull();
    const second = await team.bob.json<Note>('POST', convert(message), { to: 'note' });
    expect(second.status).toBe(201);
    expect((await team.show(message)).conversion).toEqual({ kind: 'note', id: second.body.id });
  });

  test('returns 400 instead of truncating text that is too long, unless content is given', async () => {
    await using team = await startTeam();
    // A to-do can hold 40,000 characters; the text of blocks can be longer.
    const fits = await team.post('messages', { text: 'x'.repeat(40_000) });
    const { body } = await team.ada.json<Todo>('POST', convert(fits), { to: 'todo' });
    expect([body.title.length, body.content?.length]).toEqual([255, 40_000]);
    expect(body.title).toEndWith('x…');
    const blocks = [{ type: 'paragraph', data: { text: 'y'.repeat(50_000) } }];
    const long = await team.post('messages', { blocks });
    expect(await statusAndMessageOf(team.ada, 'POST', convert(long), { to: 'todo' })).toStartWith(
      '400 The text of this message has 50000 characters; a to-do can hold 40000: send shorter content',
    );
    expect((await team.ada.json('POST', convert(long), { to: 'todo', content: 'short' })).status).toBe(201);
    const other = await team.post('messages', { blocks });
    expect((await team.ada.json('POST', convert(other), { to: 'note' })).status).toBe(201);
  });
});
