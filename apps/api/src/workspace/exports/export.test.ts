import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { HubExport, type Item } from '@hub/contract';
import { startTeam, type Team } from '@hub/testkit/in-process/team';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { Value } from '@sinclair/typebox/value';
import { insertLongNotes } from '../../../test/store/writes.ts';
import { attachment, SLICE_BYTES, SLICE_MS } from './exports.routes.ts';

async function exportOf({ ada, hubId }: Team): Promise<HubExport> {
  const document = await ada.call<HubExport>('GET', `/hubs/${hubId}/export`);
  expect([...Value.Errors(HubExport, document)]).toEqual([]);
  return document;
}

const ids = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);

test('a Hub export contains everything in the lists and threads of the Hub, oldest first, in the same form', async () => {
  await using team = await startTeam();
  const { ada, bob, hubId } = team;
  const posted = await team.post('messages', { blocks: [{ type: 'paragraph', data: { text: 'Über 🚀 "1"' } }] });
  const message = await team.message(ada, 'line\n"two" \u2028 @Bob Kahn');
  const reply = await team.reply(bob, message, 'a reply');
  await ada.json('PUT', `/messages/${reply.id}/reactions/👍`);
  const note = await team.note(bob, { title: 'T', content: 'C' });
  const todo = (await bob.json<Item>('POST', `/messages/${message.id}/conversion`, { to: 'todo' })).body;
  const gone = await team.message(bob, 'a word that was taken back');
  await bob.json('DELETE', `/messages/${gone.id}`);
  await bob.json('PUT', `/items/${note.id}/pin`);
  const blank = await team.message(bob, 'a secret that was taken back');
  const under = await team.reply(ada, blank, 'too late');
  await bob.json('DELETE', `/messages/${blank.id}`);

  const document = await exportOf(team);
  expect(ids(document.messages)).toEqual(ids([posted, message, reply, blank, under]));
  expect(ids(document.notes)).toEqual([note.id]);
  expect(ids(document.todos)).toEqual([todo.id]);
  for (const item of [...document.messages, ...document.notes, ...document.todos])
    expect(item).toEqual(await team.show<typeof item>(item));
  expect(JSON.stringify(document)).not.toContain('taken back');
  expect(ids(document.members).sort()).toEqual(ids([ada.user, bob.user]).sort());
  const { epoch } = await team.messages();
  const hub = { id: hubId, seq: await team.seq(), pinnedIds: [note.id] };
  expect(document).toMatchObject({ exportedAt: '2026-03-01T09:30:00.000Z', hub, epoch });
  const entry = { action: 'hub.exported', hubId, targetId: hubId, targetName: 'Releases' };
  expect((await team.hub.admin.audit('?limit=1')).items).toMatchObject([entry]);
});

test('a Hub export with files is an archive of the same document and of each file as it was uploaded', async () => {
  await using team = await startTeam();
  const { ada, bob, hubId } = team;
  // More than a piece.
  const log = 'line\n'.repeat(100_000);
  const files = [(await team.upload(bob, 'a: b?.log', log)).id, (await team.upload(bob, 'Übersicht.pdf', 'pdf')).id];
  await team.upload(ada, 'loose', 'x');
  await bob.json('POST', `/hubs/${hubId}/messages`, { text: 'The logs', files });
  const response = await ada.fetch(`/api/v1/hubs/${hubId}/archive`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  using folder = temporaryFolder();
  const file = folder.file('export.zip');
  await Bun.write(file, await response.bytes());
  await Bun.$`unzip -q ${file} -d ${folder.path}`;
  expect(await Bun.file(folder.file('export.json')).json()).toEqual(await exportOf(team));
  expect(await Bun.file(folder.file(`files/${files[0]}-a_ b_.log`)).text()).toBe(log);
  expect(await Bun.file(folder.file(`files/${files[1]}-Übersicht.pdf`)).text()).toBe('pdf');
  expect(readdirSync(folder.file('files'))).toHaveLength(2);
  expect((await team.hub.admin.audit('?action=hub.exported')).items).toHaveLength(2);
});

test('a Hub export ends, however fast others write, and contains what existed when it began', async () => {
  await using team = await startTeam();
  const { ada, bob, hubId } = team;
  await Promise.all(Array.from({ length: 150 }, (_, n) => team.message(ada, `before ${n}`)));
  const response = await ada.fetch(`/api/v1/hubs/${hubId}/export`);
  await Promise.all(Array.from({ length: 150 }, (_, n) => team.note(bob, { content: `new ${n}` })));
  const { hub, messages, notes } = (await response.json()) as HubExport;
  expect([messages.length, notes.length]).toEqual([150, 0]);
  expect(await team.seq()).toBe(hub.seq + 150);
});

test('a Hub export is visibly cut short when its reader loses the Hub or the account', async () => {
  await using team = await startTeam();
  const { ada, bob, hub, hubId } = team;
  // 14 MB: more than the buffers at both ends of the connection can hold.
  await insertLongNotes(hub.store, { hubId, id: team.keyId }, 75);
  for (const [reader, method, path, after] of [
    [bob, 'DELETE', `/hubs/${hubId}/members/${bob.user.id}`, 404],
    [ada, 'POST', `/users/${ada.user.id}/deactivation`, 401],
  ] as const) {
    hub.logged.length = 0;
    const response = await reader.fetch(`/api/v1/hubs/${hubId}/export`);
    expect((await hub.admin.raw(method, path)).status).toBe(200);
    const text = await response.text().catch(() => 'interrupted');
    expect(() => JSON.parse(text)).toThrow();
    expect(hub.logged).toContainEqual(expect.objectContaining({ level: 'warn', message: 'Export interrupted' }));
    expect((await reader.fetch(`/api/v1/hubs/${hubId}/export`)).status).toBe(after);
  }
});

function watched(pieces: AsyncIterable<string>) {
  const calls: unknown[] = [];
  const clock = new TestClock();
  const response = attachment('x.json', pieces, {
    clock,
    onError: (error) => calls.push(error),
    onLeft: () => calls.push('left'),
    onEnd: () => calls.push('end'),
  });
  return { response, calls, clock };
}

test('treats a reader that disconnects while a piece is being made as normal, and makes no further piece', async () => {
  const made: string[] = [];
  const asked = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const { response, calls } = watched(
    (async function* () {
      yield 'first';
      asked.resolve();
      await go.promise;
      made.push('second');
      yield 'second';
      made.push('third');
      yield 'third';
    })(),
  );
  const reader = response.body?.getReader();
  await reader?.read();
  await asked.promise;
  const left = reader?.cancel();
  go.resolve();
  await left;
  expect([made, calls]).toEqual([['second'], ['end', 'left']]);
});

test('disconnects a reader that reads only a little now and then, but not one that reads a slice in each interval', async () => {
  const text = 'x'.repeat(5 * SLICE_BYTES);
  const { response, calls, clock } = watched(
    (async function* () {
      yield text;
    })(),
  );
  const reader = response.body?.getReader();
  for (let slice = 0; slice < 3; slice += 1) {
    expect((await reader?.read())?.value?.length).toBe(SLICE_BYTES);
    await clock.untilSleeping();
    clock.advance(SLICE_MS);
    await clock.untilSleeping();
  }
  clock.advance(SLICE_MS);
  await new Promise(setImmediate);
  const end = await reader?.read().catch((error: Error) => error.message);
  expect(end).toBe('The reader took less than 65536 bytes in 15 s');
  expect(calls).toEqual(['end', new Error('The reader took less than 65536 bytes in 15 s')]);
});
