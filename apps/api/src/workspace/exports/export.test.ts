import { describe, expect, test } from 'bun:test';
import { HubExport, type Item } from '@hub/contract';
import { type MessagePage, startTeam, type Team } from '@hub/testkit/in-process/team';
import { memberOf, signedIn, tokenOf } from '@hub/testkit/in-process/users';
import { Value } from '@sinclair/typebox/value';
import { hubDocument, Turns } from './export-hub.ts';

type Caller = Team['ada'];

async function exportOf(caller: Caller, hubId: string): Promise<HubExport> {
  const response = await caller.fetch(`/api/v1/hubs/${hubId}/export`);
  expect(response.status).toBe(200);
  const document: unknown = await response.json();
  expect([...Value.Errors(HubExport, document)]).toEqual([]);
  return document as HubExport;
}

const ids = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);

describe('a Hub export', () => {
  test('contains everything in the lists and threads of the Hub, oldest first, in the same form', async () => {
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
    const blank = await team.message(bob, 'a secret that was taken back');
    const under = await team.reply(ada, blank, 'too late');
    await bob.json('DELETE', `/messages/${blank.id}`);

    const document = await exportOf(ada, hubId);
    expect(ids(document.messages)).toEqual(ids([posted, message, reply, blank, under]));
    expect(ids(document.notes)).toEqual([note.id]);
    expect(ids(document.todos)).toEqual([todo.id]);
    for (const item of [...document.messages, ...document.notes, ...document.todos]) {
      expect(item).toEqual(await team.show<typeof item>(item));
    }
    expect(JSON.stringify(document)).not.toContain('taken back');
    expect(ids(document.members).sort()).toEqual(ids([ada.user, bob.user]).sort());
    expect(document).toMatchObject({
      exportedAt: '2026-03-01T09:30:00.000Z',
      hub: { id: hubId, seq: await team.seq() },
    });
    const { epoch } = (await ada.json<MessagePage>('GET', `/hubs/${hubId}/messages`)).body;
    expect(document.epoch).toBe(epoch);
  });

  test('is a complete document for an empty Hub', async () => {
    await using team = await startTeam();
    expect(await exportOf(team.ada, team.hubId)).toMatchObject({ messages: [], notes: [], todos: [] });
  });

  test('is a streamed JSON file', async () => {
    await using team = await startTeam();
    const { headers } = await team.ada.fetch(`/api/v1/hubs/${team.hubId}/export`);
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${team.hubId}.json"`);
    expect(headers.get('content-length')).toBeNull();
    expect(headers.get('x-request-id')).toStartWith('req_');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('contains every item exactly once when it spans several pages', async () => {
    await using team = await startTeam();
    const { ada, hub, hubId } = team;
    const written = await Promise.all(Array.from({ length: 250 }, (_, n) => team.message(ada, `message ${n}`)));
    const notes = await Promise.all(Array.from({ length: 101 }, (_, n) => team.note(ada, { content: `note ${n}` })));
    for (let n = 0; n < 101; n += 1) await memberOf(hub, hubId, { name: `Member ${n}` });
    const document = await exportOf(ada, hubId);
    expect(ids(document.messages).sort()).toEqual(ids(written).sort());
    expect(ids(document.messages)).toEqual(ids(document.messages).sort());
    expect(ids(document.notes).sort()).toEqual(ids(notes).sort());
    expect(new Set(ids(document.members)).size).toBe(103);
  });

  test('is sent in pieces of bounded size, however large the items are', async () => {
    await using team = await startTeam();
    const { ada, hub, hubId } = team;
    for (let n = 0; n < 60; n += 1) await team.note(ada, { content: 'short' });
    const written = await Promise.all(
      Array.from({ length: 20 }, () => team.note(ada, { content: 'é'.repeat(100_000) })),
    );
    const listing = await hub.store.hubs.find(hubId);
    if (!listing) throw new Error('The Hub is gone');
    const pieces = await Array.fromAsync(
      hubDocument(hub.deps, listing, { exportedAt: 0, turns: new Turns(), check: async () => {} }),
    );
    expect(Math.max(...pieces.map((piece) => Buffer.byteLength(piece)))).toBeLessThan(1024 * 1024);
    const { notes } = JSON.parse(pieces.join('')) as HubExport;
    expect(new Set(ids(notes)).size).toBe(60 + written.length);
    expect(notes).toHaveLength(60 + written.length);
  });

  test('ends, however fast others write, and contains what existed when it began', async () => {
    await using team = await startTeam();
    const { ada, bob, hubId } = team;
    await Promise.all(Array.from({ length: 150 }, (_, n) => team.message(ada, `before ${n}`)));
    const response = await ada.fetch(`/api/v1/hubs/${hubId}/export`);
    const newNotes = Array.from({ length: 150 }, (_, n) => team.note(bob, { content: `new ${n}` }));
    await Promise.all(newNotes);
    const { hub, messages, notes } = (await response.json()) as HubExport;
    expect(messages).toHaveLength(150);
    expect(notes.length).toBe(0);
    expect(await team.seq()).toBe(hub.seq + 150);
  });

  test('lets the server handle other requests after each page', async () => {
    await using team = await startTeam();
    await Promise.all(Array.from({ length: 250 }, (_, n) => team.message(team.ada, `message ${n}`)));
    let turns = 0;
    let turning = setImmediate(function turn() {
      turns += 1;
      turning = setImmediate(turn);
    });
    const listing = await team.hub.store.hubs.find(team.hubId);
    if (!listing) throw new Error('The Hub is gone');
    const pieces = hubDocument(team.hub.deps, listing, { exportedAt: 0, turns: new Turns(), check: async () => {} });
    const document = (await Array.fromAsync(pieces)).join('');
    clearImmediate(turning);
    expect((JSON.parse(document) as HubExport).messages).toHaveLength(250);
    // One page of members, of notes and of to-dos, and three of messages.
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  test('reads one page per turn of the event loop, however many exports run at the same time', async () => {
    await using team = await startTeam();
    await Promise.all(Array.from({ length: 250 }, (_, n) => team.message(team.ada, `message ${n}`)));
    const { store, hubId, turns } = { store: team.hub.deps.store, hubId: team.hubId, turns: new Turns() };
    const listing = await store.hubs.find(hubId);
    if (!listing) throw new Error('The Hub is gone');
    let [thisTurn, maxPerTurn] = [0, 0];
    let turning = setImmediate(function turn() {
      thisTurn = 0;
      turning = setImmediate(turn);
    });
    const list: typeof store.items.list = (query) => {
      thisTurn += 1;
      maxPerTurn = Math.max(maxPerTurn, thisTurn);
      return store.items.list(query);
    };
    const counting = { store: { ...store, items: { ...store.items, list } } };
    const documents = Array.from({ length: 20 }, () =>
      Array.fromAsync(hubDocument(counting, listing, { exportedAt: 0, turns, check: async () => {} })),
    );
    const sizes = (await Promise.all(documents)).map((pieces) => pieces.join('').length);
    clearImmediate(turning);
    expect(new Set(sizes).size).toBe(1);
    expect(maxPerTurn).toBe(1);
  });

  test('sends only the headers for HEAD, without an audit entry', async () => {
    await using team = await startTeam();
    const path = `/api/v1/hubs/${team.hubId}/export`;
    const response = await team.ada.fetch(path, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${team.hubId}.json"`);
    expect((await team.hub.admin.audit()).items.map(({ action }) => action)).not.toContain('hub.exported');
    expect((await (await signedIn(team.hub)).fetch(path, { method: 'HEAD' })).status).toBe(404);
  });

  test('is in the audit log', async () => {
    await using team = await startTeam();
    await exportOf(team.ada, team.hubId);
    const [entry] = (await team.hub.admin.audit('?limit=1')).items;
    expect(entry).toMatchObject({
      action: 'hub.exported',
      hubId: team.hubId,
      targetId: team.hubId,
      targetName: 'Releases',
      actor: { kind: 'user', id: team.ada.user.id },
      address: '192.0.2.1',
    });
  });

  test.each([
    ['the Hub', '/hubs/:hubId/members/:userId', 'DELETE', 404],
    ['the account', '/users/:userId/deactivation', 'POST', 401],
  ])('is visibly cut short when its reader loses %s', async (_, path, method, after) => {
    await using team = await startTeam();
    const { ada, bob, hub, hubId } = team;
    // 14 MB: more than the buffers at both ends of the connection can hold.
    for (let n = 0; n < 75; n += 1) await team.note(ada, { content: `${n} ${'x'.repeat(190_000)}` });
    const response = await bob.fetch(`/api/v1/hubs/${hubId}/export`);
    const ended = await hub.admin.raw(method, path.replace(':hubId', hubId).replace(':userId', bob.user.id));
    expect(ended.status).toBe(200);
    const text = await response.text().catch(() => 'interrupted');
    expect(() => JSON.parse(text)).toThrow();
    expect(hub.logged).toContainEqual(expect.objectContaining({ level: 'warn', message: 'Export interrupted' }));
    expect((await bob.fetch(`/api/v1/hubs/${hubId}/export`)).status).toBe(after);
  });
});

describe('access to an export', () => {
  test('is granted to members, with a session or a token, and to the local admin', async () => {
    await using team = await startTeam();
    const { ada, hub, hubId } = team;
    await team.message(ada, 'ours');
    for (const caller of [ada, await tokenOf(hub, ada.user)]) {
      expect((await exportOf(caller, hubId)).messages).toHaveLength(1);
    }
    const local = (await (await hub.admin.raw('GET', `/hubs/${hubId}/export`)).json()) as HubExport;
    expect(local.messages).toHaveLength(1);
  });

  test('is denied without credentials and for keys (401), for outsiders and a deleted Hub (404), and for other admins (403)', async () => {
    await using team = await startTeam();
    const { ada, hub, hubId, key } = team;
    const path = `/api/v1/hubs/${hubId}/export`;
    expect((await hub.fetch(path)).status).toBe(401);
    expect((await hub.fetch(path, { headers: { authorization: `Bearer ${key}` } })).status).toBe(401);
    expect((await (await signedIn(hub)).fetch(path)).status).toBe(404);
    const admin = await (await signedIn(hub, { role: 'admin' })).fetch(path);
    expect([admin.status, await admin.text()]).toEqual([403, expect.stringContaining('add yourself')]);
    const before = (await hub.admin.audit()).items.filter(({ action }) => action === 'hub.exported');
    expect(before).toEqual([]);
    await hub.admin.deleteHub(hubId);
    expect((await ada.fetch(path)).status).toBe(404);
  });
});
