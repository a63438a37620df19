import { describe, expect, test } from 'bun:test';
import { startCuttingProxy } from '../../../../../packages/client/src/testing/cutting-proxy.ts';
import { temporaryHome } from '../../testing/home.ts';
import { post, restartHub, type TestHub, tokenOf } from '../../testing/hub.ts';
import { errorOf, type RunOptions } from '../../testing/run-hubctl.ts';
import { startTail } from '../../testing/start-tail.ts';
import { startTailing } from '../../testing/tail-on-hub.ts';

const inOrder = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** Ada's hubctl on another machine, with a cable to pull. */
async function startRemote() {
  const on = await startTailing();
  const port = Number(new URL(on.hub.url).port);
  const proxy = await startCuttingProxy(port);
  const home = temporaryHome();
  const token = (await tokenOf(on.hub, on.ada.user)).headers.authorization?.slice('Bearer '.length) ?? '';
  home.give('far', { url: proxy.url, token });
  return {
    ...on,
    proxy,
    plug: () => proxy.aimAt(port),
    /** Nobody listens there. */
    pull: () => {
      proxy.aimAt(1);
      proxy.cut();
    },
    tail: (argv: string[], options: RunOptions = {}) => startTail(home.hubctl, argv, options),
    [Symbol.asyncDispose]: async () => {
      home[Symbol.dispose]();
      await proxy.stop();
      await on[Symbol.asyncDispose]();
    },
  };
}

async function prune(hub: TestHub): Promise<void> {
  let step: Parameters<typeof hub.store.items.prune>[0]['step'] | null = { setup: 'events', afterHubId: '' };
  while (step !== null) {
    const done: Awaited<ReturnType<typeof hub.store.items.prune>> = await hub.store.items.prune({
      step,
      now: hub.clock.now(),
      limit: 1_000,
    });
    step = done.next;
  }
}

describe('a cut connection', () => {
  test('again and again, while others write: nothing is missing, and nothing comes twice', async () => {
    await using on = await startRemote();
    const tail = on.tail(['Releases', '--json', '--since', 'all']);
    for (let count = 0; count < 120; count += 1) {
      await on.say(`Number ${count}`);
      if (count % 20 === 10) on.proxy.cut();
    }
    const last = on.seq();
    await tail.until(() => tail.lines().some(({ seq }) => seq === last));
    const ran = await tail.stop();
    expect(tail.lines().map(({ seq }) => seq)).toEqual(inOrder(1, last));
    expect(ran.code).toBe(0);
  });

  test('that the server refuses since the user has too many says why, once', async () => {
    await using on = await startRemote();
    const { headers } = await tokenOf(on.hub, on.ada.user);
    const url = `${on.hub.url.replace('http', 'ws')}/api/v1/live`;
    const others = Array.from({ length: 20 }, () => new WebSocket(url, { headers } as unknown as string[]));
    await Promise.all(others.map((socket) => new Promise((resolve) => socket.addEventListener('open', resolve))));
    const tail = on.tail(['-n', '0']);
    await tail.shows('You have 20 live connections already', 'stderr');
    others[0]?.close();
    await tail.shows('Connected again.', 'stderr');
    const { stderr } = await tail.stop();
    expect(stderr.match(/You have 20/g)).toHaveLength(1);
    for (const socket of others) socket.close();
  });

  test('is told once, on standard error, until it is there again', async () => {
    await using on = await startRemote();
    const tail = on.tail(['--json', '-n', '0']);
    await tail.follows();
    on.pull();
    await tail.shows('Trying again', 'stderr');
    await on.say('meanwhile');
    on.plug();
    await tail.shows('meanwhile');
    const { stderr, stdout } = await tail.stop();
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('Trying again'), '-- Connected again.']);
    expect(stdout.trim().split('\n')).toHaveLength(1);
  });

  test('what happened meanwhile is told with what is known of it, and without a time where there is none', async () => {
    await using on = await startRemote();
    const tail = on.tail(['Releases', '-n', '0']);
    await tail.follows();
    const { id } = await on.say('one');
    await tail.shows('one');
    on.pull();
    await tail.shows('Trying again', 'stderr');
    await on.call('PUT', `/messages/${id}/reactions/${encodeURIComponent('👍')}`);
    const { id: second } = await on.say('two');
    await on.call('PUT', `/messages/${second}/reactions/${encodeURIComponent('🎉')}`);
    on.plug();
    await tail.shows('🎉 1');
    expect((await tail.stop()).stdout.split('\n').slice(2)).toEqual([
      '         Ada Lovelace reacted 👍 to Ada Lovelace: one',
      '09:30:00 Ada Lovelace: two',
      '           🎉 1',
      '',
    ]);
  });

  test('so long that the events are gone: says so, and loads what is new', async () => {
    await using on = await startRemote();
    const tail = on.tail(['Releases', '--json']);
    await tail.follows();
    await on.say('one');
    await tail.has(1);
    on.pull();
    await tail.shows('Trying again', 'stderr');
    for (const text of ['two', 'three']) await on.say(text);
    on.hub.clock.advance(8 * 24 * 60 * 60_000);
    await on.say('four');
    await prune(on.hub);
    on.plug();
    await tail.has(5);
    await on.say('five');
    await tail.has(6);
    await tail.stop();
    expect(tail.lines().map(({ type, data }) => [type, data?.text])).toEqual([
      ['event', 'one'],
      ['reset', undefined],
      ['item', 'two'],
      ['item', 'three'],
      ['item', 'four'],
      ['event', 'five'],
    ]);
  });

  test('through a restart of the server', async () => {
    await using on = await startTailing();
    const tail = on.tail(['Releases', '--json', '--since', 'all']);
    let { hub } = on;
    for (let restarts = 0; restarts < 3; restarts += 1) {
      for (const text of ['a', 'b']) await post(hub, 'messages', on.key, { text: `${text} ${restarts}` });
      await tail.shows(`b ${restarts}`);
      hub = await restartHub(hub);
    }
    await post(hub, 'messages', on.key, { text: 'the last' });
    await tail.shows('the last');
    await tail.stop();
    const seqs = tail.lines().map(({ seq }) => seq);
    expect(seqs).toEqual(inOrder(1, hub.store.events.span(on.releases.id)?.seq ?? 0));
    await hub.stop();
  });
});

describe('events that are gone from the beginning', () => {
  test('--since all then shows all that is kept, to programs after a reset', async () => {
    await using on = await startTailing();
    for (const text of ['one', 'two']) await on.say(text);
    on.hub.clock.advance(8 * 24 * 60 * 60_000);
    await on.say('three');
    await prune(on.hub);
    const json = on.tail(['Releases', '--json', '--since', 'all']);
    await json.has(4);
    const text = on.tail(['Releases', '--since', 'all']);
    await text.shows('three');
    await on.say('four');
    await json.has(5);
    await text.shows('four');
    expect(json.lines().map(({ type, data }) => [type, data?.text])).toEqual([
      ['reset', undefined],
      ['item', 'one'],
      ['item', 'two'],
      ['item', 'three'],
      ['event', 'four'],
    ]);
    expect([...text.written.stdout.matchAll(/Ada Lovelace: \w+/g)].map(String)).toEqual(
      ['one', 'two', 'three', 'four'].map((said) => `Ada Lovelace: ${said}`),
    );
    await Promise.all([json.stop(), text.stop()]);
  });
});

describe('rights that end', () => {
  test('an account that is disabled is exit 4, with how to come back', async () => {
    await using on = await startRemote();
    const tail = on.tail([]);
    await tail.follows();
    await on.hub.admin.raw('POST', `/people/${on.ada.user.id}/deactivation`);
    const ran = await tail.ended;
    expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining('hubctl login') });
  });

  test('a Hub that one is removed from is told of, and the others go on', async () => {
    await using on = await startRemote();
    const other = await on.hub.admin.createHub('Other');
    await on.hub.admin.raw('POST', `/hubs/${other.id}/members`, { personId: on.ada.user.id });
    const tail = on.tail(['--json']);
    await tail.follows();
    await on.hub.admin.raw('DELETE', `/hubs/${on.releases.id}/members/${on.ada.user.id}`);
    await tail.until(() => tail.lines().some(({ type }) => type === 'error'));
    expect(tail.lines().find(({ type }) => type === 'error')).toMatchObject({
      hubId: on.releases.id,
      code: 'not_member',
    });
    await on.say('still here', other.id);
    await tail.shows('still here');
    expect((await tail.stop()).code).toBe(0);
  });
});

describe('Hubs that come and go', () => {
  test('a new one is followed from its first event, a deleted one is told of, a restored one goes on', async () => {
    await using on = await startTailing();
    const isPosted = Promise.withResolvers<void>();
    let looks = 0;
    const tail = on.tail(['--json'], {
      now: on.hub.clock.now(),
      // It learns of the Hub only when something has been posted there.
      fetch: async (url, init) => {
        if (url.includes('/hubs?') && ++looks > 2) await isPosted.promise;
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
    const seqs = tail
      .lines()
      .filter((line) => line.hubId === id && line.type === 'event')
      .map(({ seq }) => seq);
    expect(seqs).toEqual(inOrder(1, on.hub.store.events.span(id)?.seq ?? 0));
    expect(stderr).toContain('Following Fresh, a new Hub, from its beginning.');
    expect(stderr).toContain('Following Fresh again.');
  });

  test('one that was there before and is joined now is followed from now on, as is said', async () => {
    await using on = await startRemote();
    const { id } = await on.hub.admin.createHub('Ops');
    const { key } = await on.hub.admin.issueKey({ hubId: id });
    await post(on.hub, 'messages', key, { text: 'of old' });
    on.hub.clock.advance(1_000);
    const tail = on.tail([], { now: on.hub.clock.now() });
    await tail.follows();
    await on.hub.admin.raw('POST', `/hubs/${id}/members`, { personId: on.ada.user.id });
    await tail.shows('Following Ops from now on.', 'stderr');
    await post(on.hub, 'messages', key, { text: 'of now' });
    await tail.shows('of now');
    expect((await tail.stop()).stdout).not.toContain('of old');
  });

  test('where only those that were named are followed, the end of the last is exit 1', async () => {
    await using on = await startTailing();
    const tail = on.tail(['Releases', '--json']);
    await tail.follows();
    await on.hub.admin.createHub('Not asked for');
    await on.hub.admin.deleteHub(on.releases.id);
    const ran = await tail.ended;
    expect(ran.code).toBe(1);
    const last = ran.stdout.trim().split('\n').at(-1) ?? '';
    expect(JSON.parse(last)).toMatchObject({ error: { code: 'hub_deleted', exitCode: 1 } });
    expect(errorOf({ ...ran, json: () => JSON.parse(last) }).message).toContain('no Hub left');
  });
});

test('a reader that does not read makes nothing pile up, and gets everything in the end', async () => {
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
  for (let count = 0; count < 250; count += 1) await on.say(`Number ${count}`);
  await paused.promise;
  expect(tail.lines()).toHaveLength(1);
  gate.resolve();
  await tail.has(on.seq());
  expect(tail.lines().map(({ seq }) => seq)).toEqual(inOrder(1, on.seq()));
  await tail.stop();
});
