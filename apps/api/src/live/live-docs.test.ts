import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { type EventFrame, LIMITS } from '@hub/contract';
import { shared } from '@hub/testkit/in-process/shared';
import { post, startTestHub } from '@hub/testkit/in-process/test-hub';
import { addMember, memberOf, tokenOf } from '@hub/testkit/in-process/users';
import { prune } from '../ops/prune.ts';
import { readClientFrame } from './client-frames.ts';

interface DocumentedClient {
  follow(options: {
    url: string;
    token: string;
    hubId: string;
    show: (event: EventFrame) => unknown;
    load: () => Promise<{ seq: number; epoch: string }>;
  }): () => void;
}

const hub = shared(startTestHub);

/** Globals for the client: the test can terminate the client's sockets, and the client reconnects without waiting. */
const environment = {
  opened: [] as { terminate(): void }[],
  WebSocket: class extends WebSocket {
    constructor(url: string, options: object) {
      super(url, options as unknown as string[]);
      environment.opened.push(this as unknown as { terminate(): void });
    }
  },
  setTimeout: (run: () => void) => {
    if (environment.isAway) environment.comeBack = run;
    else setImmediate(run);
  },
  isAway: false,
  comeBack: () => {},
};

async function documentedClient(): Promise<DocumentedClient> {
  const page = await Bun.file(join(import.meta.dir, '../../../../docs/live.md')).text();
  const code = /^```js\n([\s\S]*?)^```$/m.exec(page)?.[1];
  const file = join(hub.dataDir, 'documented-client.js');
  await Bun.write(file, `const { WebSocket, setTimeout } = globalThis.environment;\n${code}`);
  Object.assign(globalThis, { environment });
  return import(file);
}

test('the client in docs/live.md has no gaps and no duplicates across lost connections and a reset', async () => {
  const { id: hubId } = await hub.admin.createHub();
  const { key } = await hub.admin.issueKey({ hubId });
  const { user } = await memberOf(hub, hubId);
  const reader = await tokenOf(hub, user);
  const shown: EventFrame[] = [];
  let loaded = 0;
  const upTo = async (seq: number) => {
    while ((shown.at(-1)?.seq ?? 0) < seq) await new Promise(setImmediate);
  };
  const { follow } = await documentedClient();
  const stop = follow({
    url: hub.url,
    token: reader.headers.authorization?.replace('Bearer ', '') ?? '',
    hubId,
    show: (event) => shown.push(event),
    load: async () => {
      const { body } = await reader.json<{ seq: number; epoch: string }>('GET', `/hubs/${hubId}/messages`);
      // Only now: a post before the response would be part of the page, and not shown as an event.
      loaded += 1;
      return body;
    },
  });
  const first = await postedAfterSubscribing(hubId, key);
  for (let cut = 0; cut < 20; cut += 1) {
    await post(hub, 'messages', key, { text: `before cut ${cut}` });
    environment.opened.at(-1)?.terminate();
    await post(hub, 'messages', key, { text: `after cut ${cut}` });
    await upTo(first + 2 * cut + 2);
  }
  expect(shown.map(({ seq }) => seq)).toEqual(Array.from({ length: 41 }, (_, at) => first + at));
  expect(loaded).toBe(0);

  // A member who is removed and added again does not miss anything, either.
  await hub.admin.raw('DELETE', `/hubs/${hubId}/members/${user.id}`);
  await post(hub, 'messages', key, { text: 'for the others' });
  await addMember(hub, hubId, user);
  await upTo(first + 43);
  expect(shown.slice(41).map(({ seq, event }) => [seq - first, event])).toEqual([
    [41, 'member.removed'],
    [42, 'message.created'],
    [43, 'member.added'],
  ]);

  // Events from this period can no longer be replayed when the client reconnects.
  environment.isAway = true;
  environment.opened.at(-1)?.terminate();
  await post(hub, 'messages', key, { text: 'while it is away' });
  await post(hub, 'messages', key, { text: 'while it is away' });
  hub.clock.advance((LIMITS.eventRetentionDays + 1) * 24 * 60 * 60 * 1000);
  await prune(hub);
  environment.isAway = false;
  environment.comeBack();
  while (loaded === 0) await new Promise((resolve) => setImmediate(resolve));
  await post(hub, 'messages', key, { text: 'when it is back' });
  await upTo(first + 46);
  expect(shown.slice(44).map(({ seq }) => seq)).toEqual([first + 46]);
  expect(loaded).toBe(1);

  environment.isAway = true;
  environment.opened.at(-1)?.terminate();
  stop();
  const before = environment.opened.length;
  environment.comeBack();
  expect(environment.opened).toHaveLength(before);
});

/** Posts as soon as the client has subscribed, and returns the sequence number of that event. */
async function postedAfterSubscribing(hubId: string, key: string): Promise<number> {
  while (hub.deps.live.counts.subscriptions === 0) await new Promise((resolve) => setImmediate(resolve));
  await post(hub, 'messages', key, { text: 'first' });
  return (await hub.store.hubs.find(hubId))?.seq ?? 0;
}

test('the server accepts every frame that docs/live.md says a client can send', async () => {
  const page = await Bun.file(join(import.meta.dir, '../../../../docs/live.md')).text();
  const [sent = ''] = page.split('`{"type":"subscribed"');
  const examples = [...sent.matchAll(/^\| `(\{"type".*?\})` \|/gm)].map(([, example = '']) =>
    example.replace('"hubId":…', '"hubId":"hub_01M0TTFM6RD9EXPD951A603T2G"').replace('"epoch":…', '"epoch":null'),
  );
  expect(examples).toHaveLength(3);
  for (const example of examples) expect(readClientFrame(example)).toMatchObject({ type: JSON.parse(example).type });
});
