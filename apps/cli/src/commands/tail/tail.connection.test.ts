import { describe, expect, test } from 'bun:test';
import { post } from '@hub/testkit/in-process/test-hub';
import { newTokenOf } from '@hub/testkit/in-process/users';
import { TestProxy } from '@hub/testkit/proxy';
import type { RunOptions } from '../../../test/run-hubctl.ts';
import { startTail, startTailing, type TailLine } from '../../../test/tail.ts';
import { temporaryHome } from '../../../test/temporary-home.ts';

const reaction = (id: string, emoji: string) => `/messages/${id}/reactions/${encodeURIComponent(emoji)}`;
const inOrder = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const DAY = 24 * 60 * 60_000;

const typesAndTexts = (lines: TailLine[]) =>
  lines.map(({ type, data }) => [type, data?.text].filter(Boolean).join(' '));

/** Starts Ada's hubctl on another machine, with a connection that the test can drop. */
async function startRemote() {
  const on = await startTailing();
  const proxy = new TestProxy();
  proxy.forwardTo(on.hub);
  const home = temporaryHome();
  const token = await newTokenOf(on.hub, on.ada.user);
  home.give('far', { url: proxy.url, token });
  return {
    ...on,
    proxy,
    reconnect: () => proxy.forwardTo(on.hub),
    tail: (argv: string[], options: RunOptions = {}) => startTail(home.hubctl, argv, options),
    [Symbol.asyncDispose]: async () => {
      home[Symbol.dispose]();
      proxy.close();
      await on[Symbol.asyncDispose]();
    },
  };
}

describe('a dropped connection', () => {
  test('is followed by the changes made meanwhile; those whose time is unknown are shown without one', async () => {
    await using on = await startRemote();
    const tail = on.tail(['Releases', '-n', '0']);
    await tail.follows();
    const { id } = await on.write('one');
    await tail.shows('one');
    on.proxy.cut();
    await tail.shows('Reconnecting…', 'stderr');
    await on.call('PUT', reaction(id, '👍'));
    const { id: second } = await on.write('two');
    await on.call('PUT', reaction(second, '🎉'));
    on.reconnect();
    await tail.shows('🎉 1');
    expect((await tail.stop()).stdout.split('\n').slice(2)).toEqual([
      '         changed: Ada Lovelace: one · 👍 1',
      '09:30:00 Ada Lovelace: two',
      '           🎉 1',
      '',
    ]);
  });

  test('is followed by a reset and the new items if the events are gone', async () => {
    await using on = await startRemote();
    const tail = on.tail(['Releases', '--json']);
    await tail.follows();
    await on.write('one');
    await tail.has(1);
    for (const [cuts, text] of ['two', 'four'].entries()) {
      on.proxy.cut();
      await tail.until(() => tail.written.stderr.split('Reconnecting…').length === cuts + 2);
      await on.write(text);
      on.hub.clock.advance(8 * DAY);
      await on.write(`after ${text}`);
      await on.hub.prune();
      on.reconnect();
      await tail.has(4 + 3 * cuts);
    }
    await on.write('six');
    await tail.has(8);
    await tail.stop();
    const printed = ['event one', 'reset', 'item two', 'item after two', 'reset', 'item four', 'item after four'];
    expect(typesAndTexts(tail.lines())).toEqual([...printed, 'event six']);
  });
});

test('--since all after the first events were deleted shows all remaining items, with a reset in JSON', async () => {
  await using on = await startTailing();
  for (const text of ['one', 'two']) await on.write(text);
  on.hub.clock.advance(8 * DAY);
  await on.write('three');
  await on.hub.prune();
  const json = on.tail(['Releases', '--json', '--since', 'all']);
  await json.has(4);
  const text = on.tail(['Releases', '--since', 'all']);
  await text.shows('three');
  await on.write('four');
  await json.has(5);
  await text.shows('four');
  expect(typesAndTexts(json.lines())).toEqual(['reset', 'item one', 'item two', 'item three', 'event four']);
  expect(text.written.stdout.match(/(?<=Ada Lovelace: )\w+/g)).toEqual(['one', 'two', 'three', 'four']);
});

test('a disabled user gets exit code 4 and the command to log in', async () => {
  await using on = await startRemote();
  const tail = on.tail([]);
  await tail.follows();
  await on.hub.admin.raw('POST', `/users/${on.ada.user.id}/deactivation`);
  expect(await tail.ended).toMatchObject({ code: 4, stderr: expect.stringContaining('hubctl login') });
});

test('tail follows a new Hub from its first event, reports a deleted one, and resumes a restored one', async () => {
  await using on = await startTailing();
  const isPosted = Promise.withResolvers<void>();
  let lists = 0;
  const tail = on.tail(['--json'], {
    now: on.hub.clock.now(),
    // Delay listing the new Hub until something has been posted to it.
    fetch: async (url, init) => {
      if (url.includes('/hubs?') && ++lists > 2) await isPosted.promise;
      return fetch(url, init);
    },
  });
  await tail.follows();
  const { id } = await on.hub.admin.createHub('Fresh');
  const { key } = await on.hub.admin.issueKey({ hubId: id });
  await post(on.hub, 'messages', key, { text: 'the very first' });
  isPosted.resolve();
  await tail.shows('the very first');
  await on.hub.admin.deleteHub(id);
  await tail.shows('"code":"hub_deleted"');
  await on.hub.admin.restoreHub(id);
  await post(on.hub, 'messages', key, { text: 'back again' });
  await tail.shows('back again');
  const { stderr } = await tail.stop();
  const events = tail.lines().filter((line) => line.hubId === id && line.type === 'event');
  expect(events.map(({ seq }) => seq)).toEqual(inOrder(1, (await on.hub.store.events.span(id))?.seq ?? 0));
  expect(stderr).toContain('Following the new Hub Fresh from its beginning.');
  expect(stderr).toContain('Following Fresh again.');
});

test('a slow reader pauses the subscription instead of filling memory, and misses nothing', async () => {
  await using on = await startTailing();
  const gate = Promise.withResolvers<void>();
  const paused = Promise.withResolvers<void>();
  const openSocket = (url: string, headers: Record<string, string>) => {
    const socket = new WebSocket(url, { headers });
    const send = socket.send.bind(socket);
    socket.send = (text: string) => {
      if (text.includes('"unsubscribe"')) paused.resolve();
      send(text);
    };
    return socket;
  };
  const tail = on.tail(['--json', '--since', 'all'], { openSocket, drained: () => gate.promise });
  for (let count = 0; count < 250; count += 1) await on.write(`Number ${count}`);
  await paused.promise;
  expect(tail.lines()).toHaveLength(1);
  gate.resolve();
  await tail.has(await on.seq());
  expect(tail.lines().map(({ seq }) => seq)).toEqual(inOrder(1, await on.seq()));
  await tail.stop();
});
