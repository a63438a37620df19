import { describe, expect, test } from 'bun:test';
import type { Item, Message, Note, Todo } from '@hub/contract';
import { startTeam, statusAndMessageOf } from '@hub/testkit/in-process/team';
import { signedIn } from '@hub/testkit/in-process/users';

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

  test('keeps the formatting of blocks and escapes their plain text', async () => {
    await using team = await startTeam();
    const blocks = [
      { type: 'paragraph', data: { text: 'Literal *stars*, <b>bold</b>, <a href="https://example.org/a">link</a>' } },
      { type: 'code', data: { code: 'if (a) {\n  b();\n}' } },
      {
        type: 'table',
        data: {
          withHeadings: true,
          content: [
            ['Host', 'State'],
            ['db', '<i>up</i>'],
          ],
        },
      },
    ];
    const message = await team.post('messages', { blocks });
    const { body } = await team.ada.json<Todo>('POST', convert(message), { to: 'todo' });
    expect(body.title).toBe('Literal *stars*, bold, link (https://example.org/a)');
    expect(body.content).toBe(
      'Literal \\*stars\\*, **bold**, [link](https://example.org/a)\n\n```\nif (a) {\n  b();\n}\n```\n\n| Host | State |\n| --- | --- |\n| db | _up_ |',
    );
  });

  test('of a single line to a to-do sets only the title, unless content is given', async () => {
    await using team = await startTeam();
    const made = async (message: { id: string }, more: object = {}) =>
      (await team.ada.json<Todo>('POST', convert(message), { to: 'todo', ...more })).body;
    const line = () => team.message(team.ada, ' Renew the certificate\n');
    expect(await made(await line())).toMatchObject({ title: 'Renew the certificate', content: null });
    const given = { title: 'Renew the certificate', content: 'Renew the certificate' };
    expect(await made(await line(), given)).toMatchObject(given);
    expect(await made(await line(), { title: 'TLS' })).toMatchObject({ content: ' Renew the certificate\n' });
    const header = await team.post('messages', { blocks: [{ type: 'header', data: { text: 'Ship it', level: 2 } }] });
    expect(await made(header)).toMatchObject({ title: 'Ship it', content: null });
    const link = await team.message(team.ada, 'See [the log](https://example.org)');
    expect(await made(link)).toMatchObject({ title: 'See the log', content: 'See [the log](https://example.org)' });
  });

  test('creates no new mentions until the text is edited', async () => {
    await using team = await startTeam();
    const message = await team.message(team.ada, 'Ask @Bob\nabout the disk');
    const { body } = await team.ada.json<Todo>('POST', convert(message), { to: 'todo' });
    expect(body).toMatchObject({ title: 'Ask @Bob', mentions: [] });
    const mentions = async () => (await team.bob.json<{ items: Item[] }>('GET', '/mentions')).body.items;
    expect((await mentions()).map(({ id }) => id)).toEqual([message.id]);
    await team.ada.json('PATCH', `/todos/${body.id}`, { content: 'Ask @Bob again' });
    expect((await mentions()).map(({ id }) => id)).toEqual([body.id, message.id]);
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

  test('of a deleted message returns 404; an earlier result outlives the message', async () => {
    await using team = await startTeam();
    const { ada, bob } = team;
    const message = await team.message(ada, 'to be done');
    const path = `/messages/${message.id}/conversion`;
    const { body: todo } = await bob.json<Todo>('POST', path, { to: 'todo' });
    await ada.json('DELETE', `/messages/${message.id}`);
    for (const to of ['todo', 'note']) {
      expect(await statusAndMessageOf(bob, 'POST', path, { to })).toBe(`404 The message ${message.id} was deleted.`);
    }
    expect(await team.show<Todo>(todo)).toEqual(todo);
    expect((await team.todos()).items).toEqual([todo]);
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

  test('returns 400 and names the problem if its body is invalid', async () => {
    await using team = await startTeam();
    const message = await team.message(team.ada, '---\n***');
    const rejected = (body: unknown) => statusAndMessageOf(team.ada, 'POST', convert(message), body);
    expect(await rejected({})).toStartWith('400 to is required in a conversion');
    expect(await rejected({ to: 'mesage' })).toStartWith('400 to must be one of todo, note');
    expect(await rejected({ to: 'todo' })).toBe('400 This message has no text to use as a title: send a title');
    expect(await rejected({ to: 'note', priority: 'LOW' })).toStartWith('400 priority is not a field of a note');
    expect(await rejected({ to: 'todo', title: 'x'.repeat(256) })).toStartWith('400 title has');
    const stranger = await signedIn(team.hub);
    const assigneeId = stranger.user.id;
    expect(await rejected({ to: 'todo', title: 'x', assigneeId })).toStartWith('400 assigneeId must be');
    expect((await team.show<Message>(message)).conversion).toBeNull();
    const note = await team.note(team.ada, { content: 'n' });
    expect(await statusAndMessageOf(team.ada, 'POST', convert(note), { to: 'todo' })).toBe(
      `404 There is no message ${note.id}.`,
    );
    expect((await team.hub.admin.raw('POST', convert(message), { to: 'note' })).status).toBe(403);
  });
});
