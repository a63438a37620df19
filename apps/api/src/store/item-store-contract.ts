import { beforeEach, describe, expect, test } from 'bun:test';
import { itemQuery, newItem } from '../testing/item-records.ts';
import { newPerson } from '../testing/people-records.ts';
import { hubRecord, newKey, newPost, testAudit } from '../testing/store-records.ts';
import { failure, type OpenStoreUnderTest, refuses, storeSubject } from '../testing/store-subject.ts';
import type { ItemRecord, NewItem } from './item-store.ts';

/** What every adapter promises of items and their changes. Run it from a test file of the adapter. */
export function describeItemStore(name: string, open: OpenStoreUnderTest): void {
  describe(`items in the store on ${name}`, () => {
    const subject = storeSubject(open);
    let hubId: string;
    let ada: string;
    let bob: string;
    beforeEach(async () => {
      hubId = (await subject.store.hubs.create(hubRecord(), testAudit())).id;
      ada = (await subject.people.create(newPerson({}, [hubId]))).id;
      bob = (await subject.people.create(newPerson({ name: 'Bob Kahn' }, [hubId]))).id;
    });
    const create = (over: Partial<NewItem> = {}) => subject.store.items.create(newItem(hubId, ada, over));
    const find = async (id: string): Promise<ItemRecord> => {
      const found = await subject.store.items.find(id);
      if (!found) throw new Error(`There is no ${id}`);
      return found;
    };
    const events = () => subject.eventsOf(hubId).map(({ event }) => event);
    const reply = (parent: ItemRecord, over: Partial<NewItem> = {}) =>
      create({ kind: 'reply', parentId: parent.id, ...over });
    const remove = (id: string, at = 200) => subject.store.items.delete({ itemId: id, at, audit: testAudit() });
    const react = (itemId: string, personId: string, isOn = true) =>
      subject.store.items.react({ itemId, emoji: '👍', personId, at: 150, isOn });
    const convert = (messageId: string, over: Partial<NewItem> = {}) =>
      subject.store.items.convert({ messageId, item: newItem(hubId, bob, { kind: 'todo', title: 'T', ...over }) });

    describe('an item', () => {
      test('is found as it was written, with the names of those who had to do with it', async () => {
        const given = newItem(hubId, ada, { kind: 'todo', title: 'T', dueAt: 5, priority: 'LOW', assigneeId: bob });
        const made = await subject.store.items.create(given);
        expect(made).toMatchObject({
          ...given,
          seq: 3,
          authorKind: 'person',
          authorName: 'Ada Lovelace',
          assigneeName: 'Bob Kahn',
          status: 'open',
          version: 1,
          deletedAt: null,
          reactions: [],
          mentions: [],
        });
        expect(await find(given.id)).toEqual(made);
        expect(await subject.store.items.find('msg_unknown')).toBeNull();
        expect(events()).toEqual(['member.added', 'member.added', 'todo.created']);
      });

      test('comes from a key or from a person, and is of one of them', async () => {
        const key = await subject.store.keys.issue(newKey(hubId));
        const post = newPost(key);
        await subject.store.posts.create(post);
        const own = await create();
        expect(await find(post.id)).toMatchObject({
          authorKind: 'bot',
          authorName: 'Bot',
          keyName: 'ci',
          keyId: key.id,
        });
        expect(await subject.store.items.findOrigin(post.id)).toEqual({
          keyId: key.id,
          address: post.address,
          requestId: post.requestId,
        });
        expect(await subject.store.items.findOrigin(own.id)).toBeNull();
        expect(await subject.store.items.findOrigin('msg_unknown')).toBeNull();
      });

      test('goes into no Hub that was deleted meanwhile, and none of its changes do', async () => {
        const made = await create();
        const taken = await create({ id: `${made.id}2` });
        await subject.store.hubs.delete({ hubId, audit: testAudit() });
        const before = [events(), await find(made.id), await find(taken.id)];
        const change = { itemId: made.id, at: 200, personId: ada, changes: { body: 'x' } };
        await refuses(create(), 'not_found');
        await refuses(reply(made), 'not_found');
        await refuses(subject.store.items.change(change), 'not_found');
        await refuses(react(made.id, ada), 'not_found');
        await refuses(convert(made.id), 'not_found');
        await refuses(remove(taken.id), 'not_found');
        expect([events(), await find(made.id), await find(taken.id)]).toEqual(before);
      });

      test('is gone for every change once it was deleted, and each is refused', async () => {
        const { id } = await create();
        await remove(id);
        await refuses(
          subject.store.items.change({ itemId: id, at: 300, personId: ada, changes: { body: 'x' } }),
          'not_found',
        );
        await refuses(react(id, ada), 'not_found');
        await refuses(convert(id), 'not_found');
        await refuses(create({ kind: 'reply', parentId: id }), 'not_found');
        await refuses(remove('msg_unknown'), 'not_found');
      });
    });

    describe('a change', () => {
      const change = (itemId: string, changes: object, baseVersion?: number) =>
        subject.store.items.change({ itemId, at: 200, personId: bob, changes, baseVersion });

      test('of the content is an edit, of anything else is not', async () => {
        const { id } = await create({ kind: 'todo', title: 'T' });
        expect(await change(id, { title: 'U', dueAt: 7 })).toMatchObject({
          title: 'U',
          dueAt: 7,
          version: 2,
          editedAt: 200,
        });
        const done = await change(id, { status: 'done', assigneeId: ada });
        expect(done).toMatchObject({ version: 2, finishedAt: 200, finishedById: bob, finishedByName: 'Bob Kahn' });
        expect(await change(id, { status: 'open' })).toMatchObject({ finishedAt: null, finishedById: null });
      });

      test('that changes nothing is no event, and one on another version is a conflict', async () => {
        const made = await create({ body: 'x' });
        const before = events();
        expect(await change(made.id, { body: 'x', blocks: null })).toEqual(made);
        await refuses(change(made.id, { body: 'y' }, 2), 'conflict');
        // Also if it would change nothing.
        await refuses(change(made.id, { body: 'x' }, 2), 'conflict');
        expect([events(), await find(made.id)]).toEqual([before, made]);
      });

      test('of the assignee is refused unless it is an active member', async () => {
        const made = await create({ kind: 'todo', title: 'T' });
        const stranger = (await subject.people.create(newPerson())).id;
        await subject.people.disable({ personId: bob, mayTouchOwners: true, at: 1, audit: testAudit() });
        for (const assigneeId of [stranger, bob, 'usr_unknown'])
          await refuses(change(made.id, { assigneeId }), 'invalid');
        await refuses(create({ kind: 'todo', title: 'T', assigneeId: stranger }), 'invalid');
        await refuses(convert((await create()).id, { assigneeId: stranger }), 'invalid');
        expect(await find(made.id)).toEqual(made);
      });

      test('of two at once on the same version exactly one is made', async () => {
        const { id } = await create();
        const outcomes = await Promise.allSettled([change(id, { body: 'a' }, 1), change(id, { body: 'b' }, 1)]);
        expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
        expect(await find(id)).toMatchObject({ body: 'a', version: 2 });
      });

      test('of the words, and a deletion, is noted for those who read the words again', async () => {
        const made = await create({ kind: 'todo', title: 'T' });
        const other = await create();
        await change(made.id, { status: 'done' });
        expect(subject.touchedRanks()).toEqual([]);
        await change(made.id, { body: 'new words' });
        await remove(other.id);
        expect(subject.touchedRanks()).toEqual([made.rank, other.rank]);
      });
    });

    describe('a deletion', () => {
      test('takes the item out of its list and its audit entry with it, once', async () => {
        const { id } = await create();
        const entries = await subject.auditCount();
        const deleted = await remove(id, 200);
        expect(deleted).toMatchObject({ id, deletedAt: 200 });
        expect(await remove(id, 300)).toEqual(deleted);
        expect(await find(id)).toEqual(deleted);
        expect((await subject.store.items.list(itemQuery([hubId]))).items).toEqual([]);
        expect(await subject.auditCount()).toBe(entries + 1);
        expect(events().filter((event) => event === 'message.deleted')).toHaveLength(1);
      });

      test('leaves nothing if its audit entry cannot be written', async () => {
        const made = await create();
        const before = events();
        const audit = await subject.takenAudit();
        expect(await failure(subject.store.items.delete({ itemId: made.id, at: 200, audit }))).toBeInstanceOf(Error);
        expect([events(), await find(made.id)]).toEqual([before, made]);
        expect((await subject.store.totals(0)).items).toBe(1);
      });

      test('of a message with replies leaves a blank, until the last of them goes', async () => {
        const parent = await create();
        const child = await reply(parent);
        await remove(parent.id);
        const list = async () => (await subject.store.items.list(itemQuery([hubId]))).items.map(({ id }) => id);
        expect(await list()).toEqual([parent.id]);
        await remove(child.id);
        expect(await list()).toEqual([]);
      });
    });

    describe('replies', () => {
      test('are counted by their message, and tell when the newest came', async () => {
        const parent = await create();
        await reply(parent, { createdAt: 110 });
        const second = await reply(parent, { createdAt: 120, hubId: 'hub_of_nobody' });
        expect(second.hubId).toBe(hubId);
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
        expect(page).toMatchObject({ next: null, seqs: { [hubId]: 9 } });
        expect(page.items.map(({ createdAt }) => createdAt)).toEqual([110]);
      });

      test('have none themselves', async () => {
        const child = await reply(await create());
        await refuses(reply(child), 'not_found');
        await refuses(reply(await create({ kind: 'note' })), 'not_found');
      });
    });

    describe('reactions', () => {
      test('of two at once are both kept, each once, the first one first', async () => {
        const { id } = await create();
        await Promise.all([react(id, ada), react(id, bob), react(id, ada)]);
        const [reaction] = (await find(id)).reactions;
        expect(reaction?.emoji).toBe('👍');
        expect(new Set(reaction?.personIds)).toEqual(new Set([ada, bob]));
        await Promise.all([react(id, ada, false), react(id, ada, false)]);
        expect((await find(id)).reactions).toEqual([{ emoji: '👍', personIds: [bob] }]);
        expect(events().filter((event) => event === 'message.changed')).toHaveLength(3);
      });
    });

    describe('conversions', () => {
      test('of two at once make one thing, and both get that', async () => {
        const { id } = await create();
        const [one, other] = await Promise.all([convert(id), convert(id, { kind: 'note' })]);
        expect([one.isNew, other.isNew]).toEqual([true, false]);
        expect(other.item).toEqual(one.item);
        expect(one.item).toMatchObject({ hubId, sourceId: id });
        expect(await find(id)).toMatchObject({ conversionId: one.item.id, conversionKind: 'todo' });
        expect(events().slice(3)).toEqual(['todo.created', 'message.changed']);
      });

      test('are of messages and replies alone', async () => {
        await refuses(convert((await create({ kind: 'note' })).id), 'not_found');
        await refuses(convert('msg_unknown'), 'not_found');
        expect((await convert((await reply(await create())).id)).isNew).toBe(true);
      });

      test('can be made anew when their product was deleted', async () => {
        const { id } = await create();
        const { item } = await convert(id);
        await remove(item.id);
        expect(await find(id)).toMatchObject({ conversionId: null, conversionKind: null });
        expect((await convert(id)).isNew).toBe(true);
      });
    });
  });
}
