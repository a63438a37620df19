import { describe, expect, test } from 'bun:test';
import { memberOf } from '../../testing/hub.ts';
import { startTailing } from '../../testing/tail-on-hub.ts';

/** What is shown of what happens; the clock of these tests stands at 09:30 UTC. */
async function shown(act: (on: Awaited<ReturnType<typeof startTailing>>) => Promise<unknown>, columns?: number) {
  await using on = await startTailing();
  const tail = on.tail(['Releases'], columns === undefined ? {} : { columns });
  await tail.follows();
  await act(on);
  await on.say('that was all');
  await tail.shows('that was all');
  const { stdout } = await tail.stop();
  return stdout.slice(0, stdout.lastIndexOf('09:30:00 Ada Lovelace: that was all'));
}

const lines = (...expected: string[]) => `${expected.join('\n')}\n`;

describe('tail shows', () => {
  test('messages of keys and people, with their Markdown to be read', async () => {
    const out = await shown(async (on) => {
      await on.post('messages', { text: '**Deploy finished** in `42 s`' });
      await on.say('Two lines,\nand [a link](https://x.example)');
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

  test('notes and to-dos with all that is known of them', async () => {
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
        '           - faster start',
        '09:30:00 Bot, via ci · note',
        '           untitled',
        '09:30:00 Bot, via ci · to-do ☐ Renew it (URGENT, due 2026-03-02 09:00 UTC)',
        '           Soon.',
      ),
    );
  });

  test('replies under what they answer, and what that is where it does not stand above', async () => {
    const out = await shown(async (on) => {
      const id = await on.post('messages', { text: 'Deploy *finished*' });
      await on.call('POST', `/messages/${id}/replies`, { text: 'Great!' });
      await on.say('Something else');
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

  test('a reply to what is older than all that was shown', async () => {
    await using on = await startTailing();
    const id = await on.post('messages', { text: 'long ago' });
    for (let count = 0; count < 60; count += 1) await on.say(`filler ${count}`);
    const tail = on.tail(['Releases', '-n', '0']);
    await tail.follows();
    await on.call('POST', `/messages/${id}/replies`, { text: 'At last' });
    await tail.shows('At last');
    expect((await tail.stop()).stdout).toBe(
      lines('09:30:00   ↳ Bot, via ci: long ago', '             Ada Lovelace: At last'),
    );
  });

  test('reactions, edits, deletions and what was brought back', async () => {
    const out = await shown(async (on) => {
      const { id } = await on.say('Fine');
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
        '09:30:00 + Bob Kahn belongs to the Hub now',
        '09:30:00 Bob Kahn reacted 🎉 to Ada Lovelace: Fine',
        '09:30:00 Bob Kahn took 🎉 back from Ada Lovelace: Fine',
        '09:30:00 Ada Lovelace (edited): Fine, indeed',
        '09:30:00 a message of Ada Lovelace was deleted: Fine, indeed',
        '09:30:00 Bot, via ci: spam',
        '09:30:00 a message of Bot, via ci, was deleted: spam',
        '09:30:00 Bot, via ci (restored): spam',
      ),
    );
  });

  test('what others do to a note without saying that its author did', async () => {
    const out = await shown(async (on) => {
      const owner = await memberOf(on.hub, on.releases.id, { name: 'Grace Hopper', role: 'admin' });
      const note = await on.call('POST', `/hubs/${on.releases.id}/notes`, { title: 'Plan', content: 'Soon.' });
      await on.call('PATCH', `/notes/${note.id}`, { content: 'Later.' }, owner);
      await on.call('DELETE', `/notes/${note.id}`, undefined, owner);
    });
    expect(out).toBe(
      lines(
        '09:30:00 + Grace Hopper belongs to the Hub now',
        '09:30:00 Ada Lovelace · note Plan',
        '           Soon.',
        '09:30:00 Ada Lovelace · note Plan (edited by Grace Hopper)',
        '           Later.',
        '09:30:00 a note of Ada Lovelace was deleted: Plan',
      ),
    );
  });

  test('what becomes of a to-do, and of a message', async () => {
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
        '09:30:00 Ada Lovelace · to-do ☐ Renew it (from a message of Bot, via ci)',
        '           Soon.',
        '09:30:00 ☐ Renew it: for Ada Lovelace',
        '09:30:00 ☐ Renew it: due 2026-03-02 09:00 UTC',
        '09:30:00 ☐ Renew it: priority LOW',
        '09:30:00 ☑ Renew it: done by Ada Lovelace',
        '09:30:00 ☐ Renew it: reopened',
        '09:30:00 ☐ Renew it: for nobody any more',
      ),
    );
  });

  test('who comes and goes, and what happens to the Hub', async () => {
    const out = await shown(async (on) => {
      const { user } = await memberOf(on.hub, on.releases.id, { name: 'Bob Kahn' });
      await on.hub.admin.raw('DELETE', `/hubs/${on.releases.id}/members/${user.id}`);
      await on.hub.admin.raw('PATCH', `/hubs/${on.releases.id}`, { retentionDays: 30 });
      await on.hub.admin.raw('PATCH', `/hubs/${on.releases.id}`, { name: 'Ships' });
    });
    expect(out).toBe(
      lines(
        '09:30:00 + Bob Kahn belongs to the Hub now',
        '09:30:00 - Bob Kahn does not belong to the Hub any more',
        '09:30:00 The Hub keeps its items for 30 days now',
        '09:30:00 The Hub Releases is called Ships now',
      ),
    );
  });

  test('blocks as Markdown of the same form', async () => {
    const out = await shown((on) =>
      on.post('messages', {
        text: 'not this',
        blocks: [
          { type: 'header', data: { text: 'Title', level: 2 } },
          { type: 'list', data: { style: 'unordered', items: ['one', '<b>two</b>'] } },
        ],
      }),
    );
    expect(out).toBe(lines('09:30:00 Bot, via ci:', '           Title', '', '           - one', '           - two'));
  });

  test('no escape sequence of a post or a name, and nothing that is not meant to be seen', async () => {
    const out = await shown(async (on) => {
      await on.post('messages', {
        text: 'a \u001b[31mred\u001b[0m \u001b]0;title\u0007 \u202e &#x1b;[2J b\rc\u0000'.replace('\u0000', ''),
      });
      await on.post('todos', { title: 'x\u001b[2Jy' });
    }, 80);
    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(out).toContain('☐ xy');
  });

  test('nothing wider than the terminal, and no more than fits on a screen of one post', async () => {
    const out = await shown(async (on) => {
      await on.say(`${'words and more words '.repeat(20)}${'x'.repeat(200)}`);
      await on.post('notes', { title: 'Long', content: 'line  \n'.repeat(500) });
    }, 60);
    const rows = out.split('\n');
    expect(Math.max(...rows.map((row) => Bun.stringWidth(row)))).toBeLessThanOrEqual(60);
    expect(out).toContain('… 462 more lines');
    expect(rows.length).toBeLessThan(70);
    expect(rows[1]).toStartWith('           words');
  });

  test('everything, in one piece, to what is no terminal', async () => {
    const out = await shown((on) => on.post('notes', { title: 'Long', content: 'line  \n'.repeat(500) }));
    expect(out.split('\n')).toHaveLength(502);
  });
});

describe('tail begins', () => {
  test('by saying at a terminal, beside the result, that it runs; a pipe and a program get no such line', async () => {
    await using on = await startTailing();
    await on.hub.admin.createHub('Ops');
    const greeting = async (argv: string[], columns?: number) => {
      const tail = on.tail(argv, columns === undefined ? {} : { columns });
      await tail.follows();
      const ran = await tail.stop();
      expect(ran.stdout).toBe('');
      return ran.stderr;
    };
    const none = ['-n', '0'];
    expect(await greeting(['Releases', ...none], 80)).toBe('-- Following Releases. Ctrl-C ends it.\n');
    expect(await greeting(['Releases', 'Ops', ...none], 80)).toBe('-- Following Releases and Ops. Ctrl-C ends it.\n');
    expect(await greeting(none, 80)).toBe('-- Following all Hubs that you may read. Ctrl-C ends it.\n');
    expect(await greeting(none)).toBe('');
    expect(await greeting(['--json'], 80)).toBe('');
  });

  test('with the last ten for people, and as much of what became of them as there is', async () => {
    await using on = await startTailing();
    const ids: string[] = [];
    for (let count = 1; count <= 12; count += 1) ids.push((await on.say(`Number ${count}.`)).id);
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

  test('and tells what is done to what it did not show', async () => {
    await using on = await startTailing();
    const { id } = await on.say('before');
    const tail = on.tail(['-n', '0']);
    await tail.follows();
    await on.call('PUT', `/messages/${id}/reactions/${encodeURIComponent('👍')}`);
    await tail.shows('reacted 👍 to Ada Lovelace: before');
    expect((await tail.stop()).stdout.split('\n')).toHaveLength(2);
  });

  test('in colour only where there is some to be seen', async () => {
    await using on = await startTailing();
    await on.say('**bold**');
    const colours = async (options: { columns?: number; env?: Record<string, string> }) => {
      const tail = on.tail([], options);
      await tail.shows('bold');
      return (await tail.stop()).stdout.includes('\u001b[');
    };
    expect(await colours({ columns: 80, env: { NO_COLOR: '' } })).toBe(true);
    expect(await colours({ columns: 80, env: { NO_COLOR: '1' } })).toBe(false);
    expect(await colours({ env: { NO_COLOR: '' } })).toBe(false);
  });
});
