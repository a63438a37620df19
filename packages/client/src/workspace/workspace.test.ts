import { expect, test } from 'bun:test';
import { urlOf, workspaceClient } from './index.ts';

/** A client whose requests get these responses in turn. Errors say what `toError` was called with. */
function clientOf(...responses: Response[]) {
  const sent: string[] = [];
  const client = workspaceClient(
    async (url, { method, headers, body }) => {
      sent.push(`${method} ${url} ${headers['content-type'] ?? ''} ${body instanceof Blob ? body.type : body}`);
      return responses.shift() ?? Response.error();
    },
    ({ status }, body, interruption) => new Error(`${status} ${JSON.stringify(body)} ${interruption}`),
  );
  return { ...client, sent };
}

test('a path parameter stays one part of the path, and absent fields of the query are left out', () => {
  expect(urlOf('GET /')).toBe('/api/v1');
  const query = { state: 'live', limit: 1, before: null } as const;
  expect(urlOf('GET /hubs', { query })).toBe('/api/v1/hubs?state=live&limit=1');
  const parts = { 'a/b?c#d%': 'a%2Fb%3Fc%23d%25', '..': 'none', '.': 'none', '': '' };
  for (const [hubId, part] of Object.entries(parts))
    expect(urlOf('DELETE /hubs/{hubId}', { hubId })).toBe(`/api/v1/hubs/${part}`);
});

test('a body is sent as JSON, a file unchanged, and no body without a type', async () => {
  const { request, sent } = clientOf(Response.json({}), Response.json({}), Response.json({}));
  await request('POST /hubs', { body: { name: 'Releases' } });
  await request('PUT /me/avatar', { body: new Blob(['x'], { type: 'image/png' }) });
  await request('POST /keys/{keyId}/revocation', { keyId: 'key_1' });
  expect(sent).toEqual([
    'POST /api/v1/hubs application/json {"name":"Releases"}',
    'PUT /api/v1/me/avatar  image/png',
    'POST /api/v1/keys/key_1/revocation  null',
  ]);
});

test('all other responses than a success with a JSON object become the error of the caller', async () => {
  const cutOff = () => new ReadableStream({ pull: (controller) => controller.error(new TypeError('gone')) });
  for (const [response, error] of [
    [Response.json({ message: 'No' }, { status: 409 }), '409 {"message":"No"} undefined'],
    [new Response('<html>'), '200 undefined undefined'],
    [Response.json([]), '200 undefined undefined'],
    [new Response('{"id":'), '200 undefined undefined'],
    [new Response(cutOff()), '200 undefined TypeError: gone'],
    [new Response(cutOff(), { status: 500 }), '500 undefined TypeError: gone'],
  ] as const) {
    await expect(clientOf(response).request('GET /me')).rejects.toThrow(error);
  }
  await expect(clientOf(Response.json({}, { status: 403 })).open('POST /backups')).rejects.toThrow('403 {} undefined');
  await expect(clientOf(Response.json({ next: null })).all('GET /hubs')).rejects.toThrow('200 {"next":null} undefined');
});

test('pages begin after the given item, and end with enough items or the last page', async () => {
  const page = (next: string | null, ...ids: string[]) => Response.json({ items: ids.map((id) => ({ id })), next });
  const client = clientOf(page('k4', 'k5', 'k4'), page('k2', 'k3', 'k2'));
  const query = { before: 'k6', limit: 2 };
  expect(await client.pages('GET /keys', { query }, 3)).toMatchObject({ items: { length: 4 }, next: 'k2' });
  const urls = ['k6', 'k4'].map((before) => `/api/v1/keys?limit=2&before=${before}`);
  expect(client.sent.map((line) => line.split(' ')[1])).toEqual(urls);
  const { all, sent } = clientOf(page('k2', 'k2'), page(null, 'k1'));
  expect((await all('GET /keys')).map(({ id }) => id)).toEqual(['k2', 'k1']);
  expect(sent[0]).toStartWith('GET /api/v1/keys?limit=100 ');
});
