import { describe, expect, test } from 'bun:test';
import { itemSubject } from '../testing/item-subject.ts';
import { type OpenStoreUnderTest, rejectsWith } from '../testing/store-subject.ts';

/**
 * Describes what every adapter promises about replies, reactions and conversions. Call it from a test file of the
 * adapter.
 */
export function describeThreads(name: string, open: OpenStoreUnderTest): void {
  describe(`replies, reactions and conversions in the store on ${name}`, () => {
    const { subject, ids, create, reply, find, remove, react, convert, events } = itemSubject(open);

    describe('replies', () => {
      test('are counted per message, with the time of the newest reply', async () => {
        const parent = await create();
        await reply(parent, { createdAt: 110 });
        const second = await reply(parent, { createdAt: 120, hubId: 'hub_of_nobody' });
        expect(second.hubId).toBe(ids.hubId);
        expect(await find(parent.id)).toMatchObject({ replyCount: 2, lastReplyAt: 120 });
        await remove(second.id);
        expect(await find(parent.id)).toMatchObject({ replyCount: 1, lastReplyAt: 110 });
        expect(events().slice(3)).toEqual([
          'message.created',
          'message.changed',
          'message.created',
          'message.changed',
          'message.deleted',
          'message.changed',
        ]);
        const page = await subject.store.items.listReplies({ parentId: parent.id, limit: 10 });
        expect(page).toMatchObject({ next: null, seqs: { [ids.hubId]: 9 } });
        expect(page.items.map(({ createdAt }) => createdAt)).toEqual([110]);
      });

      test('cannot have replies themselves', async () => {
        const child = await reply(await create());
        await rejectsWith(reply(child), 'not_found');
        await rejectsWith(reply(await create({ kind: 'note' })), 'not_found');
      });
    });

    describe('reactions', () => {
      test('by two users at the same time are both kept, and each user counts only once', async () => {
        const { id } = await create();
        await Promise.all([react(id, ids.ada), react(id, ids.bob), react(id, ids.ada)]);
        const [reaction] = (await find(id)).reactions;
        expect(reaction?.emoji).toBe('👍');
        expect(new Set(reaction?.personIds)).toEqual(new Set([ids.ada, ids.bob]));
        await Promise.all([react(id, ids.ada, false), react(id, ids.ada, false)]);
        expect((await find(id)).reactions).toEqual([{ emoji: '👍', personIds: [ids.bob] }]);
        expect(events().filter((event) => event === 'message.changed')).toHaveLength(3);
      });
    });

    describe('conversions', () => {
      test('at the same time create one item, which both requests return', async () => {
        const { id } = await create();
        const [one, other] = await Promise.all([convert(id), convert(id, { kind: 'note' })]);
        expect([one.isNew, other.isNew]).toEqual([true, false]);
        expect(other.item).toEqual(one.item);
        expect(one.item).toMatchObject({ hubId: ids.hubId, sourceId: id });
        expect(await find(id)).toMatchObject({ conversionId: one.item.id, conversionKind: 'todo' });
        expect(events().slice(3)).toEqual(['todo.created', 'message.changed']);
      });

      test('apply only to messages and replies', async () => {
        await rejectsWith(convert((await create({ kind: 'note' })).id), 'not_found');
        await rejectsWith(convert('msg_unknown'), 'not_found');
        expect((await convert((await reply(await create())).id)).isNew).toBe(true);
      });

      test('can be repeated after their result was deleted', async () => {
        const { id } = await create();
        const { item } = await convert(id);
        await remove(item.id);
        expect(await find(id)).toMatchObject({ conversionId: null, conversionKind: null });
        expect((await convert(id)).isNew).toBe(true);
      });
    });
  });
}
