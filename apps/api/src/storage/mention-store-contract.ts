import { describe, expect, test } from 'bun:test';
import { itemSubject } from '../testing/item-subject.ts';
import { newKey, newPost } from '../testing/store-records.ts';
import type { OpenStoreUnderTest } from '../testing/store-subject.ts';
import { deleteMember, insertKey, insertMember, insertPost, markRead } from '../testing/store-writes.ts';
import { newUser } from '../testing/users-records.ts';

/**
 * Describes what every adapter promises about mentions of a user, replies to that user, and which of them
 * the user has read.
 */
export function describeMentions(name: string, open: OpenStoreUnderTest): void {
  describe(`mentions and replies to a user in the store on ${name}`, () => {
    const { subject, ids, create, reply, remove } = itemSubject(open);
    const { ada, bob } = { ada: () => ids.ada, bob: () => ids.bob };
    const unread = (personId: string, limit = 100) =>
      subject.store.mentions.unreadIds({ personId, hubId: ids.hubId, limit });
    const listed = async (personId: string) => {
      const page = await subject.store.items.listMentioning({ personId, hubIds: [ids.hubId], limit: 100 });
      return page.items.map(({ id }) => (page.unreadIds.includes(id) ? id : `${id} read`));
    };
    const edit = (itemId: string, body: string, personId = ids.ada) =>
      subject.store.items.change({ itemId, at: 5, personId, changes: { body } });
    const markHub = (personId: string, kind?: 'message' | 'note' | 'todo') =>
      markRead(subject.store, { hubId: ids.hubId, personId, seq: 1_000, kind });

    test('are items that mention the user, and replies in threads they started or wrote in, each listed once', async () => {
      const begun = await create({ authorId: bob() });
      const foreign = await create();
      const response = await reply(begun, { body: 'and @Bob' });
      const elsewhere = await reply(foreign);
      const joined = await reply(foreign, { authorId: bob() });
      const further = await reply(foreign);
      const named = await create({ body: '@Bob Kahn' });
      expect(await listed(bob())).toEqual([named.id, further.id, response.id]);
      expect(await unread(bob())).toEqual([named.id, further.id, response.id]);
      expect(await unread(bob(), 2)).toEqual([named.id, further.id]);
      expect(await listed(ada())).toEqual([joined.id]);
      expect(await subject.store.mentions.threadParticipants(further.id)).toEqual([bob()]);
      expect(await subject.store.mentions.threadParticipants(elsewhere.id)).toEqual([]);
    });

    test("do not include the user's own items, even if they mention the user", async () => {
      const own = await create({ body: '@Ada' });
      await reply(own);
      expect(own.mentions).toEqual([ada()]);
      expect([await listed(ada()), await unread(ada())]).toEqual([[], []]);
    });

    test('include replies in a thread for the writers of its newest hundred replies, if they are still members of the Hub', async () => {
      const parent = await create();
      const { id: cy } = await subject.users.create(newUser({ name: 'Cy' }, [ids.hubId]));
      for (const authorId of [cy, bob()]) await reply(parent, { authorId });
      for (let n = 0; n < 98; n += 1) await reply(parent, { createdAt: n });
      expect([(await unread(bob())).length, (await unread(cy)).length]).toEqual([98, 99]);
      for (let n = 0; n < 2; n += 1) await reply(parent);
      expect([(await unread(bob(), 200)).length, (await unread(cy, 200)).length]).toEqual([99, 99]);
      await deleteMember(subject.store, ids.hubId, bob());
      const last = await reply(parent, { authorId: cy });
      expect(await subject.store.mentions.threadParticipants(last.id)).toEqual([ada()]);
    });

    test('stay read when an edit mentions the user again; replies stay listed if an edit removes the mention', async () => {
      const parent = await create({ authorId: bob() });
      const response = await reply(parent, { body: '@Bob' });
      const named = await create({ body: '@Bob' });
      await subject.store.mentions.markRead({ personId: bob(), itemIds: [response.id, named.id] });
      for (const { id } of [response, named]) await edit(id, 'Nobody');
      expect(await listed(bob())).toEqual([`${response.id} read`]);
      for (const { id } of [response, named]) await edit(id, '@Bob, once more');
      expect(await listed(bob())).toEqual([named.id, `${response.id} read`]);
    });

    test('are unread for a user first mentioned in an edit, but not for the editor', async () => {
      const note = await create({ kind: 'note', body: 'x' });
      await edit(note.id, '@Bob', bob());
      expect(await listed(bob())).toEqual([`${note.id} read`]);
      await edit(note.id, 'x');
      await edit(note.id, '@Bob');
      expect(await unread(bob())).toEqual([note.id]);
    });

    test('are marked as read, except replies, when the read mark of their kind or of the whole Hub moves past them', async () => {
      const kinds = ['message', 'note', 'todo'] as const;
      const [message, note, todo] = await Promise.all(
        kinds.map((kind) => create({ kind, title: kind === 'message' ? null : 'T', body: '@Bob' })),
      );
      if (!message || !note || !todo) throw new Error('Expected three items');
      const response = await reply(message, { body: '@Bob' });
      const lastMention = await create({ body: '@Bob' });
      const left = async () => (await unread(bob())).toSorted();
      await markRead(subject.store, {
        hubId: ids.hubId,
        personId: bob(),
        seq: response.seq,
        kind: 'message',
      });
      expect(await left()).toEqual([note.id, todo.id, response.id, lastMention.id].toSorted());
      await markHub(bob(), 'note');
      expect(await left()).toEqual([todo.id, response.id, lastMention.id].toSorted());
      await markHub(bob());
      expect(await left()).toEqual([response.id]);
    });

    test('are marked as read one by one, up to a given item, or in a thread up to a given event', async () => {
      const { mentions } = subject.store;
      const parent = await create({ authorId: bob() });
      const [one, two, three] = [await reply(parent), await reply(parent), await reply(parent)];
      const named = await create({ body: '@Bob' });
      await mentions.markThreadRead({ personId: bob(), messageId: parent.id, seq: one.seq });
      expect(await unread(bob())).toEqual([named.id, three.id, two.id]);
      await mentions.markThreadRead({ personId: bob(), messageId: 'msg_unknown', seq: 1_000 });
      await mentions.markThreadRead({ personId: bob(), messageId: named.id, seq: named.seq });
      await mentions.markRead({ personId: bob(), itemIds: [three.id, one.id, 'msg_unknown'] });
      await mentions.markRead({ personId: ada(), itemIds: [two.id] });
      expect(await unread(bob())).toEqual([two.id]);
      expect(await mentions.markReadUpTo({ personId: bob(), itemId: parent.id })).toBe(false);
      expect(await mentions.markReadUpTo({ personId: bob(), itemId: one.id })).toBe(true);
      expect(await unread(bob())).toEqual([two.id]);
      expect(await mentions.markReadUpTo({ personId: bob(), itemId: three.id })).toBe(true);
      expect(await unread(bob())).toEqual([]);
    });

    test('disappear when their item is deleted, and come back when it is restored', async () => {
      const key = await insertKey(subject.store, newKey(ids.hubId));
      const post = newPost(key, { body: '@Bob' });
      await insertPost(subject.store, post);
      const named = await create({ body: '@Bob' });
      await remove(named.id);
      expect(await unread(bob())).toEqual([post.id]);
      const range = { keyId: key.id, hubId: ids.hubId, fromAt: null, toAt: null };
      const ranks = await subject.store.removals.postRanks(range);
      const removal = { removalId: 'rmv_1', keyId: key.id, at: 5 };
      await subject.store.transaction((tx) => tx.removals.deletePosts(removal, ranks));
      expect(await unread(bob())).toEqual([]);
      await subject.store.transaction((tx) => tx.removals.restorePosts({ ...removal, at: 6 }, 10));
      expect(await unread(bob())).toEqual([post.id]);
    });

    test('are already read for a user who rejoins the Hub', async () => {
      const named = await create({ body: '@Bob' });
      await deleteMember(subject.store, ids.hubId, bob());
      await insertMember(subject.store, ids.hubId, bob());
      expect(await listed(bob())).toEqual([`${named.id} read`]);
    });

    test('are reported after the commit for users whose unread mentions or replies changed', async () => {
      const parent = await create({ authorId: bob() });
      const unreadChangesOf = (write: () => Promise<unknown>) => subject.notifiedUnreadBy(write);
      const bobOnly = [{ personId: bob(), hubId: ids.hubId }];
      let response = parent;
      expect(
        await unreadChangesOf(async () => {
          response = await reply(parent);
        }),
      ).toEqual(bobOnly);
      const readThread = () =>
        subject.store.mentions.markThreadRead({ personId: bob(), messageId: parent.id, seq: response.seq });
      expect(await unreadChangesOf(readThread)).toEqual(bobOnly);
      expect(await unreadChangesOf(readThread)).toEqual([]);
      expect(await unreadChangesOf(() => create({ body: '@Ada, nobody else' }))).toEqual([]);
      expect(await unreadChangesOf(() => create({ body: '@Bob' }))).toEqual(bobOnly);
      expect(await unreadChangesOf(() => markHub(bob()))).toEqual(bobOnly);
    });
  });
}
