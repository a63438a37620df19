import { describe, expect, test } from 'bun:test';
import { runHubctl } from '@hub/testkit/cli/run-hubctl';
import { startTailing } from '@hub/testkit/cli/tail';

const splitAtSpaces = (text: string) => text.split(' ').filter((word) => word !== '');

describe('tail --json', () => {
  test('prints every event of the server on one line, and exits with 0 when stopped', async () => {
    await using on = await startTailing();
    const tail = on.tail(['Releases', '--json']);
    await tail.follows();
    const message = await on.post('messages', { text: 'one' });
    await tail.has(1);
    await on.call('POST', `/messages/${message}/replies`, { text: 'two' });
    await on.call('PUT', `/messages/${message}/reactions/${encodeURIComponent('🎉')}`);
    await on.call('POST', `/messages/${message}/conversion`, { to: 'todo' });
    await on.hub.admin.raw('DELETE', `/messages/${message}`);
    const last = await on.seq();
    await tail.until(() => tail.lines().some(({ seq }) => seq === last));
    const ran = await tail.stop();
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const first = tail.lines()[0]?.seq ?? 0;
    expect(tail.lines().map(({ seq }) => seq)).toEqual(Array.from({ length: last - first + 1 }, (_, at) => first + at));
    expect(tail.lines().map(({ event }) => event)).toEqual([
      'message.created',
      'message.created',
      'message.changed',
      'message.changed',
      'todo.created',
      'message.changed',
      'message.deleted',
    ]);
    expect(tail.lines()[0]).toMatchObject({
      type: 'event',
      hubId: on.releases.id,
      data: { id: message, kind: 'message', text: 'one', key: { name: 'ci' }, author: { kind: 'bot' } },
    });
  });

  test('escapes control characters, and omits nothing', async () => {
    await using on = await startTailing();
    const tail = on.tail(['Releases', '--json', '--since', 'all']);
    const text = 'a \u001b[31mred\u001b[0m \u202e b';
    await on.post('messages', { text });
    await tail.shows('[31mred');
    expect(tail.written.stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(tail.lines().at(-1)?.data.text).toBe(text);
    await tail.stop();
  });

  test('prints the events from the start with --since all, or after an event number', async () => {
    await using on = await startTailing();
    for (const text of ['one', 'two', 'three']) await on.write(text);
    const last = await on.seq();
    const all = on.tail(['--json', '--since', 'all']);
    await all.has(last);
    const some = on.tail(['Releases', '--json', '--since', String(last - 1)]);
    await some.has(1);
    await on.write('four');
    await some.has(2);
    await all.has(last + 1);
    expect(all.lines().map(({ seq }) => seq)).toEqual(Array.from({ length: last + 1 }, (_, at) => at + 1));
    expect(some.lines().map(({ seq, data }) => [seq, data.text])).toEqual([
      [last, 'three'],
      [last + 1, 'four'],
    ]);
    await Promise.all([all.stop(), some.stop()]);
  });

  test('prints earlier items with --since TIME and --limit, then live events, without duplicates', async () => {
    await using on = await startTailing();
    for (const text of ['one', 'two']) await on.write(text);
    on.hub.clock.advance(20 * 60_000);
    await on.write('three');
    on.hub.clock.advance(1);
    await on.write('four');
    for (const [flags, expected] of [
      ['--since 10m', 'three four'],
      ['--since 2026-03-01T09:50Z', 'three four'],
      ['--since 2026-03-01T09:50:00.001Z', 'four'],
      ['--since 0s', 'four'],
      ['--since 1h -n 3', 'two three four'],
      ['--since 10m -n 3', 'three four'],
      ['--limit 1', 'four'],
      ['', ''],
    ] as const) {
      const earlier = splitAtSpaces(expected);
      const tail = on.tail(['Releases', '--json', ...splitAtSpaces(flags)], { now: on.hub.clock.now() });
      await tail.has(earlier.length);
      const text = `five with ${flags}`;
      await tail.follows();
      await on.write(text);
      await tail.shows(text);
      await tail.stop();
      const lines = tail.lines();
      expect(lines.slice(0, earlier.length)).toMatchObject(
        earlier.map((expectedText) => ({
          type: 'item',
          event: 'message.created',
          hubId: on.releases.id,
          data: { text: expectedText },
        })),
      );
      expect(lines.slice(earlier.length)).toMatchObject([{ type: 'event', data: { text } }]);
      await on.call('DELETE', `/messages/${lines.at(-1)?.data.id}`);
    }
  });

  test('prints only items of the kinds given with --kind, both earlier and live', async () => {
    await using on = await startTailing();
    await on.post('notes', { content: 'a note' });
    await on.write('one');
    await on.post('todos', { title: 'a to-do' });
    await on.write('two');
    const tail = on.tail(['--json', '--kind', 'notes,todo', '-n', '10']);
    await tail.has(2);
    await on.write('three');
    await on.post('notes', { content: 'another' });
    await tail.has(3);
    await tail.stop();
    expect(tail.lines().map(({ type, event }) => [type, event])).toEqual([
      ['item', 'note.created'],
      ['item', 'todo.created'],
      ['event', 'note.created'],
    ]);
  });
});

describe('tail', () => {
  test.each([
    [['--since', '41'], 'exactly one Hub'],
    [['--since', 'soon'], 'Invalid --since'],
    [['--limit', 'many'], '--limit must be'],
    [['Releases', '--since', '41', '-n', '3'], 'Remove --limit'],
    [['--kind', 'keys'], 'messages, notes or todos'],
  ])('exits with 2 for %p', async (flags, message) => {
    const ran = await runHubctl(['tail', ...flags]);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(message);
  });
});
