import { expect, test } from 'bun:test';
import type { Message } from '@hub/contract';
import { shared } from '@hub/testkit/in-process/shared';
import { startTeam, type Team, teamIn } from '@hub/testkit/in-process/team';
import { AppError } from '../../platform/errors.ts';
import { readEmoji } from './react-to-message.ts';

const base = shared(startTeam);
/** Returns a Hub of its own, with the same users. */
const newTeam = () => teamIn(base.hub, base);
const repliesTo = ({ ada }: Team, { id: itemId }: { id: string }) =>
  ada.request('GET /items/{itemId}/replies', { itemId });
const texts = ({ items }: { items: readonly Message[] }) => items.map(({ text }) => text);

test('a reply is listed under its message, note or to-do, whether by the bot or a user, and in no list of the Hub', async () => {
  const team = await newTeam();
  for (const item of [
    await team.post('messages', { text: 'bot' }),
    await team.message(team.ada, 'human'),
    await team.note(team.ada, { content: 'note' }),
    await team.todo(team.ada, { title: 'to-do' }),
  ]) {
    const seq = await team.seq();
    const reply = await team.reply(team.bob, item, 'answer');
    expect(await team.events(seq)).toEqual(['message.created', `${item.kind}.changed`]);
    expect(reply).toMatchObject({ kind: 'message', parentId: item.id, text: 'answer', replyCount: 0 });
    const shown = { replyCount: 1, lastReplyAt: reply.createdAt, repliers: [team.bob.user.id] };
    expect(await team.show(item)).toMatchObject(shown);
    expect((await repliesTo(team, item)).items).toEqual([reply]);
    expect(await team.show(reply)).toEqual(reply);
  }
  expect(texts(await team.messages())).toEqual(['human', 'bot']);
});

test('a reply returns 400 when replied to, with the id of the item that starts its thread', async () => {
  const team = await newTeam();
  const message = await team.message(team.ada, 'question');
  const reply = await team.reply(team.bob, message, 'answer');
  const error = await team.ada.outcome('POST', `/items/${reply.id}/replies`, { text: 'x' });
  expect(error).toBe(`400 ${reply.id} is itself a reply. Reply to ${message.id} instead.`);
  expect(await team.ada.outcome('GET', `/items/${reply.id}/replies`)).toStartWith('400 ');
});

test('a reply disappears from its thread when deleted, and outlives its message, which stays without content', async () => {
  const team = await newTeam();
  const message = await team.message(team.ada, 'question');
  const thread = async () => texts(await repliesTo(team, message));
  const first = await team.reply(team.bob, message, 'first');
  base.hub.clock.advance(1_000);
  const second = await team.reply(team.bob, message, 'second');
  const seq = await team.seq();
  await team.bob.json('DELETE', `/messages/${second.id}`);
  expect(await team.events(seq)).toEqual(['message.deleted', 'message.changed']);
  expect(await team.show(message)).toMatchObject({ replyCount: 1, lastReplyAt: first.createdAt });
  expect(await thread()).toEqual(['first']);
  await team.ada.json('DELETE', `/messages/${message.id}`);
  const [blank] = (await team.messages()).items;
  expect(blank).toMatchObject({ id: message.id, text: null, deletedAt: expect.any(String), replyCount: 1 });
  expect(await team.show(message)).toEqual(blank as Message);
  expect(await thread()).toEqual(['first']);
  const late = await team.ada.outcome('POST', `/items/${message.id}/replies`, { text: 'late' });
  expect(late).toBe(`404 The item ${message.id} was deleted.`);
  // Deleting the last reply also removes the empty message.
  await team.bob.json('DELETE', `/messages/${first.id}`);
  expect((await team.messages()).items).toEqual([]);
  expect(await team.ada.outcome('GET', `/items/${message.id}`)).toStartWith('404');
});

test('a reply outlives its note or to-do, which leaves all lists when deleted and comes back with its replies', async () => {
  const team = await newTeam();
  const { hubId } = team;
  const lists = async () => [
    ...[(await team.notes()).items, (await team.todos()).items],
    (await team.ada.request('GET /stream', { query: { hubId } })).items.map(({ id }) => id),
  ];
  for (const kind of ['note', 'todo'] as const) {
    const item = await team[kind](team.ada, { title: 'x', content: 'x' });
    const reply = await team.reply(team.bob, item, 'answer');
    await team.bob.json('DELETE', `/${item.kind}s/${item.id}`);
    expect(await lists()).toEqual([[], [], [reply.id]]);
    expect(texts(await repliesTo(team, item))).toEqual(['answer']);
    await team.bob.json('POST', `/items/${item.id}/restoration`);
    expect(await team.show(item)).toMatchObject({ replyCount: 1, deletedAt: null });
    await team.bob.json('DELETE', `/messages/${reply.id}`);
    expect(await team.show(item)).toMatchObject({ replyCount: 0, lastReplyAt: null });
    await team.bob.json('DELETE', `/${item.kind}s/${item.id}`);
  }
});

const path = (message: { id: string }, emoji: string) =>
  `/messages/${message.id}/reactions/${encodeURIComponent(emoji)}`;

test('a reaction can be added to and removed from replies and messages, both by the bot and by users', async () => {
  const team = await newTeam();
  const posted = await team.post('messages', { text: 'bot' });
  const own = await team.message(team.ada, 'human');
  const reply = await team.reply(team.bob, own, 'reply');
  for (const message of [posted, own, reply]) {
    await team.ada.json('PUT', path(message, '👍'));
    base.hub.clock.advance(1);
    const { reactions } = await team.bob.call<Message>('PUT', path(message, '👍'));
    expect(reactions).toEqual([{ emoji: '👍', userIds: [team.ada.user.id, team.bob.user.id] }]);
    expect((await team.show(message)).reactions).toEqual(reactions);
    const left = await team.ada.call<Message>('DELETE', path(message, '👍'));
    expect(left.reactions).toEqual([{ emoji: '👍', userIds: [team.bob.user.id] }]);
  }
});

test('a reaction creates one event and does not count as an edit; repeating it changes nothing', async () => {
  const team = await newTeam();
  const message = await team.message(team.ada, 'x');
  const seq = await team.seq();
  await team.bob.json('PUT', path(message, '🎉'));
  const body = await team.bob.call<Message>('PUT', path(message, '🎉'));
  expect(body).toMatchObject({ version: 1, editedAt: null, reactions: [{ userIds: [team.bob.user.id] }] });
  // Users cannot remove the reactions of others.
  for (const user of [team.ada, team.bob, team.bob]) await user.call('DELETE', path(message, '🎉'));
  expect(await team.events(seq)).toEqual(['message.changed', 'message.changed']);
});

test('a reaction must be a single emoji, in any spelling', async () => {
  const team = await newTeam();
  const message = await team.message(team.ada, 'x');
  for (const emoji of ['❤', '❤️']) await team.bob.json('PUT', path(message, emoji));
  expect((await team.show(message)).reactions).toEqual([{ emoji: '❤️', userIds: [team.bob.user.id] }]);
  await team.bob.json('DELETE', path(message, '❤'));
  expect((await team.show(message)).reactions).toEqual([]);
  expect(await team.bob.outcome('PUT', path(message, '👍👍'))).toStartWith('400 A reaction must be a single emoji');
});

test('one emoji is accepted, in its usual spelling', () => {
  const usual = '👍 👍🏽 🏳️‍🌈 👨‍👩‍👧‍👦 🇩🇪 1️⃣ ❤️ ❤️‍🔥 ☝🏽 🏴󠁧󠁢󠁳󠁣󠁴󠁿'.split(' ');
  expect(usual.map(readEmoji)).toEqual(usual);
  // With and without the selectors that show them as emoji.
  const others = { '❤': '❤️', '🏳‍🌈': '🏳️‍🌈', '1⃣': '1️⃣', '❤‍🔥': '❤️‍🔥', '👍️': '👍', '☝️🏽': '☝🏽' };
  for (const [sent, emoji] of Object.entries(others)) expect([sent, readEmoji(sent)]).toEqual([sent, emoji]);
  const rejected = ['', ' ', '👍 ', '👍'.repeat(10_000), ...'a :+1: 1 # 👍👍 \u{fe0f} \u{200d} 🇩'.split(' ')];
  for (const text of rejected) expect(() => readEmoji(text)).toThrow(AppError);
});
