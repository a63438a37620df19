import type { Posted } from './keys-fixture.ts';
import type { Team } from './users-fixture.ts';

export async function recordMessages({ ada, bob, hubId }: Team, { messageId }: Posted): Promise<void> {
  const path = { messageId };
  await bob('reactToMessage', { path: { messageId, emoji: '🎉' } });
  const reply = await bob<{ id: string; seq: number }>('replyToMessage', {
    path,
    body: { text: '@Ada Lovelace, is the **changelog** out too?' },
  });
  await ada('listReplies', { path });
  await ada('listMentions');
  await ada('markMentionsRead', { body: { itemIds: [reply.id] }, name: 'some', summary: 'Some mentions' });
  await ada('markMentionsRead', { body: { upTo: reply.id }, name: 'all', summary: 'An item and everything older' });
  await ada('markThreadRead', { path, body: { seq: reply.seq } });
  await bob('unreactToMessage', { path: { messageId, emoji: '🎉' } });

  const asked = await bob('writeMessage', { path: { hubId }, body: { text: 'Who renews the certificate?' } });
  const own = { messageId: asked.id };
  await bob('changeMessage', {
    path: own,
    body: { text: 'Who renews the certificate of `example.org`?', baseVersion: 1 },
  });
  const toTodo = { to: 'todo', title: 'Renew the certificate', dueDate: '2026-03-14T17:00:00Z', priority: 'HIGH' };
  await ada('convertMessage', { path: own, body: toTodo, name: 'todo', summary: 'Convert to a to-do' });
  await bob('convertMessage', { path: own, body: { to: 'todo' }, name: 'again', summary: 'Already converted' });
  await ada('listMessages', { path: { hubId }, query: { limit: 2 } });
  await bob('deleteMessage', { path: own });
}

export async function recordNotesAndTodos({ ada, bob, bobId, hubId }: Team): Promise<void> {
  const path = { hubId };
  const note = await ada('writeNote', { path, body: { title: 'Release 2.4', content: '- Faster start' } });
  const noteId = note.id;
  await bob('changeNote', { path: { noteId }, body: { content: '- Faster start\n- Smaller image', baseVersion: 1 } });
  await bob('listNotes', { path });
  await ada('deleteNote', { path: { noteId } });

  const todo = await ada('writeTodo', {
    path,
    body: { title: 'Update the status page', content: 'All **green** again.', priority: 'LOW', assigneeId: bobId },
  });
  const todoId = todo.id;
  await bob('listMyTodos', { query: { assigneeId: 'me', status: 'open' } });
  await bob('changeTodo', {
    path: { todoId },
    body: { status: 'done' },
    name: 'done',
    summary: 'Mark as done',
  });
  await ada('changeTodo', {
    path: { todoId },
    body: { status: 'open', assigneeId: null, dueDate: '2026-03-02T12:00:00+01:00', baseVersion: 2 },
    name: 'edit',
    summary: 'Reopen, unassign and set a due date',
  });
  await ada('listTodos', { path, query: { status: 'open' } });
  await ada('deleteTodo', { path: { todoId } });
}

export async function recordStream({ ada, bob, hubId }: Team, { messageId }: Posted): Promise<void> {
  await ada('search', { query: { q: 'deploy', hubId } });
  await ada('showItem', { path: { itemId: messageId } });
  await ada('showItemOrigin', { path: { itemId: messageId } });
  await bob('listStream', { query: { limit: 3, unread: 'true' } });
  const { seq } = await bob<{ seq: number }>('showHub', { path: { hubId } });
  await bob('markHubRead', {
    path: { hubId },
    body: { seq: seq - 1, kind: 'message' },
    name: 'kind',
    summary: 'Only the conversation',
  });
  await bob('markHubRead', { path: { hubId }, body: { seq }, name: 'all', summary: 'Everything' });
}
