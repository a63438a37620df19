import { describe, expect, test } from 'bun:test';
import { shared } from '@hub/testkit/in-process/shared';
import { post } from '@hub/testkit/in-process/test-hub';
import { memberOf } from '@hub/testkit/in-process/users';
import { runHubctl } from '../../../test/run-hubctl.ts';
import { startTailing } from '../../../test/tail.ts';
import { readSince } from './command.ts';

const on = shared(startTailing);
const inOrder = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const reaction = (id: string | undefined) => `/messages/${id}/reactions/${encodeURIComponent('🎉')}`;

/** Returns the lines that tail prints while `act` runs. The clock is fixed at 09:30 UTC. */
async function shown(act: () => Promise<unknown>, columns?: number) {
  const tail = on.tail(['Releases', '-n', '0'], columns === undefined ? {} : { columns });
  await tail.follows();
  await act();
  await on.write('that was all');
  await tail.shows('that was all');
  const { stdout } = await tail.stop();
  return stdout.slice(0, stdout.lastIndexOf('09:30:00 Ada Lovelace: that was all')).split('\n').slice(0, -1);
}

describe('tail', () => {
  test('shows messages from keys and users with rendered Markdown', async () => {
    const out = await shown(async () => {
      await on.post('messages', { text: '**Deploy finished** in `42 s`' });
      await on.write('Two lines,\nand [a link](https://x.example)');
      const headers = { authorization: `Bearer ${on.key}` };
      const upload = { method: 'POST', headers, body: 'x' };
      const response = await on.hub.fetch('/api/public/v1/files?name=build.log', upload);
      const { data } = (await response.json()) as { data: { id: string } };
      await on.post('messages', { text: 'The build failed', files: [data.id] });
    });
    expect(out).toEqual([
      '09:30:00 ci (bot): Deploy finished in 42 s',
      '09:30:00 Ada Lovelace:',
      '           Two lines,',
      '           and a link (https://x.example)',
      '09:30:00 ci (bot):',
      '           The build failed',
      '           [build.log, 1 byte]',
    ]);
  });

  test('shows notes and to-dos with all their fields', async () => {
    const out = await shown(async () => {
      await on.post('notes', { title: 'Release 2.4', content: '# Changes\n- faster start' });
      await on.post('notes', { content: 'untitled' });
      const fields = { content: 'Soon.', priority: 'URGENT', dueDate: '2026-03-02T10:00:00+01:00' };
      await on.post('todos', { title: 'Renew it', ...fields });
    });
    expect(out).toEqual([
      '09:30:00 ci (bot) · note Release 2.4',
      '           Changes',
      '           • faster start',
      '09:30:00 ci (bot) · note',
      '           untitled',
      '09:30:00 ci (bot) · to-do ☐ Renew it (URGENT, due 2026-03-02 09:00 UTC)',
      '           Soon.',
    ]);
  });

  test('shows replies under their parent message, which is quoted unless it is the previous line', async () => {
    const out = await shown(async () => {
      const id = await on.post('messages', { text: 'Deploy *finished*' });
      await on.call('POST', `/items/${id}/replies`, { text: 'Great!' });
      await on.write('Something else');
      await on.call('POST', `/items/${id}/replies`, { text: 'One more\nthing' });
      const note = await on.post('notes', { title: 'Release 2.4', content: 'Faster' });
      await on.call('POST', `/items/${note}/replies`, { text: 'At last' });
      await on.write('Nothing else');
      await on.call('POST', `/items/${note}/replies`, { text: 'Finally' });
    });
    expect(out).toEqual([
      '09:30:00 ci (bot): Deploy finished',
      '09:30:00   ↳ Ada Lovelace: Great!',
      '09:30:00 Ada Lovelace: Something else',
      '09:30:00   ↳ ci (bot): Deploy finished',
      '             Ada Lovelace:',
      '             One more',
      '             thing',
      '09:30:00 ci (bot) · note Release 2.4',
      '           Faster',
      '09:30:00   ↳ Ada Lovelace: At last',
      '09:30:00 Ada Lovelace: Nothing else',
      '09:30:00   ↳ ci (bot): Release 2.4',
      '             Ada Lovelace: Finally',
    ]);
  });

  test('shows reactions, pins, edits, deletions and restored posts', async () => {
    const out = await shown(async () => {
      const { id } = await on.write('Fine');
      const other = await memberOf(on.hub, on.releases.id, { name: 'Bob Kahn' });
      await on.call('PUT', reaction(id), undefined, other);
      await on.call('DELETE', reaction(id), undefined, other);
      await on.call('PUT', `/items/${id}/pin`);
      await on.call('PATCH', `/messages/${id}`, { text: 'Fine, *indeed*' });
      await on.call('DELETE', `/messages/${id}`);
      const { id: keyId, key } = await on.hub.admin.issueKey({ hubId: on.releases.id, name: 'spammer' });
      await post(on.hub, 'messages', key, { text: 'spam' });
      const removal = await on.hub.admin.request('POST /keys/{keyId}/removals', { keyId, body: {} });
      await on.hub.admin.raw('DELETE', `/keys/${keyId}/removals/${removal.id}`);
    });
    expect(out).toEqual([
      '09:30:00 Ada Lovelace: Fine',
      '09:30:00 + Bob Kahn joined the Hub',
      '09:30:00 changed: Ada Lovelace: Fine · 🎉 1',
      '09:30:00 changed: Ada Lovelace: Fine',
      '09:30:00 The Hub now has 1 pinned item',
      '09:30:00 changed: Ada Lovelace: Fine, indeed · edited',
      '09:30:00 A message was deleted',
      '09:30:00 spammer (bot): spam',
      '09:30:00 A message was deleted',
      '09:30:00 spammer (bot) (restored): spam',
    ]);
  });

  test('shows no terminal escapes or invisible characters from posts', async () => {
    const out = await shown(async () => {
      await on.post('messages', { text: 'a \u001b[31mred\u001b[0m \u001b]0;title\u0007 \u202e &#x1b;[2J b\rc' });
      await on.post('todos', { title: 'x\u001b[2Jy' });
    }, 80);
    expect(out.join('')).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(out.join('')).toContain('☐ xy');
  });
});

test('tail starts with the last ten items and their reactions in text mode', async () => {
  const ids: string[] = [];
  for (let count = 1; count <= 12; count += 1) ids.push((await on.write(`Number ${count}.`)).id);
  await on.call('PUT', reaction(ids[11]));
  const tail = on.tail([], { now: Date.parse('2026-03-02T08:00Z') });
  await tail.shows('🎉 1');
  const { stdout } = await tail.stop();
  const items = inOrder(3, 12).map((count) => `09:30:00 Releases  Ada Lovelace: Number ${count}.`);
  expect(stdout).toBe(['--- Sun 2026-03-01 ---', ...items, '           🎉 1\n'].join('\n'));
});

describe('tail --json', () => {
  test('prints every event of the server on one line, and exits with 0 when stopped', async () => {
    const tail = on.tail(['Releases', '--json']);
    await tail.follows();
    const message = await on.post('messages', { text: 'one' });
    await tail.has(1);
    await on.call('POST', `/items/${message}/replies`, { text: 'two' });
    await on.call('PUT', reaction(message));
    await on.call('POST', `/messages/${message}/conversion`, { to: 'todo' });
    await on.hub.admin.raw('DELETE', `/messages/${message}`);
    const last = await on.seq();
    await tail.until(() => tail.lines().some(({ seq }) => seq === last));
    const ran = await tail.stop();
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const first = tail.lines()[0]?.seq ?? 0;
    expect(tail.lines().map(({ seq }) => seq)).toEqual(inOrder(first, last));
    expect(tail.lines().map(({ event = '' }) => event.replace('message.', ''))).toEqual([
      ...['created', 'created', 'changed', 'changed', 'todo.created', 'changed', 'deleted'],
    ]);
    const data = { id: message, kind: 'message', text: 'one', key: { name: 'ci' }, author: { kind: 'bot' } };
    expect(tail.lines()[0]).toMatchObject({ type: 'event', hubId: on.releases.id, data });
  });

  test('prints the events from the start with --since all, or after an event number', async () => {
    for (const text of ['one', 'two', 'three']) await on.write(text);
    const last = await on.seq();
    const all = on.tail(['--json', '--since', 'all']);
    await all.has(last);
    const some = on.tail(['Releases', '--json', '--since', String(last - 1)]);
    await some.has(1);
    await on.write('four');
    await some.has(2);
    await all.has(last + 1);
    expect(all.lines().map(({ seq }) => seq)).toEqual(inOrder(1, last + 1));
    expect(some.lines().map(({ seq, data }) => `${seq} ${data.text}`)).toEqual([`${last} three`, `${last + 1} four`]);
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
      const earlier = expected.split(' ').filter(Boolean);
      const tail = on.tail(['Releases', '--json', ...flags.split(' ').filter(Boolean)], { now: on.hub.clock.now() });
      await tail.has(earlier.length);
      const text = `five with ${flags}`;
      await tail.follows();
      await on.write(text);
      await tail.shows(text);
      await tail.stop();
      const lines = tail.lines();
      const common = { event: 'message.created', hubId: on.releases.id };
      const items = earlier.map((text) => ({ ...common, type: 'item', data: { text } }));
      expect(lines).toMatchObject([...items, { ...common, type: 'event', data: { text } }]);
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
    const printed = ['item note.created', 'item todo.created', 'event note.created'];
    expect(tail.lines().map(({ type, event }) => `${type} ${event}`)).toEqual(printed);
  });
});

test.each([
  ['--since 41', 'exactly one Hub'],
  ['--limit many', '--limit must be'],
  ['Releases --since 41 -n 3', 'Remove --limit'],
  ['--kind keys', 'messages, notes or todos'],
])('tail exits with 2 for %s', async (flags, message) => {
  const ran = await runHubctl(['tail', ...flags.split(' ')]);
  expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
});

test('--since accepts all, an event number, and what every option for past times does', () => {
  const since = (text: string) => readSince(text, Date.parse('2026-03-01T09:30:00Z'));
  expect([since('all'), since('0')]).toEqual([{ at: 0 }, { seq: 0 }]);
  expect(since('10m')).toEqual({ at: Date.parse('2026-03-01T09:20:00Z') });
  expect(() => since('yesterday')).toThrow('Invalid --since');
});
