import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { AvatarRef } from '@hub/contract';
import { jpegHead, pngOf, webpHead } from '@hub/testkit/in-process/images';
import { recordsOf, startTeam } from '@hub/testkit/in-process/team';
import { signedIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';

let team: Awaited<ReturnType<typeof startTeam>>;
let admin: UserCaller;
beforeEach(async () => {
  team = await startTeam();
  admin = await signedIn(team.hub, { role: 'admin' });
});
afterEach(() => team[Symbol.asyncDispose]());

const MINE = '/api/v1/me/avatar';
const BOTS = '/api/v1/workspace/bot-avatar';
const of = ({ user }: UserCaller) => `/api/v1/users/${user.id}/avatar`;
const PNG = pngOf({ width: 64, height: 64 });

const put = (caller: UserCaller, bytes: Bun.BodyInit, { type = 'image/png', path = MINE } = {}) =>
  caller.fetch(path, { method: 'PUT', headers: { 'content-type': type }, body: bytes });
const choose = async (caller: UserCaller, bytes: Uint8Array<ArrayBuffer> = PNG, path = MINE): Promise<AvatarRef> => {
  const response = await put(caller, bytes, { path });
  expect(response.status).toBe(200);
  return (await response.json()) as AvatarRef;
};
const error = async (response: Response) =>
  `${response.status} ${((await response.json()) as { message: string }).message}`;
const listed = async (caller: UserCaller) => (await caller.json<{ items: AvatarRef[] }>('GET', '/avatars')).body.items;

describe('an avatar', () => {
  test('can be set, is visible to users who share a Hub, and can be removed', async () => {
    const { ada, bob } = team;
    expect(await error(await bob.fetch(of(ada)))).toBe(`404 There is no avatar for ${ada.user.id}.`);
    const chosen = await choose(ada);
    expect(chosen).toEqual({
      id: ada.user.id,
      kind: 'user',
      version: expect.stringMatching(/^[0-9a-f]{16}$/) as never,
    });
    expect(await listed(bob)).toEqual([chosen]);
    const response = await bob.fetch(`${of(ada)}?v=${chosen.version}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(await response.bytes()).toEqual(PNG);
    expect((await ada.json('DELETE', '/me/avatar')).body).toEqual({ ...chosen });
    expect((await bob.fetch(of(ada))).status).toBe(404);
    expect(await listed(bob)).toEqual([]);
    expect((await ada.json('DELETE', '/me/avatar')).status).toBe(404);
  });

  test('replaces the previous one and gets a new version', async () => {
    const first = await choose(team.ada);
    const second = await choose(team.ada, pngOf({ width: 8, height: 8 }));
    expect(second.version).not.toBe(first.version);
    expect(await listed(team.ada)).toEqual([second]);
  });

  test('is cached permanently if the URL contains its version, is revalidated otherwise, and cannot run scripts', async () => {
    const { version } = await choose(team.ada);
    const get = (query: string, headers: Record<string, string> = {}) =>
      team.bob.fetch(`${of(team.ada)}${query}`, { headers });
    const [kept, other, bare] = [await get(`?v=${version}`), await get('?v=0'), await get('')];
    expect(kept.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    for (const response of [other, bare]) expect(response.headers.get('cache-control')).toBe('private, no-cache');
    for (const response of [kept, other, bare]) {
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('content-security-policy')).toStartWith("default-src 'none';");
      expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    }
    const unchanged = await get('', { 'if-none-match': bare.headers.get('etag') ?? '' });
    expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
    expect((await get('', { 'if-none-match': '"0"' })).status).toBe(200);
    expect(await error(await get('?w=1'))).toStartWith('400 w is not a known parameter');
  });

  test('is hidden from users who share no Hub with its owner, but visible to admins and the owner', async () => {
    const stranger = await signedIn(team.hub);
    const { version } = await choose(team.ada);
    expect((await stranger.fetch(`${of(team.ada)}?v=${version}`)).status).toBe(404);
    expect(await listed(stranger)).toEqual([]);
    for (const caller of [admin, team.ada, await tokenOf(team.hub, team.ada.user)]) {
      expect((await caller.fetch(of(team.ada))).status).toBe(200);
      expect(await listed(caller)).toHaveLength(1);
    }
    expect((await team.hub.fetch(of(team.ada))).status).toBe(401);
    await team.hub.admin.raw('DELETE', `/hubs/${team.hubId}`);
    expect((await team.bob.fetch(of(team.ada))).status).toBe(404);
  });

  test('of the bot can be set by admins only and is visible to every member', async () => {
    const stranger = await signedIn(team.hub);
    expect((await put(team.ada, PNG, { path: BOTS })).status).toBe(403);
    expect((await team.ada.json('DELETE', '/workspace/bot-avatar')).status).toBe(403);
    expect((await stranger.fetch(BOTS)).status).toBe(404);
    const chosen = await choose(admin, PNG, BOTS);
    const { author } = await team.post('messages', { text: 'x' });
    expect(chosen).toEqual({ id: author.id, kind: 'bot', version: chosen.version });
    expect(await listed(stranger)).toEqual([chosen]);
    expect((await stranger.fetch(BOTS)).status).toBe(200);
    expect((await admin.json('DELETE', '/workspace/bot-avatar')).status).toBe(200);
    expect((await stranger.fetch(BOTS)).status).toBe(404);
  });

  test("is published to each of the user's Hubs, as a new name is, but not when the same image is set again", async () => {
    const { ada, hub, hubId } = team;
    const before = await team.seq();
    const { version } = await choose(ada);
    await choose(ada);
    await ada.json('PATCH', '/me', { name: 'Ada King' });
    await ada.json('DELETE', '/me/avatar');
    const { id } = ada.user;
    expect((await recordsOf(hub, hubId, before)).map(({ event, data }) => [event, data])).toEqual([
      ['member.changed', { id, name: 'Ada Lovelace', avatarVersion: version }],
      ['member.changed', { id, name: 'Ada King', avatarVersion: version }],
      ['member.changed', { id, name: 'Ada King', avatarVersion: null }],
    ]);
    const audited = (await hub.admin.audit('?limit=3')).items;
    expect(audited.map(({ action, targetId, details }) => [action, targetId, details])).toEqual([
      ['user.changed', id, { to: { avatar: null } }],
      ['user.changed', id, { from: { name: 'Ada Lovelace' }, to: { name: 'Ada King' } }],
      ['user.changed', id, { to: { avatar: version } }],
    ]);
  });

  test('is listed page by page', async () => {
    for (const caller of [team.ada, team.bob]) await choose(caller);
    const page = async (query: string) =>
      (await team.ada.json<{ items: AvatarRef[]; next: string | null }>('GET', `/avatars?limit=1${query}`)).body;
    const first = await page('');
    const second = await page(`&before=${first.next}`);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual([team.bob.user.id, team.ada.user.id]);
    expect(second.next).toBeNull();
  });
});

describe('an invalid avatar', () => {
  const ask = async (bytes: Bun.BodyInit, type = 'image/png') => error(await put(team.ada, bytes, { type }));

  test('returns 415 for a wrong Content-Type and for bytes that do not match it', async () => {
    expect(await ask(PNG, 'image/svg+xml')).toBe(
      '415 The Content-Type image/svg+xml is not supported. Send a PNG, JPEG or WebP image as image/png, image/jpeg or image/webp.',
    );
    expect(await ask('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')).toStartWith(
      '415 This file is not a PNG, JPEG or WebP',
    );
    expect(await ask('<!doctype html>')).toStartWith('415 This file is not a PNG');
    expect(await ask(PNG, 'image/jpeg')).toBe(
      '415 The Content-Type is image/jpeg, but the file is a PNG. Send it as "Content-Type: image/png".',
    );
    const compressed = await team.ada.fetch(MINE, {
      method: 'PUT',
      headers: { 'content-type': 'image/png', 'content-encoding': 'gzip' },
      body: PNG,
    });
    expect(await error(compressed)).toStartWith('415 The Content-Encoding gzip');
    const bare = await team.ada.fetch(MINE, { method: 'PUT', body: PNG });
    expect(await error(bare)).toStartWith('415 The Content-Type is missing');
  });

  test('returns 413 for too many bytes and 400 for too many pixels', async () => {
    const padded = (length: number) => {
      const bytes = new Uint8Array(length);
      bytes.set(PNG);
      return bytes;
    };
    expect((await put(team.ada, padded(256 * 1024))).status).toBe(200);
    expect(await ask(padded(256 * 1024 + 1))).toStartWith('413 The image has 262145 bytes; at most 262144 (256 KiB)');
    const inChunks = new ReadableStream<Uint8Array>({
      start: (chunks) => {
        for (let n = 0; n < 3; n += 1) chunks.enqueue(padded(100_000));
        chunks.close();
      },
    });
    expect(await ask(inChunks)).toStartWith('413 The image has more than 262144 bytes');
    expect((await put(team.ada, pngOf({ width: 1024, height: 1024 }))).status).toBe(200);
    expect(await ask(pngOf({ width: 1025, height: 1 }))).toBe(
      '400 The image has 1025 × 1 pixels; at most 1024 × 1024 are accepted. Scale it down.',
    );
    expect(await ask(webpHead('VP8 ', { width: 1, height: 4000 }), 'image/webp')).toStartWith('400 The image has 1 ×');
    expect(await ask(jpegHead({ width: 0, height: 10 }), 'image/jpeg')).toStartWith('400 This JPEG is damaged');
  });

  test('returns 400 if it is damaged, empty or animated', async () => {
    expect(await ask(PNG.slice(0, 60))).toStartWith('400 This PNG is damaged or incomplete');
    expect(await ask('')).toBe('400 The body is empty. Send an image.');
    expect(await ask(pngOf({ width: 8, height: 8, isAnimated: true }))).toBe(
      '400 Animated images are not accepted. Send a still image.',
    );
    expect(await listed(team.ada)).toEqual([]);
  });

  test('is not stored if the caller is not allowed to set it', async () => {
    const foreign = await team.hub.fetch(MINE, {
      method: 'PUT',
      headers: { 'content-type': 'image/png', cookie: team.ada.headers.cookie ?? '', origin: 'https://evil.example' },
      body: PNG,
    });
    expect(foreign.status).toBe(403);
    const nobody = await team.hub.fetch(MINE, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: PNG });
    expect(nobody.status).toBe(401);
    expect(
      await error(
        await team.ada.fetch(MINE, {
          method: 'DELETE',
          headers: { 'content-type': 'application/json' },
          body: '{"a":1}',
        }),
      ),
    ).toStartWith('400 a is not a field of removing an avatar');
    expect(await listed(team.ada)).toEqual([]);
  });
});
