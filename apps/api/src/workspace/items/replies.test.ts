import { describe, expect, test } from 'bun:test';
import type { Message } from '@hub/contract';
import { type MessagePage, startTeam, statusAndMessageOf } from '@hub/testkit/in-process/team';
import { memberOf, type UserCaller } from '@hub/testkit/in-process/users';

const texts = ({ items }: { items: readonly Message[] }) => items.map(({ text }) => text);

describe('a reply', () => {
  test('is listed under its message, whether by the bot or a user, and in no list of the Hub', async () => {
    await using team = await startTeam();
    for (const message of [await team.post('messages', { text: 'bot' }), await team.message(team.ada, 'human')]) {
      const reply = await team.reply(team.bob, message, 'answer');
      expect(reply).toMatchObject({ kind: 'message', parentId: message.id, text: 'answer', replyCount: 0 });
      const thread = await team.ada.json<MessagePage>('GET', `/messages/${message.id}/replies`);
      expect(thread.body.items).toEqual([reply]);
      expect(await team.show(reply)).toEqual(reply);
    }
    expect(texts(await team.messages())).toEqual(['human', 'bot']);
  });

  test('creates two events: one for itself, and one for its message with the new count and time', async () => {
    await using team = await startTeam();
    const message = await team.message(team.ada, 'question');
    const seq = await team.seq();
    team.hub.clock.advance(5_000);
    await team.reply(team.bob, message, 'answer');
    expect(await team.events(seq)).toEqual(['message.created', 'message.changed']);
    expect(await team.show(message)).toMatchObject({
      replyCount: 1,
      lastReplyAt: '2026-03-01T09:30:05.000Z',
      version: 1,
      editedAt: null,
    });
  });

  test('adds its author to the last three repliers of the message, latest first', async () => {
    await using team = await startTeam();
    const message = await team.message(team.ada, 'question');
    expect(message).not.toHaveProperty('repliers');
    const cid = await memberOf(team.hub, team.hubId, { name: 'Cid' });
    const dee = await memberOf(team.hub, team.hubId, { name: 'Dee' });
    for (const caller of [team.ada, team.bob, cid, team.ada, dee]) await team.reply(caller, message, 'answer');
    const idsOf = (...callers: UserCaller[]) => callers.map(({ user }) => user.id);
    expect((await team.show<Message>(message)).repliers).toEqual(idsOf(dee, team.ada, cid));
    const last = await team.reply(team.bob, message, 'once more');
    expect((await team.messages()).items[0]?.repliers).toEqual(idsOf(team.bob, dee, team.ada));
    await team.bob.json('DELETE', `/messages/${last.id}`);
    expect((await team.show<Message>(message)).repliers).toEqual(idsOf(dee, team.ada, cid));
  });

  test('returns 400 when replied to, with the id of the message that starts its thread', async () => {
    await using team = await startTeam();
    const message = await team.message(team.ada, 'question');
    const reply = await team.reply(team.bob, message, 'answer');
    const error = await statusAndMessageOf(team.ada, 'POST', `/messages/${reply.id}/replies`, { text: 'x' });
    expect(error).toBe(`400 ${reply.id} is itself a reply. Reply to ${message.id}, the message above it.`);
    expect(await statusAndMessageOf(team.ada, 'GET', `/messages/${reply.id}/replies`)).toStartWith('400 ');
  });

  test('disappears from its thread when deleted, and the count goes down', async () => {
    await using team = await startTeam();
    const message = await team.message(team.ada, 'question');
    team.hub.clock.advance(1_000);
    await team.reply(team.bob, message, 'first');
    team.hub.clock.advance(1_000);
    const second = await team.reply(team.bob, message, 'second');
    const seq = await team.seq();
    await team.bob.json('DELETE', `/messages/${second.id}`);
    expect(await team.events(seq)).toEqual(['message.deleted', 'message.changed']);
    expect(await team.show(message)).toMatchObject({ replyCount: 1, lastReplyAt: '2026-03-01T09:30:01.000Z' });
    const thread = await team.ada.json<MessagePage>('GET', `/messages/${message.id}/replies`);
    expect(texts(thread.body)).toEqual(['first']);
  });

  test('outlives its message, which stays without content and accepts no more replies', async () => {
    await using team = await startTeam();
    const message = await team.message(team.ada, 'question');
    const reply = await team.reply(team.bob, message, 'answer');
    await team.ada.json('DELETE', `/messages/${message.id}`);
    const [blank] = (await team.messages()).items;
    expect(blank).toMatchObject({ id: message.id, text: null, deletedAt: expect.any(String), replyCount: 1 });
    expect(await team.show(message)).toEqual(blank as Message);
    const thread = await team.ada.json<MessagePage>('GET', `/messages/${message.id}/replies`);
    expect(texts(thread.body)).toEqual(['answer']);
    const late = await statusAndMessageOf(team.ada, 'POST', `/messages/${message.id}/replies`, { text: 'late' });
    expect(late).toBe(`404 The message ${message.id} was deleted.`);
    // Deleting the last reply also removes the empty message.
    await team.bob.json('DELETE', `/messages/${reply.id}`);
    expect((await team.messages()).items).toEqual([]);
    expect(await statusAndMessageOf(team.ada, 'GET', `/items/${message.id}`)).toStartWith('404');
  });

  test('is listed newest first, with pagination in both directions', async () => {
    await using team = await startTeam();
    const message = await team.message(team.ada, 'question');
    for (const text of ['1', '2', '3']) await team.reply(team.bob, message, text);
    const page = async (query: string) =>
      (await team.ada.json<MessagePage>('GET', `/messages/${message.id}/replies${query}`)).body;
    const first = await page('?limit=2');
    expect([texts(first), first.seq]).toEqual([['3', '2'], await team.seq()]);
    const last = await page(`?limit=2&before=${first.next}`);
    expect([texts(last), last.next]).toEqual([['1'], null]);
    expect(texts(await page(`?limit=1&after=${last.items[0]?.id}`))).toEqual(['2']);
  });

  test('requires text and an existing message', async () => {
    await using team = await startTeam();
    const message = await team.message(team.ada, 'question');
    const note = await team.note(team.ada, { content: 'n' });
    const replyTo = (id: string, body: object) => statusAndMessageOf(team.ada, 'POST', `/messages/${id}/replies`, body);
    expect(await replyTo(message.id, {})).toStartWith('400 text is required in a reply');
    expect(await replyTo(note.id, { text: 'x' })).toBe(`404 There is no message ${note.id}.`);
    expect(await replyTo('msg_0', { text: 'x' })).toBe('404 There is no message msg_0.');
    expect(await statusAndMessageOf(team.ada, 'GET', '/messages/msg_0/replies')).toBe('404 There is no message msg_0.');
  });
});
