import { describe, expect, test } from 'bun:test';
import type { StreamPage, Todo } from '@hub/contract';
import { startTeam, statusAndMessageOf, teamOn } from '@hub/testkit/in-process/team';
import { addMember, memberOf, signedIn } from '@hub/testkit/in-process/users';

describe('a to-do', () => {
  test('can be completed by any member, which records the user and the time, and reopened', async () => {
    await using team = await startTeam();
    const todo = await team.post<Todo>('todos', { title: 'Renew the certificate' });
    expect(todo).toMatchObject({ status: 'open', finishedAt: null, finishedBy: null });
    team.hub.clock.advance(1_000);
    const done = await team.bob.json<Todo>('PATCH', `/todos/${todo.id}`, { status: 'done' });
    expect(done.body).toMatchObject({
      status: 'done',
      finishedAt: '2026-03-01T09:30:01.000Z',
      finishedBy: { id: team.bob.user.id, name: 'Bob Kahn' },
      version: 2,
      editedAt: null,
    });
    const open = await team.ada.json<Todo>('PATCH', `/todos/${todo.id}`, { status: 'open' });
    expect(open.body).toEqual({ ...todo, version: 3 });
  });

  test('has an assignee, due date, priority, title and content that can be changed and cleared', async () => {
    await using team = await startTeam();
    const { id } = await team.todo(team.ada, { title: 'T' });
    const change = async (body: object) => (await team.bob.json<Todo>('PATCH', `/todos/${id}`, body)).body;
    const seq = await team.seq();
    expect(
      await change({
        title: 'U',
        content: 'C',
        dueDate: '2026-05-01T10:00:00+02:00',
        priority: 'URGENT',
        assigneeId: team.ada.user.id,
      }),
    ).toMatchObject({
      title: 'U',
      content: 'C',
      dueDate: '2026-05-01T08:00:00.000Z',
      priority: 'URGENT',
      assignee: { id: team.ada.user.id, name: 'Ada Lovelace' },
      version: 2,
      status: 'open',
    });
    expect(await change({ content: null, dueDate: null, priority: null, assigneeId: null })).toMatchObject({
      title: 'U',
      content: null,
      dueDate: null,
      priority: null,
      assignee: null,
      version: 3,
    });
    expect(await team.events(seq)).toEqual(['todo.changed', 'todo.changed']);
  });

  test('can only be assigned to active members of its Hub', async () => {
    await using team = await startTeam();
    const { id } = await team.todo(team.ada, { title: 'T' });
    const stranger = await signedIn(team.hub);
    const disabled = await memberOf(team.hub, team.hubId, { name: 'Gone' });
    expect((await team.hub.admin.raw('POST', `/users/${disabled.user.id}/deactivation`)).status).toBe(200);
    const seq = await team.seq();
    for (const assigneeId of [stranger.user.id, disabled.user.id, 'usr_0', 'me']) {
      const error = await statusAndMessageOf(team.ada, 'PATCH', `/todos/${id}`, { assigneeId, title: 'other' });
      expect(error).toBe('400 assigneeId must be the id of an active member of this Hub');
    }
    expect(await team.events(seq)).toEqual([]);
    expect((await team.show<Todo>({ id })).title).toBe('T');
    await addMember(team.hub, team.hubId, stranger.user);
    const response = await team.ada.json<Todo>('PATCH', `/todos/${id}`, { assigneeId: stranger.user.id });
    expect(response.body.assignee?.id).toBe(stranger.user.id);
  });
});

describe('to-dos across Hubs', () => {
  test('come from every Hub that the caller is a member of, and can be filtered by assignee, status, Hub, author and key', async () => {
    await using team = await startTeam();
    const other = await teamOn(team.hub, ['Cy', 'Di']);
    await addMember(team.hub, other.hubId, team.ada.user);
    const assigneeId = team.ada.user.id;
    const here = await team.todo(team.bob, { title: 'here', assigneeId });
    const there = await other.todo(other.bob, { title: 'there', assigneeId });
    await team.todo(team.ada, { title: 'Bob’s', assigneeId: team.bob.user.id });
    await team.todo(team.ada, { title: 'free' });
    await team.ada.json('PATCH', `/todos/${here.id}`, { status: 'done' });
    const titles = async (query: string) => {
      const { body } = await team.ada.json<StreamPage>('GET', `/todos${query}`);
      return body.items.map((item) => (item.kind === 'todo' ? item.title : item.kind));
    };
    expect(await titles('?assigneeId=me')).toEqual(['there', 'here']);
    expect(await titles('?assigneeId=me&status=open')).toEqual(['there']);
    expect(await titles(`?assigneeId=me&hubId=${team.hubId}`)).toEqual(['here']);
    expect(await titles('?assigneeId=none')).toEqual(['free']);
    expect(await titles('')).toEqual(['free', 'Bob’s', 'there', 'here']);
    expect(await titles('?status=done')).toEqual(['here']);
    expect(await titles(`?assigneeId=me&after=${here.id}`)).toEqual(['there']);
    expect(await titles('?authorId=me')).toEqual(['free', 'Bob’s']);
    expect(await titles(`?assigneeId=me&authorId=${team.bob.user.id}`)).toEqual(['here']);
    expect(await titles(`?keyId=${team.keyId}`)).toEqual([]);

    // Users who leave a Hub no longer see their to-dos there.
    await team.hub.admin.raw('DELETE', `/hubs/${other.hubId}/members/${assigneeId}`);
    expect(await titles('?assigneeId=me')).toEqual(['here']);
    expect(there.hubId).toBe(other.hubId);
  });
});
