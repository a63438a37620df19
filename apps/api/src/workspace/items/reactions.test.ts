import { describe, expect, test } from 'bun:test';
import { LIMITS, type Message } from '@hub/contract';
import { startTeam, statusAndMessageOf } from '@hub/testkit/in-process/team';

const path = (message: { id: string }, emoji: string) =>
  `/messages/${message.id}/reactions/${encodeURIComponent(emoji)}`;

describe('a reaction', () => {
  test('can be added to and removed from replies and messages, both by the bot and by users', async () => {
    await using team = await startTeam();
    const posted = await team.post('messages', { text: 'bot' });
    const own = await team.message(team.ada, 'human');
    const reply = await team.reply(team.bob, own, 'reply');
    for (const message of [posted, own, reply]) {
      await team.ada.json('PUT', path(message, '👍'));
      team.hub.clock.advance(1);
      const { status, body } = await team.bob.json<Message>('PUT', path(message, '👍'));
      const reactions = [{ emoji: '👍', userIds: [team.ada.user.id, team.bob.user.id] }];
      expect([status, body.reactions]).toEqual([200, reactions]);
      expect((await team.show(message)).reactions).toEqual(reactions);
      const left = await team.ada.json<Message>('DELETE', path(message, '👍'));
      expect(left.body.reactions).toEqual([{ emoji: '👍', userIds: [team.bob.user.id] }]);
    }
  });

  test('creates one event and does not count as an edit; repeating it changes nothing', async () => {
    await using team = await startTeam();
    const message = await team.message(team.ada, 'x');
    const seq = await team.seq();
    await team.bob.json('PUT', path(message, '🎉'));
    const { body } = await team.bob.json<Message>('PUT', path(message, '🎉'));
    expect(await team.events(seq)).toEqual(['message.changed']);
    expect(body).toMatchObject({ version: 1, editedAt: null, reactions: [{ userIds: [team.bob.user.id] }] });
    await team.bob.json('DELETE', path(message, '🎉'));
    expect((await team.bob.json('DELETE', path(message, '🎉'))).status).toBe(200);
    // Users cannot remove the reactions of others.
    await team.ada.json('DELETE', path(message, '🎉'));
    expect(await team.events(seq)).toEqual(['message.changed', 'message.changed']);
  });

  test('must be a single emoji, in any spelling', async () => {
    await using team = await startTeam();
    const message = await team.message(team.ada, 'x');
    for (const emoji of ['❤', '❤️']) await team.bob.json('PUT', path(message, emoji));
    expect((await team.show(message)).reactions).toEqual([{ emoji: '❤️', userIds: [team.bob.user.id] }]);
    await team.bob.json('DELETE', path(message, '❤'));
    expect((await team.show(message)).reactions).toEqual([]);
    for (const text of ['x', '👍👍', ':+1:', ' ', '1', '\u{1f3fd}\u{200d}']) {
      expect(await statusAndMessageOf(team.bob, 'PUT', path(message, text))).toStartWith(
        '400 A reaction must be a single emoji',
      );
    }
    expect(await statusAndMessageOf(team.bob, 'PUT', `/messages/${message.id}/reactions/%F0%9F`)).toStartWith('400');
  });

  test('returns 409 beyond the maximum number of different emoji on a message', async () => {
    await using team = await startTeam();
    const message = await team.message(team.ada, 'x');
    const emoji = Array.from({ length: LIMITS.reactionsPerMessage + 1 }, (_, n) => String.fromCodePoint(0x1f400 + n));
    for (const each of emoji.slice(0, -1)) {
      expect((await team.ada.json('PUT', path(message, each))).status).toBe(200);
    }
    const seq = await team.seq();
    const [first = '', last = ''] = [emoji[0], emoji.at(-1)];
    expect(await statusAndMessageOf(team.bob, 'PUT', path(message, last))).toStartWith(
      '409 This message has 50 different',
    );
    expect(await team.events(seq)).toEqual([]);
    expect((await team.bob.json('PUT', path(message, first))).status).toBe(200);
  });

  test('requires an existing message and a user account', async () => {
    await using team = await startTeam();
    const note = await team.note(team.ada, { content: 'n' });
    expect(await statusAndMessageOf(team.ada, 'PUT', path(note, '👍'))).toBe(`404 There is no message ${note.id}.`);
    expect(await statusAndMessageOf(team.ada, 'DELETE', path({ id: 'msg_0' }, '👍'))).toBe(
      '404 There is no message msg_0.',
    );
    const message = await team.message(team.ada, 'x');
    expect(await statusAndMessageOf(team.ada, 'PUT', path(message, '👍'), { emoji: '👍' })).toStartWith(
      '400 emoji is not a field',
    );
    expect((await team.hub.admin.raw('PUT', path(message, '👍'))).status).toBe(403);
  });
});
