import { expect, test } from 'bun:test';
import type { AvatarRef } from '@hub/contract';
import { pngOf } from '@hub/testkit/in-process/images';
import { perTest } from '@hub/testkit/in-process/shared';
import { startTeam } from '@hub/testkit/in-process/team';
import { signedIn, type UserCaller } from '@hub/testkit/in-process/users';

const team = perTest(startTeam);

const of = ({ user }: UserCaller) => `/api/v1/users/${user.id}/avatar`;
const PNG = pngOf({ width: 64, height: 64 });

const put = (body: string | Uint8Array, headers: Record<string, string> = { 'content-type': 'image/png' }) =>
  team.ada.fetch('/api/v1/me/avatar', {
    method: 'PUT',
    headers,
    body: typeof body === 'string' ? body : Uint8Array.from(body),
  });
const choose = async () => (await (await put(PNG)).json()) as AvatarRef;
const error = async (response: Response) =>
  `${response.status} ${((await response.json()) as { message: string }).message}`;
const listed = async ({ request }: UserCaller) => (await request('GET /avatars')).items;

test('an avatar can be set, is visible to users who share a Hub, and can be removed', async () => {
  const { ada, bob } = team;
  expect(await error(await bob.fetch(of(ada)))).toBe(`404 There is no avatar for ${ada.user.id}.`);
  const chosen = await choose();
  const version = expect.stringMatching(/^[0-9a-f]{16}$/) as never;
  expect(chosen).toEqual({ id: ada.user.id, kind: 'user', version });
  expect(await listed(bob)).toEqual([chosen]);
  const response = await bob.fetch(`${of(ada)}?v=${chosen.version}`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
  expect(await new Bun.Image(await response.bytes()).metadata()).toEqual({ width: 64, height: 64, format: 'webp' });
  expect((await ada.json('DELETE', '/me/avatar')).body).toEqual({ ...chosen });
  expect([(await bob.fetch(of(ada))).status, await listed(bob)]).toEqual([404, []]);
  expect((await ada.json('DELETE', '/me/avatar')).status).toBe(404);
});

test('an avatar is cached permanently if the URL contains its version, is revalidated otherwise, and cannot run scripts', async () => {
  const { version } = await choose();
  const get = (query: string, headers: Record<string, string> = {}) =>
    team.bob.fetch(`${of(team.ada)}${query}`, { headers });
  const [kept, other, bare] = [await get(`?v=${version}`), await get('?v=0'), await get('')];
  expect(kept.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
  for (const response of [other, bare]) expect(response.headers.get('cache-control')).toBe('private, no-cache');
  const security = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' };
  for (const { headers } of [kept, other, bare]) {
    expect(Object.fromEntries(headers)).toMatchObject(security);
    expect(headers.get('content-security-policy')).toStartWith("default-src 'none';");
  }
  const unchanged = await get('', { 'if-none-match': bare.headers.get('etag') ?? '' });
  expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
  expect((await get('', { 'if-none-match': '"0"' })).status).toBe(200);
  expect(await error(await get('?w=1'))).toStartWith('400 w is not a known parameter');
});

test('an avatar is hidden from users who share no Hub with its owner, but visible to admins and the owner', async () => {
  const [stranger, admin] = [await signedIn(team.hub), await signedIn(team.hub, { role: 'admin' })];
  const { version } = await choose();
  expect((await stranger.fetch(`${of(team.ada)}?v=${version}`)).status).toBe(404);
  expect(await listed(stranger)).toEqual([]);
  for (const caller of [admin, team.ada])
    expect([(await caller.fetch(of(team.ada))).status, (await listed(caller)).length]).toEqual([200, 1]);
  await team.hub.admin.raw('DELETE', `/hubs/${team.hubId}`);
  expect((await team.bob.fetch(of(team.ada))).status).toBe(404);
});

test('an avatar of a wrong Content-Type, or whose bytes are no image, is rejected with 415', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  for (const [body, headers, message] of [
    [PNG, { 'content-type': 'image/svg+xml' }, 'The Content-Type image/svg+xml is not supported. Send a PNG, JPEG or'],
    [svg, { 'content-type': 'image/png' }, 'This file is not a PNG, JPEG or WebP'],
    [PNG, { 'content-type': 'image/png', 'content-encoding': 'gzip' }, 'The Content-Encoding gzip'],
    [PNG, {}, 'The Content-Type is missing'],
  ] as const)
    expect(await error(await put(body, headers))).toStartWith(`415 ${message}`);
});

test('an avatar is scaled down and stored without its metadata; a damaged or large one is rejected', async () => {
  const jpeg = Buffer.from(await new Bun.Image(pngOf({ width: 900, height: 600 })).jpeg().bytes());
  const location = Buffer.from('\xff\xe1\0\x1aExif\0\0 52.52 N 13.40 E   ', 'latin1');
  expect((await put(Buffer.concat([jpeg.subarray(0, 2), location, jpeg.subarray(2)]))).status).toBe(200);
  const bytes = await (await team.bob.fetch(of(team.ada))).bytes();
  expect(await new Bun.Image(bytes).metadata()).toEqual({ width: 256, height: 171, format: 'webp' });
  expect(Buffer.from(bytes).includes('52.52 N')).toBe(false);
  expect(await error(await put(PNG.subarray(0, 60)))).toStartWith('400 This image is damaged or incomplete.');
  expect(await error(await put(pngOf({ width: 1025, height: 8 })))).toStartWith('400 The image has 1025 × 8 pixels');
});
