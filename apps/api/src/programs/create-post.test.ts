import { describe, expect, test } from 'bun:test';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { StoreUnavailable } from '../platform/errors.ts';
import { type NewPost, NO_CONTENT } from '../storage/items.ts';
import type { Store } from '../storage/store.ts';

describe('creating a post', () => {
  test('returns 201 only after the store confirms that the post is on disk', async () => {
    let isPosting = false;
    const flushed = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    await using hub = await startTestHub({
      wrapStore: (store) =>
        withPosts(store, async (...post) => {
          const result = await store.posts.write(...post);
          if (!isPosting) return result;
          reached.resolve();
          await flushed.promise;
          return result;
        }),
    });
    const caller = await publicCaller(hub);
    isPosting = true;
    let hasResponse = false;
    const response = caller.post('messages', { text: 'x' }).finally(() => {
      hasResponse = true;
    });
    await reached.promise;
    // Meanwhile, another request completes, so a response that does not wait for the disk would have arrived.
    await caller.post('messages', {});
    expect(hasResponse).toBe(false);
    flushed.resolve();
    expect((await response).status).toBe(201);
  });

  test('counts each request of a key once, even if the store fails for one of them', async () => {
    let isFailing = false;
    await using hub = await startTestHub({
      wrapStore: (store) =>
        withPosts(store, async (...post) => {
          if (isFailing) throw new StoreUnavailable(new Error('disk full'));
          return store.posts.write(...post);
        }),
    });
    const caller = await publicCaller(hub);
    isFailing = true;
    expect((await caller.post('messages', { text: 'x' })).status).toBe(503);
    isFailing = false;
    expect((await caller.post('messages', { text: 'x' })).status).toBe(201);
    expect(await hub.admin.showKey(caller.keyId)).toMatchObject({ requestCount: 2, postCount: 1 });
  });

  test('passes each kind to the store with its own fields, and null for the others', async () => {
    const posts: NewPost[] = [];
    await using hub = await startTestHub({
      wrapStore: (store) =>
        withPosts(store, (post, rule) => {
          posts.push(post);
          return store.posts.write(post, rule);
        }),
    });
    const caller = await publicCaller(hub);
    await caller.post('messages', { text: '# Hi' });
    await caller.post('notes', { content: 'c', title: 't' });
    await caller.post('todos', { title: 't' });
    expect(posts).toMatchObject([
      { ...NO_CONTENT, kind: 'message', body: '# Hi' },
      { ...NO_CONTENT, kind: 'note', title: 't', body: 'c' },
      { ...NO_CONTENT, kind: 'todo', title: 't' },
    ]);
  });
});

function withPosts(store: Store, write: Store['posts']['write']): Store {
  return { ...store, posts: { write } };
}
