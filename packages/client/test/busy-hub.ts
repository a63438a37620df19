import type { Item, StreamPage } from '@hub/contract';
import { restartHub, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf, newTokenOf, signIn, type UserCaller } from '@hub/testkit/in-process/users';
import { pick } from '@hub/testkit/random';

/** Starts the real server and a member who performs random actions of every kind that changes items in one Hub. */
export async function startBusyHub(random: () => number) {
  let hub: TestHub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub('Busy');
  let ada: UserCaller = await memberOf(hub, hubId);
  const items: Item[] = [];

  const call: UserCaller['call'] = (...request) => ada.call(...request);
  const create = async (path: string, body: object): Promise<void> => {
    items.push(await call<Item>('POST', `/hubs/${hubId}/${path}`, body));
  };

  /** Performs one random action. */
  const act = async (): Promise<void> => {
    const text = `Number ${items.length}`;
    const item = items.length < 5 ? undefined : pick(random, items);
    const dice = random();
    if (item === undefined || dice < 0.3) return create('messages', { text });
    if (dice < 0.4) return create('notes', { title: text, content: text });
    if (dice < 0.5) return create('todos', { title: text });
    if (dice < 0.55) {
      items.splice(items.indexOf(item), 1);
      await call('DELETE', `/${item.kind}s/${item.id}`);
    } else if (dice < 0.65) {
      await call('POST', `/items/${item.id}/replies`, { text });
    } else if (item.kind === 'note') {
      await call('PATCH', `/notes/${item.id}`, { content: text });
    } else if (item.kind === 'todo') {
      await call('PATCH', `/todos/${item.id}`, { status: pick(random, ['open', 'done']), title: text });
    } else if (dice < 0.8) {
      await call('PATCH', `/messages/${item.id}`, { text });
    } else {
      await call(
        pick(random, ['PUT', 'DELETE']),
        `/messages/${item.id}/reactions/${encodeURIComponent(pick(random, ['👍', '🎉']))}`,
      );
    }
  };

  return {
    hubId,
    act,
    port: () => Number(new URL(hub.url).port),
    token: () => newTokenOf(hub, ada.user),
    seq: async () => (await hub.store.events.span(hubId))?.seq ?? 0,
    /** Restarts the server, as for an upgrade; sessions stay valid. */
    restart: async (): Promise<void> => {
      hub = await restartHub(hub);
      ada = await signIn(hub, ada.user);
    },
    /** Loads all items as a member would, with the event number that they reflect. */
    load: async (): Promise<{ items: Item[]; seq: number; epoch: string }> => {
      const items: Item[] = [];
      let before = '';
      for (;;) {
        const page = await call<StreamPage>('GET', `/stream?hubId=${hubId}&limit=100${before}`);
        items.push(...page.items);
        if (page.next === null) return { items, seq: page.seqs[hubId] ?? 0, epoch: page.epoch };
        before = `&before=${page.next}`;
      }
    },
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}
