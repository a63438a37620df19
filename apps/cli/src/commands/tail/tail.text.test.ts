import { describe, expect, test } from 'bun:test';
import { memberOf } from '@hub/testkit/cli/hub';
import { startTailing } from '@hub/testkit/cli/tail';

/** Returns what tail prints while `act` runs. The clock is fixed at 09:30 UTC. */
async function shown(act: (on: Awaited<ReturnType<typeof startTailing>>) => Promise<unknown>, columns?: number) {
  await using on = await startTailing();
  const tail = on.tail(['Releases'], columns === undefined ? {} : { columns });
  await tail.follows();
  await act(on);
  await on.write('that was all');
  await tail.shows('that was all');
  const { stdout } = await tail.stop();
  return stdout.slice(0, stdout.lastIndexOf('09:30:00 Ada Lovelace: that was all'));
}

const lines = (...expected: string[]) => `${expected.join('\n')}\n`;

describe('tail', () => {
  test('shows messages from keys and users with rendered Markdown', async () => {
    const out = await shown(async (on) => {
      await on.post('messages', { text: '**Deploy finished** in `42 s`' });
      await on.write('Two lines,\nand [a link](https://x.example)');
    });
    expect(out).toBe(
      lines(
        '09:30:00 Bot, via ci: Deploy finished in 42 s',
        '09:30:00 Ada Lovelace:',
        '           Two lines,',
        '           and a link (https://x.example)',
      ),
    );
  });

  test('shows notes and to-dos with all their fields', async () => {
    const out = await shown(async (on) => {
      await on.post('notes', { title: 'Release 2.4', content: '# Changes\n- faster start' });
      await on.post('notes', { content: 'untitled' });
      await on.post('todos', {
        title: 'Renew it',
        content: 'Soon.',
        priority: 'URGENT',
        dueDate: '2026-03-02T10:00:00+01:00',
      });
    });
    expect(out).toBe(
      lines(
        '09:30:00 Bot, via ci · note Release 2.4',
        '           Changes',
        '           ═══════',
        '             • faster start',
        '09:30:00 Bot, via ci · note',
        '           untitled',
        '09:30:00 Bot, via ci · to-do ☐ Renew it (URGENT, due 2026-03-02 09:00 UTC)',
        '           Soon.',
      ),
    );
  });

  test('shows replies under their parent message, which is quoted unless it is the previous line', async () => {
    const out = await shown(async (on) => {
      const id = await on.post('messages', { text: 'Deploy *finished*' });
      await on.call('POST', `/messages/${id}/replies`, { text: 'Great!' });
      await on.write('Something else');
      await on.call('POST', `/messages/${id}/replies`, { text: 'One more\nthing' });
    });
    expect(out).toBe(
      lines(
        '09:30:00 Bot, via ci: Deploy finished',
        '09:30:00   ↳ Ada Lovelace: Great!',
        '09:30:00 Ada Lovelace: Something else',
        '09:30:00   ↳ Bot, via ci: Deploy finished',
        '             Ada Lovelace:',
        '             One more',
        '             thing',
      ),
    );
  });

  test('shows reactions, edits, deletions and restored posts', async () => {
    const out = await shown(async (on) => {
      const { id } = await on.write('Fine');
      const other = await memberOf(on.hub, on.releases.id, { name: 'Bob Kahn' });
      const reaction = `/messages/${id}/reactions/${encodeURIComponent('🎉')}`;
      await on.call('PUT', reaction, undefined, other);
      await on.call('DELETE', reaction, undefined, other);
      await on.call('PATCH', `/messages/${id}`, { text: 'Fine, *indeed*' });
      await on.call('DELETE', `/messages/${id}`);
      await on.post('messages', { text: 'spam' });
      const removed = await on.hub.admin.raw('POST', `/keys/${on.keyId}/removals`, {});
      const { id: removalId } = (await removed.json()) as { id: string };
      await on.hub.admin.raw('DELETE', `/keys/${on.keyId}/removals/${removalId}`);
    });
    expect(out).toBe(
      lines(
        '09:30:00 Ada Lovelace: Fine',
        '09:30:00 + Bob Kahn joined the Hub',
        '09:30:00 Bob Kahn reacted 🎉 to Ada Lovelace: Fine',
        '09:30:00 Bob Kahn removed 🎉 from Ada Lovelace: Fine',
        '09:30:00 Ada Lovelace (edited): Fine, indeed',
        '09:30:00 a message by Ada Lovelace was deleted: Fine, indeed',
        '09:30:00 Bot, via ci: spam',
        '09:30:00 a message by Bot, via ci, was deleted: spam',
        '09:30:00 Bot, via ci (restored): spam',
      ),
    );
  });

  test('shows changes to a to-do, and the message it was converted from', async () => {
    const out = await shown(async (on) => {
      const message = await on.post('messages', { text: 'Renew it' });
      const { id } = await on.call('POST', `/messages/${message}/conversion`, { to: 'todo', content: 'Soon.' });
      const todo = (changes: object) => on.call('PATCH', `/todos/${id}`, changes);
      await todo({ assigneeId: on.ada.user.id });
      await todo({ priority: 'LOW', dueDate: '2026-03-02T09:00Z' });
      await todo({ status: 'done' });
      await todo({ status: 'open', assigneeId: null });
    });
    expect(out).toBe(
      lines(
        '09:30:00 Bot, via ci: Renew it',
        '09:30:00 Ada Lovelace · to-do ☐ Renew it (from a message by Bot, via ci)',
        '           Soon.',
        '09:30:00 ☐ Renew it: assigned to Ada Lovelace',
        '09:30:00 ☐ Renew it: due 2026-03-02 09:00 UTC',
        '09:30:00 ☐ Renew it: priority LOW',
        '09:30:00 ☑ Renew it: done by Ada Lovelace',
        '09:30:00 ☐ Renew it: reopened',
        '09:30:00 ☐ Renew it: unassigned',
      ),
    );
  });

  test('shows no terminal escapes or invisible characters from posts', async () => {
    const out = await shown(async (on) => {
      await on.post('messages', {
        text: 'a \u001b[31mred\u001b[0m \u001b]0;title\u0007 \u202e &#x1b;[2J b\rc\u0000'.replace('\u0000', ''),
      });
      await on.post('todos', { title: 'x\u001b[2Jy' });
    }, 80);
    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(out).toContain('☐ xy');
  });

  test('wraps a long post to the width of the terminal, and shows only its first lines', async () => {
    const out = await shown(async (on) => {
      await on.write(`${'words and more words '.repeat(20)}${'x'.repeat(200)}`);
      await on.post('notes', { title: 'Long', content: 'line  \n'.repeat(500) });
    }, 60);
    const rows = out.split('\n');
    expect(Math.max(...rows.map((row) => Bun.stringWidth(row)))).toBeLessThanOrEqual(60);
    expect(out).toContain('… 462 more lines');
    expect(rows.length).toBeLessThan(70);
    expect(rows[1]).toStartWith('           words');
  });

  test('shows posts in full if the output is not a terminal', async () => {
    const out = await shown((on) => on.post('notes', { title: 'Long', content: 'line  \n'.repeat(500) }));
    expect(out.split('\n')).toHaveLength(502);
  });
});

describe('tail', () => {
  test('starts with the last ten items and their reactions in text mode', async () => {
    await using on = await startTailing();
    const ids: string[] = [];
    for (let count = 1; count <= 12; count += 1) ids.push((await on.write(`Number ${count}.`)).id);
    await on.call('PUT', `/messages/${ids[11]}/reactions/${encodeURIComponent('🎉')}`);
    const tail = on.tail([], { now: Date.parse('2026-03-02T08:00Z') });
    await tail.shows('🎉 1');
    const { stdout } = await tail.stop();
    expect(stdout).toBe(
      lines(
        '--- Sun 2026-03-01 ---',
        ...Array.from({ length: 10 }, (_, at) => `09:30:00 Releases  Ada Lovelace: Number ${at + 3}.`),
        '           🎉 1',
      ),
    );
  });

  test('uses color only at a terminal that allows it', async () => {
    await using on = await startTailing();
    await on.write('**bold**');
    const hasColors = async (options: { columns?: number; env?: Record<string, string> }) => {
      const tail = on.tail([], options);
      await tail.shows('bold');
      return (await tail.stop()).stdout.includes('\u001b[');
    };
    expect(await hasColors({ columns: 80, env: { NO_COLOR: '' } })).toBe(true);
    expect(await hasColors({ columns: 80, env: { NO_COLOR: '1' } })).toBe(false);
    expect(await hasColors({ env: { NO_COLOR: '' } })).toBe(false);
  });
});
