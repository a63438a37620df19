import { expect, test } from 'bun:test';
import type { Message, Note, UploadedFile } from '@hub/contract';
import { POSTS } from '@hub/testkit/http';
import { pngOf } from '@hub/testkit/in-process/images';
import { perTest } from '@hub/testkit/in-process/shared';
import { startTeam, teamIn } from '@hub/testkit/in-process/team';
import { signedIn, type UserCaller } from '@hub/testkit/in-process/users';

const team = perTest(startTeam);

const HOUR_MS = 3_600_000;
const PNG = pngOf({ width: 64, height: 32 });
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

const error = async (response: Response) =>
  `${response.status} ${((await response.json()) as { message: string }).message}`;

/** Uploads with the key of the Hub. */
function upload(
  name: string,
  body: RequestInit['body'] = PNG,
  { key = team.key, query = `?name=${encodeURIComponent(name)}`, ...others }: Record<string, string> = {},
): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, ...others };
  return team.hub.fetch(`/api/public/v1/files${query}`, { method: 'POST', headers, body: body ?? null });
}

async function uploaded(...parameters: Parameters<typeof upload>): Promise<UploadedFile> {
  const { data } = (await (await upload(...parameters)).json()) as { data: UploadedFile };
  expect(data.id).toStartWith('file_');
  return data;
}

const contentOf = ({ id }: { id: string }, caller: UserCaller = team.bob, headers: Record<string, string> = {}) =>
  caller.fetch(`/api/v1/files/${id}`, { headers });
const fileCount = async () =>
  Number((await team.hub.query<{ n: number | string }>('SELECT count(*) AS n FROM files'))[0]?.n);
const usedBytes = () => team.hub.store.files.totalBytes();

test('files uploaded with a key are shown by the post that lists them, to members, in its order', async () => {
  const report = await uploaded('Übersicht (1).pdf', 'content', { 'content-type': 'application/pdf; v=1' });
  const image = await uploaded('shot.png', PNG, { 'content-type': 'text/html' });
  expect(report).toMatchObject({ name: 'Übersicht (1).pdf', size: 7, contentType: 'application/pdf' });
  const post = await team.post('messages', { text: 'the report', files: [image.id, report.id] });
  const { createdAt: _, ...pdf } = report;
  const shown = { id: image.id, name: 'shot.png', size: PNG.length, contentType: 'image/png', width: 64, height: 32 };
  expect(post.files).toEqual([expect.objectContaining(shown), pdf]);

  const response = await contentOf(report);
  expect(await response.text()).toBe('content');
  expect(Object.fromEntries(response.headers)).toMatchObject({
    ...{ 'content-type': 'application/pdf', 'cache-control': 'private, max-age=31536000, immutable' },
    'content-disposition': `attachment; filename="_bersicht (1).pdf"; filename*=UTF-8''%C3%9Cbersicht%20%281%29.pdf`,
    ...{ vary: 'authorization, cookie', 'x-content-type-options': 'nosniff' },
    'content-security-policy': expect.stringContaining('sandbox'),
  });
  const inline = await contentOf(image);
  expect(inline.headers.get('content-disposition')).toStartWith('inline;');
  expect(await inline.bytes()).toEqual(PNG);
  const etag = inline.headers.get('etag') ?? '';
  expect((await contentOf(image, team.bob, { 'if-none-match': etag })).status).toBe(304);
});

test('files uploaded by a member belong to messages, replies, notes and to-dos of that Hub', async () => {
  const { ada, bob } = team;
  const message = await team.message(ada, 'a');
  for (const [path, body] of [
    [`/hubs/${team.hubId}/messages`, {}],
    [`/items/${message.id}/replies`, { text: 'b' }],
    [`/hubs/${team.hubId}/notes`, { content: 'c' }],
    [`/hubs/${team.hubId}/todos`, { title: 'd' }],
  ] as const) {
    const { createdAt: _, ...file } = await team.upload(ada, 'a.txt', 'text');
    const item = await ada.call<Message>('POST', path, { ...body, files: [file.id] });
    expect(item.files).toEqual([file]);
    expect(await (await contentOf(file, bob)).text()).toBe('text');
  }
  for (const kind of ['notes', 'todos'] as const) {
    const { id } = await uploaded('x');
    expect((await team.post(kind, { ...POSTS[kind]('Hello'), files: [id] })).files).toMatchObject([{ id }]);
  }
});

test('files are sent in ranges', async () => {
  const file = await uploaded('a.bin', '0123456789');
  await team.post('messages', { files: [file.id] });
  for (const [range, status, text, contentRange] of [
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=0-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=10-', 416, 'has 10 bytes', 'bytes */10'],
    ['bytes=-0', 416, 'has 10 bytes', 'bytes */10'],
    ['bytes=4-2', 200, '0123456789', null],
    ['bytes=0-1,3-4', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
  ] as const) {
    const response = await contentOf(file, team.bob, { range });
    const outcome = [response.status, await response.text(), response.headers.get('content-range')];
    expect(outcome).toEqual([status, expect.stringContaining(text), contentRange]);
  }
  expect((await contentOf(file, team.bob, { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
});

test('files of other Hubs, of no item and of deleted items are hidden; an item that is restored has its own again', async () => {
  const file = await uploaded('a.txt', 'text');
  const unknown = `404 There is no file ${file.id}.`;
  expect(await error(await contentOf(file))).toBe(unknown);
  const post = await team.post('messages', { files: [file.id] });
  const stranger = await signedIn(team.hub);
  expect(await error(await contentOf(file, stranger))).toBe(unknown);
  await team.hub.admin.raw('DELETE', `/messages/${post.id}`);
  expect(await error(await contentOf(file))).toBe(unknown);
  expect((await team.hub.admin.raw('POST', `/items/${post.id}/restoration`)).status).toBe(200);
  expect(await (await contentOf(file)).text()).toBe('text');
  await team.hub.admin.raw('DELETE', `/hubs/${team.hubId}/members/${team.bob.user.id}`);
  expect((await contentOf(file)).status).toBe(404);
});

test('files are shown inline only if their bytes are those of an image', async () => {
  for (const [name, body, type, contentType, isInline] of [
    ['a.svg', SVG, 'image/svg+xml', 'image/svg+xml', false],
    ['a.png', SVG, 'image/png', 'application/octet-stream', false],
    ['a.html', SVG, 'text/html', 'text/html', false],
    ['a', Buffer.concat([PNG, SVG]), 'text/html', 'image/png', true],
    ['a', Buffer.from('GIF89a and then text'), '', 'image/gif', true],
    ['a', SVG, 'text/html\u00e9', 'application/octet-stream', false],
    ['👩‍💻.log', 'by curl', 'application/x-www-form-urlencoded', 'application/octet-stream', false],
  ] as const) {
    const file = await uploaded(name, body, type === '' ? {} : { 'content-type': type });
    await team.post('messages', { files: [file.id] });
    const response = await contentOf(file);
    expect([response.headers.get('content-type'), file.contentType]).toEqual([contentType, contentType]);
    expect(response.headers.get('content-disposition')).toStartWith(isInline ? 'inline' : 'attachment');
    await response.arrayBuffer();
  }
});

test('files that are images have a preview without metadata, made once; what cannot be decoded has none', async () => {
  const large = await new Bun.Image(PNG).resize(1_400, 700).png().bytes();
  const [image, broken] = [await uploaded('a.png', large), await uploaded('b.png', PNG.subarray(0, 60))];
  const post = await team.post('messages', { files: [image.id, broken.id] });
  expect(post.files).toMatchObject([
    { width: 1_400, height: 700 },
    { width: 64, height: 32 },
  ]);
  const preview = ({ id }: UploadedFile) => team.bob.fetch(`/api/v1/files/${id}/preview`);
  const [first, second] = await Promise.all([preview(image), preview(image)]);
  const bytes = await first.bytes();
  expect(await new Bun.Image(bytes).metadata()).toEqual({ width: 1_200, height: 600, format: 'webp' });
  for (const again of [second, await preview(image)]) expect(await again.bytes()).toEqual(bytes);
  for (let time = 0; time < 2; time += 1) expect((await preview(broken)).status).toBe(404);
  // Whether it was attached before or after its color was known.
  const late = await uploaded('c.png');
  while ((await team.hub.query(`SELECT 1 FROM files WHERE id = '${late.id}' AND color IS NOT NULL`)).length === 0)
    await new Promise(setImmediate);
  await team.post('messages', { files: [late.id] });
  const { items } = await team.bob.call<{ items: Message[] }>('GET', `/hubs/${team.hubId}/messages`);
  const color = '#2757c4';
  expect(items.map(({ files }) => files?.map((file) => file.color))).toEqual([[color], [color, undefined]]);
  expect(await (await contentOf(broken)).bytes()).toEqual(PNG.subarray(0, 60));
});

test('a large file is stored as it was sent, and is an image by its first bytes', async () => {
  const large = Uint8Array.from(Buffer.concat([PNG, Buffer.alloc(1_500_000, 7)]));
  const file = await uploaded('a.png', large, { 'content-length': String(large.length) });
  expect(file).toMatchObject({ size: large.length, contentType: 'image/png' });
  const post = await team.post('messages', { files: [file.id] });
  expect(post.files?.[0]).toMatchObject({ width: 64, height: 32 });
  const response = await contentOf(file);
  expect(response.headers.get('etag')).toBe(`"${new Bun.CryptoHasher('sha256').update(large).digest('hex')}"`);
  expect(Buffer.from(await response.bytes()).equals(large)).toBe(true);
});

test('files of a Hub are listed, newest first, without those of deleted items', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const [first, , third, fourth] = await Promise.all(names.map((name) => uploaded(`${name}.txt`, name)));
  const list = (query: object = {}) => team.bob.request('GET /hubs/{hubId}/files', { hubId: team.hubId, query });
  expect(await list()).toEqual({ items: [], next: null });
  const message = await team.post('messages', { text: 'x', files: [first?.id] });
  const reply = { files: [fourth?.id] };
  const { id } = await team.bob.call<Message>('POST', `/items/${message.id}/replies`, reply);
  const gone = await team.bob.call<Note>('POST', `/hubs/${team.hubId}/notes`, { content: 'x', files: [third?.id] });
  expect((await list()).items.map(({ name }) => name)).toEqual(['d.txt', 'c.txt', 'a.txt']);
  await team.bob.json('DELETE', `/notes/${gone.id}`);
  const { items, next } = await list({ limit: 1 });
  const byBob = { author: { id: team.bob.user.id, kind: 'user', name: team.bob.user.name }, key: null };
  expect(items as unknown[]).toEqual([{ ...fourth, itemId: id, parentId: message.id, ...byBob }]);
  const rest = await list({ before: next });
  const byKey = { author: { kind: 'bot' }, key: { id: team.keyId } };
  expect(rest.items as unknown[]).toMatchObject([{ ...first, itemId: message.id, parentId: null, ...byKey }]);
});

test('an edit of a note or a to-do attaches and removes files; those that it removes are in the audit log', async () => {
  const { ada, bob, hub, hubId } = team;
  for (const [kind, fields] of [
    ['notes', { content: 'x' }],
    ['todos', { title: 'x' }],
  ] as const) {
    const [first, second, other] = await Promise.all(['a', 'b', 'c'].map((name) => team.upload(ada, name, name)));
    const ids = [first?.id, second?.id];
    const item = await ada.call<Note>('POST', `/hubs/${hubId}/${kind}`, { ...fields, files: ids });
    const change = (files: unknown) => bob.json<Note>('PATCH', `/${kind}/${item.id}`, { files });
    const { files } = (await change([other?.id, second?.id])).body;
    expect(files?.map(({ name }) => name)).toEqual(['c', 'b']);
    expect((await change([other?.id, second?.id])).body).toMatchObject({ version: 2, editedBy: { id: bob.user.id } });
    expect((await contentOf({ id: first?.id ?? '' })).status).toBe(404);
    expect((await hub.admin.audit('?limit=1')).items).toMatchObject([{ actor: { id: bob.user.id }, targetName: 'a' }]);
    const again = await change([second?.id, first?.id]);
    const message = expect.stringContaining(`files[1] ${first?.id} cannot be attached`);
    expect(again).toMatchObject({ status: 400, body: { message } as object });
    expect((await change(kind === 'notes' ? [] : null)).body.files).toBeUndefined();
    expect((await bob.json<Note>('PATCH', `/${kind}/${item.id}`, { title: 'y' })).status).toBe(200);
  }
  await hub.prune();
  expect([await fileCount(), await usedBytes()]).toEqual([0, 0]);
});

test('an upload is rejected without a name of printed characters, as a form, with an unknown parameter, or when it is compressed', async () => {
  const control = '400 name cannot contain control characters';
  for (const [query, message, headers] of [
    ['', '400 name is required'],
    ['?name=a/b', '400 name cannot contain / or \\'],
    ['?name=..', '400 name cannot contain / or \\'],
    ['?name=a%0Ab', control],
    // A bidirectional mark, and a character that is invisible.
    ['?name=a%E2%80%AEgnp.exe', control],
    ['?name=%E3%85%A4', control],
    [`?name=${'a'.repeat(256)}`, '400 name has 256 characters; at most 255 are accepted'],
    ['?name=a&folder=b', '400 folder is not a known parameter'],
    ['?name=a', '415 Send the file as the body', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['?name=a', '415 The Content-Encoding gzip', { 'content-encoding': 'gzip' }],
  ] as const) {
    expect(await error(await upload('', PNG, { query, ...headers }))).toStartWith(message);
    expect([query, await fileCount()]).toEqual([query, 0]);
  }
});

test('an upload is rejected when it is empty, or too large, or the workspace has no room for it', async () => {
  Object.assign(team.hub.deps.limits, { maxFileBytes: 10, filesMaxBytes: 15 });
  expect(await error(await upload('a', new Uint8Array()))).toStartWith('400 The body is empty.');
  const chunked = new Blob(['01234567890']).stream();
  for (const body of ['01234567890', chunked])
    expect(await error(await upload('a', body))).toMatch(/^413 The file has (11|more than 10) bytes; at most 10/);
  await uploaded('a', '0123456789');
  expect(await error(await upload('a', '012345'))).toStartWith('413 The files of this workspace take 10 of 15 bytes');
  const both = await Promise.all([upload('a', '01234'), upload('a', '01234')]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 413]);
  expect([await fileCount(), await usedBytes()]).toEqual([2, 15]);
});

test.each([
  ['a key that is revoked', () => `POST /keys/${team.keyId}/revocation`, '401 This API key is not valid'],
  ['the key of a Hub that is deleted', () => `DELETE /hubs/${team.hubId}`, '404 The Hub of this key was deleted'],
])('an upload is rejected with %s while it arrives', async (_, end, message) => {
  const begun = Promise.withResolvers<void>();
  const body = new ReadableStream({
    pull: async (controller) => {
      controller.enqueue(Buffer.from('begun'));
      await begun.promise;
      controller.close();
    },
  });
  const response = upload('a', body);
  const [method = '', path = ''] = end().split(' ');
  expect((await team.hub.admin.raw(method, path)).status).toBe(200);
  begun.resolve();
  expect(await error(await response)).toStartWith(message);
  expect(await fileCount()).toBe(0);
});

test('a file is attached once, to an item of its Hub, within 24 hours', async () => {
  const { ada, bob, hub } = team;
  const file = await uploaded('a');
  const other = await teamIn(hub, { ada, bob });
  const foreign = await uploaded('a', PNG, { key: other.key });
  const attach = (files: unknown) => ada.outcome('POST', `/hubs/${team.hubId}/messages`, { files });
  for (const [files, message] of [
    [[file.id, file.id], 'files[1] is the same as files[0]: list each file once'],
    [[file.id, foreign.id], `files[1] ${foreign.id} cannot be attached`],
    [[file.id, 'file_0'], 'files[1] file_0 cannot be attached'],
    [Array(11).fill(file.id), 'files has 11 elements; at most 10 are accepted'],
    [[], 'A message requires text or files'],
    ['x', 'files must be a list'],
  ] as const)
    expect(await attach(files)).toStartWith(`400 ${message}`);
  hub.clock.advance(24 * HOUR_MS);
  expect(await attach([file.id])).toStartWith('400 files[0]');
  const young = await uploaded('a');
  const both = await Promise.all([attach([young.id]), attach([young.id])]);
  expect(both.map((each) => each.slice(0, 3)).sort()).toEqual(['201', '400']);
});

test('pruning erases files that belong to no item after 24 hours, and those of erased items, with their bytes', async () => {
  const { hub, ada } = team;
  const contents = { ...hub.store.contents };
  const [loose, kept, gone] = [await uploaded('a'), await uploaded('b'), await uploaded('c')];
  const message = await team.post('messages', { files: [kept.id] });
  const note = await team.note(ada, { content: 'x', files: [gone.id] });
  expect((await ada.fetch(`/api/v1/files/${gone.id}/preview`)).status).toBe(200);
  hub.clock.advance(24 * HOUR_MS);
  await hub.prune();
  expect(await fileCount()).toBe(3);
  hub.clock.advance(HOUR_MS + 1);
  await hub.prune();
  expect([await fileCount(), await usedBytes()]).toEqual([2, 2 * PNG.length]);
  await ada.json('DELETE', `/notes/${note.id}`);
  hub.clock.advance(30 * 24 * HOUR_MS + 1);
  await hub.prune();
  expect([await fileCount(), await usedBytes()]).toEqual([1, PNG.length]);
  expect(await contents.readPreview(gone.id)).toBe(null);
  for (const { id } of [loose, gone]) {
    const bytes = contents.read(id, { start: 0, end: PNG.length });
    const read = bytes instanceof Blob ? bytes.bytes() : Array.fromAsync(bytes);
    expect(await Promise.resolve(read).catch(() => null)).toBe(null);
  }
  expect((await hub.store.items.find(message.id))?.files).toContain(kept.id);
});
