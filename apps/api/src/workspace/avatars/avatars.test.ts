import { describe, expect, test } from 'bun:test';
import type { AvatarRef } from '@hub/contract';
import { pngOf } from '@hub/testkit/in-process/images';
import { perTest } from '@hub/testkit/in-process/shared';
import { startTeam } from '@hub/testkit/in-process/team';
import { signedIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';
import { readAvatarHead } from './avatar-head.ts';

const team = perTest(startTeam);

const MINE = '/api/v1/me/avatar';
const of = ({ user }: UserCaller) => `/api/v1/users/${user.id}/avatar`;
const PNG = pngOf({ width: 64, height: 64 });

const choose = async (caller: UserCaller): Promise<AvatarRef> => {
  const response = await caller.fetch(MINE, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: PNG });
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
    const version = expect.stringMatching(/^[0-9a-f]{16}$/) as never;
    expect(chosen).toEqual({ id: ada.user.id, kind: 'user', version });
    expect(await listed(bob)).toEqual([chosen]);
    const response = await bob.fetch(`${of(ada)}?v=${chosen.version}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(await response.bytes()).toEqual(PNG);
    expect((await ada.json('DELETE', '/me/avatar')).body).toEqual({ ...chosen });
    expect([(await bob.fetch(of(ada))).status, await listed(bob)]).toEqual([404, []]);
    expect((await ada.json('DELETE', '/me/avatar')).status).toBe(404);
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
    const [stranger, admin] = [await signedIn(team.hub), await signedIn(team.hub, { role: 'admin' })];
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
});

test('an avatar of a wrong Content-Type, or whose bytes do not match it, is rejected with 415', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  for (const [body, headers, message] of [
    [PNG, { 'content-type': 'image/svg+xml' }, 'The Content-Type image/svg+xml is not supported. Send a PNG, JPEG or'],
    [svg, { 'content-type': 'image/png' }, 'This file is not a PNG, JPEG or WebP'],
    [PNG, { 'content-type': 'image/jpeg' }, 'The Content-Type is image/jpeg, but the file is a PNG. Send it as'],
    [PNG, { 'content-type': 'image/png', 'content-encoding': 'gzip' }, 'The Content-Encoding gzip'],
    [PNG, {}, 'The Content-Type is missing'],
  ] as const) {
    const response = await team.ada.fetch(MINE, { method: 'PUT', headers, body });
    expect(await error(response)).toStartWith(`415 ${message}`);
  }
});

test('the head of a file tells the type and size of an image, and nothing else is one', () => {
  const size = { width: 300, height: 200 };
  for (const [bytes, type] of [
    [pngOf(size), 'image/png'],
    [jpegHead(size), 'image/jpeg'],
    ...(['VP8 ', 'VP8L', 'VP8X'] as const).map((kind) => [webpHead(kind, size), 'image/webp'] as const),
  ] as const) {
    expect(readAvatarHead(bytes)).toEqual({ type, size, isAnimated: false });
  }
  const animated = webpHead('VP8X', { ...size, isAnimated: true });
  expect(readAvatarHead(animated)?.isAnimated).toBe(true);
  for (const text of ['', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'GIF89a', 'RIFF', 'RIFF1234WAVE', '%PDF-1.7']) {
    expect(readAvatarHead(new TextEncoder().encode(text))).toBeNull();
  }
});

/** Returns only the header of a JPEG: enough to detect it, but not to display it. */
function jpegHead({ width, height }: { width: number; height: number }) {
  const frame = Buffer.of(0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const comment = Buffer.of(0xff, 0xfe, 0, 4, 0x68, 0x69);
  return Uint8Array.from(
    Buffer.concat([Buffer.of(0xff, 0xd8), comment, Buffer.of(0xff), frame, Buffer.of(0xff, 0xd9)]),
  );
}

/** Returns only the header of a WebP: lossy, lossless or extended. Only an extended one can be animated. */
function webpHead(
  kind: 'VP8 ' | 'VP8L' | 'VP8X',
  { width, height, isAnimated = false }: { width: number; height: number; isAnimated?: boolean },
) {
  const body = Buffer.alloc(14);
  if (kind === 'VP8 ') {
    body.set([0, 0, 0, 0x9d, 0x01, 0x2a]);
    body.writeUInt16LE(width, 6);
    body.writeUInt16LE(height, 8);
  } else if (kind === 'VP8L') {
    body[0] = 0x2f;
    body.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
  } else {
    body[0] = isAnimated ? 0x02 : 0;
    body.writeUIntLE(width - 1, 4, 3);
    body.writeUIntLE(height - 1, 7, 3);
  }
  const head = Buffer.alloc(20);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(12 + body.length, 4);
  head.write(`WEBP${kind}`, 8, 'latin1');
  head.writeUInt32LE(body.length, 16);
  return Uint8Array.from(Buffer.concat([head, body]));
}
