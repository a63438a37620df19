import { expect, test } from 'bun:test';
import { createUser, newTokenOf } from '@hub/testkit/in-process/users';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { sharedHubctl } from '../../test/hubctl-on-hub.ts';
import { errorOf } from '../../test/run-hubctl.ts';

const on = sharedHubctl();

test('sends fields as query or as body, with and without the path of the API', async () => {
  const created = await on.hubctl(['api', 'post', '/api/v1/hubs', '-f', 'name=3', '-F', 'topic="a=b"']);
  expect(created.json()).toMatchObject({ name: '3', topic: 'a=b' });
  const { id } = created.json();
  const changed = await on.hubctl(['api', 'PATCH', `hubs/${id}`, '--input', '-'], { stdin: '{"retentionDays": 30}' });
  expect(changed.json()).toMatchObject({ id, retentionDays: 30 });
  expect((await on.hubctl(['api', 'DELETE', `/hubs/${id}/`])).code).toBe(0);
  for (const argv of [['/hubs?state=deleted'], ['/hubs', '-f', 'state=deleted']]) {
    const document = (await on.hubctl(['api', 'GET', ...argv, '--json'])).json();
    expect(document).toMatchObject({ items: [{ id }], next: null });
  }
});

test('gets one page, or all of them with --paginate', async () => {
  for (let count = 0; count < 3; count += 1) await on.hub.admin.createHub(`page ${count}`);
  const list = async (...flags: string[]) => (await on.hubctl(['api', 'GET', '/hubs?limit=1', ...flags])).json();
  expect(await list()).toMatchObject({ items: [{ name: 'page 2' }], next: expect.any(String) });
  expect((await list('--paginate')).items).toHaveLength((await on.hub.admin.all('GET /hubs')).length);
});

test.each<[argv: string[], exitCode: number, message: string]>([
  [['FETCH', '/hubs'], 2, 'Unknown method "FETCH"'],
  [['GET', 'https://example.org/api/v1/hubs'], 2, 'The path is a URL'],
  [['GET', '//example.org/hubs'], 1, 'There is nothing at /api/v1/example.org/hubs'],
  [['GET', '/../../public/v1/messages'], 1, 'There is nothing at '],
  [['GET', '/hubs', '--input', '-'], 2, 'GET has no body'],
  [['POST', '/hubs', '--paginate'], 2, '--paginate is for GET'],
  [['POST', '/hubs', '-f', 'name'], 2, 'Invalid field "name"'],
  [['POST', '/hubs', '-f', 'nam=x'], 1, 'nam is not a field of'],
  [['POST', '/hubs', '-F', 'name=x'], 2, 'The value of name is not JSON'],
  [['POST', '/hubs', '-f', 'nme=x'], 1, 'did you mean name?'],
  [['POST', '/hubs'], 1, 'This operation needs a body'],
  [['GET', '/status', '--paginate'], 1, 'Unexpected response'],
])('%p causes exit code %d and an error that says: %s', async (argv, exitCode, message) => {
  const ran = await on.hubctl(['api', ...argv, '--json'], { stdin: '{}' });
  expect(errorOf(ran)).toMatchObject({ exitCode, message: expect.stringContaining(message) });
});

test('--verbose and HUB_DEBUG report requests, statuses and proxies on standard error, but no secret', async () => {
  using folder = temporaryFolder();
  const ada = await createUser(on.hub, { role: 'admin' });
  const token = await newTokenOf(on.hub, ada);
  const { key } = await on.issue('debugged');
  await Bun.write(folder.file('key'), key);
  const network = { HUB_ADMIN_SOCKET: '', HUB_URL: on.hub.url };
  const proxied = { HUB_URL: 'http://hub.invalid', http_proxy: 'http://me:hidden@127.0.0.1:9' };
  const refused = () => Promise.reject(Object.assign(new Error(), { code: 'ECONNREFUSED' }));
  const home = { ...network, HOME: folder.path };
  for (const [line, options, logged] of [
    ['hubs list --verbose', {}, /^-- GET \S+\.sock:\/api\/v1\/hubs\S*: 200 after \d+ ms, request req_\w+$/m],
    ['hubs list', { env: { ...network, HUB_TOKEN: token, HUB_DEBUG: '1' } }, /^-- GET http:\S+\/hubs\?\S+: 200 /m],
    [`post x --verbose --key-file ${folder.file('key')}`, { env: network }, /^-- POST \S+\/messages: 201 /m],
    [`login ${on.hub.url} --with-token --verbose`, { stdin: token, env: home }, /^-- GET \S+\/me: 200 /m],
    [
      'hubs list --verbose',
      { env: { ...network, ...proxied, HUB_TOKEN: token }, fetch: refused },
      /failed with ECONNREFUSED after \d+ ms through http:\/\/127\.0\.0\.1:9 \(http_proxy\)$/m,
    ],
  ] as const) {
    const { stdout, stderr } = await on.hubctl(line.split(' '), options);
    expect(stderr).toMatch(logged);
    for (const secret of [token, key, ada.password, 'hidden']) expect(stdout + stderr).not.toContain(secret);
  }
  expect((await on.hubctl(['hubs', 'list'], { env: { HUB_DEBUG: '0' } })).stderr).toBe('');
});
