import { describe, expect, test } from 'bun:test';
import type { Item, Message, StreamPage } from '@hub/contract';
import { startTeam, statusAndMessageOf, teamOn } from '@hub/testkit/in-process/team';
import { addMember, memberOf, signedIn, type UserCaller } from '@hub/testkit/in-process/users';

async function mentions(caller: UserCaller, query = ''): Promise<string[]> {
  const { body } = await caller.json<StreamPage>('GET', `/mentions${query}`);
  return body.items.map(({ id }) => id);
}

describe('a mention', () => {
  test('is found in messages, replies, notes and to-dos by users and keys, including titles and blocks', async () => {
    await using team = await startTeam();
    const { ada, bob } = team;
    const message = await team.message(bob, 'Hi @Ada');
    const items: Item[] = [
      message,
      await team.reply(bob, message, 'and @ada lovelace'),
      await team.note(bob, { title: 'For @Ada', content: 'x' }),
      await team.todo(bob, { title: 'x', content: '@Ada, please' }),
      await team.post('messages', { text: '@Ada' }),
      await team.post('messages', { text: '@Bob', blocks: [{ type: 'paragraph', data: { text: '@Ada' } }] }),
      await team.post('notes', { content: 'x @Ada' }),
      await team.post('todos', { title: '@Ada' }),
    ];
    for (const item of items) expect(item.mentions).toEqual([ada.user.id]);
    expect(await mentions(ada)).toEqual(items.map(({ id }) => id).reverse());
    expect(await mentions(bob)).toEqual([]);
    expect(await mentions(ada, `?limit=2&before=${items[3]?.id}`)).toEqual([items[2]?.id ?? '', items[1]?.id ?? '']);
  });

  test('needs no spaces in scripts without them, and goes to everyone it may mean, also in posts by keys', async () => {
    await using team = await startTeam();
    const named = async (name: string) => (await memberOf(team.hub, team.hubId, { name })).user.id;
    const [tanaka, li] = [await named('田中太郎'), await named('李雷')];
    const graces = [await named('Grace Hopper'), await named('Grace Kelly')].sort();
    for (const [text, ids] of [
      ['@田中太郎さん', [tanaka]],
      ['＠田中太郎', [tanaka]],
      ['请@李雷 看', [li]],
      ['@Grace, please', graces],
      ['ada@Grace.org', []],
    ] as const) {
      for (const { mentions } of [await team.message(team.ada, text), await team.post('messages', { text })]) {
        expect(mentions.toSorted()).toEqual([...ids]);
      }
    }
  });

  test('is recognized only for active members of the Hub', async () => {
    await using team = await startTeam();
    await signedIn(team.hub, { name: 'Eve' });
    const gone = await memberOf(team.hub, team.hubId, { name: 'Gone' });
    expect((await team.message(team.ada, '@Gone')).mentions).toEqual([gone.user.id]);
    await team.hub.admin.raw('POST', `/users/${gone.user.id}/deactivation`);
    expect((await team.message(team.ada, '@Gone')).mentions).toEqual([]);
    expect((await team.message(team.ada, '@Eve `@Bob` bob@example.org')).mentions).toEqual([]);
  });

  test('is updated by an edit, and removed with its item', async () => {
    await using team = await startTeam();
    const { ada, bob } = team;
    const message = await team.message(ada, 'Hi @Ada');
    const edited = await ada.json<Message>('PATCH', `/messages/${message.id}`, { text: 'Hi @Bob' });
    expect(edited.body.mentions).toEqual([bob.user.id]);
    expect([await mentions(ada), await mentions(bob)]).toEqual([[], [message.id]]);
    await ada.json('DELETE', `/messages/${message.id}`);
    expect(await mentions(bob)).toEqual([]);
  });

  test('stays when the mentioned user or the author is renamed', async () => {
    await using team = await startTeam();
    const { ada, bob } = team;
    const message = await team.message(ada, 'Hi @Bob Kahn');
    for (const { json, user } of [ada, bob]) await json('PATCH', '/me', { name: `Another ${user.name}` });
    const shown = await team.show(message);
    expect(shown).toMatchObject({ mentions: [bob.user.id], author: { name: 'Another Ada Lovelace' }, version: 1 });
    expect(await mentions(bob)).toEqual([message.id]);
    expect((await team.message(ada, '@Bob Kahn')).mentions).toEqual([]);
  });

  test('is listed across Hubs with their event numbers, but only while the user may read the Hub', async () => {
    await using team = await startTeam();
    const other = await teamOn(team.hub, ['Cy', 'Di']);
    await addMember(team.hub, other.hubId, team.ada.user);
    const here = await team.message(team.bob, '@Ada');
    const there = await other.message(other.ada, '@Ada');
    const { body } = await team.ada.json<StreamPage>('GET', '/mentions');
    expect(body.items.map(({ id }) => id)).toEqual([there.id, here.id]);
    expect(body.seqs).toEqual({ [team.hubId]: await team.seq(), [other.hubId]: await other.seq() });
    await team.hub.admin.raw('DELETE', `/hubs/${other.hubId}/members/${team.ada.user.id}`);
    expect(await mentions(team.ada)).toEqual([here.id]);
    expect(await statusAndMessageOf(team.ada, 'GET', '/mentions?userId=x')).toStartWith(
      '400 userId is not a known parameter',
    );
    expect((await team.hub.admin.raw('GET', '/mentions')).status).toBe(403);
  });
});
