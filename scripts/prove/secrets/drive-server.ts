import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import type { IssuedKey } from '@hub/contract';
import { type Admin, ALL_SCOPES, postRequest, sendOnce, withConcurrency } from '@hub/testkit';
import { ask, invite, makeAccount, newPassword } from './drive-users.ts';
import { type Drive, type Hunt, nextAddress } from './hunt.ts';
import { CASES, exchange, json, type Parts, statusOf } from './requests.ts';
import { cookie, ORIGIN } from './users-requests.ts';

export const METRICS_TOKEN = 'Qm7vT2xLs9cRw4KzEo1HnY6bJd8PfGa3Ui';
const POSTS_UNTIL_BLOCKED = 61;

/** Uses a new key for each case, so that a finding identifies the case. */
export async function exerciseCases({ hunt, server, port, hubId }: Drive): Promise<void> {
  const { admin } = server;
  await withConcurrency(CASES, async ({ name, status, request, isEcho, scope }) => {
    const issued = await admin.issueKey({ hubId, name: 'a key', scopes: scope ? [scope] : ALL_SCOPES });
    const key = hunt.knowIssued(name, issued);
    const forwarded = `X-Forwarded-For: ${nextAddress()}\r\n`;
    const response = await exchange(port, request(key).replace('\r\n', `\r\n${forwarded}`));
    hunt.expect(name, status, statusOf(response), response.toString('utf8').slice(0, 600));
    if (!isEcho) hunt.note(`the response to ${name}`, response);
  });
}

/** Runs keys through their lifecycle: rotation and replacement, revocation, a block, a deleted Hub. */
export async function exerciseRuns(exercise: Drive): Promise<void> {
  const { hunt, server, hubId } = exercise;
  const { admin } = server;
  const succeed = (id: string, way: string) => admin.call<IssuedKey>('POST', `/keys/${id}/${way}`, {});
  const first = await admin.issueKey({ hubId, name: 'long-lived' });
  hunt.knowIssued('an issued key', first);
  const rotated = await succeed(first.id, 'rotation');
  hunt.knowIssued('a rotated key', rotated);
  const replaced = await succeed(rotated.id, 'replacement');
  hunt.knowIssued('a replaced key', replaced);
  await admin.call('POST', `/keys/${replaced.id}/revocation`);
  hunt.note('the error for rotating twice', await (await admin.raw('POST', `/keys/${first.id}/rotation`, {})).text());
  await tryKey(exercise, 'a key in its overlap', first.key, 201);
  await tryKey(exercise, 'a key that was replaced', rotated.key, 401);
  await tryKey(exercise, 'a key that was revoked', replaced.key, 401);

  const busy = await admin.issueKey({ hubId, name: 'busy' });
  hunt.knowIssued('a blocked key', busy);
  for (let sent = 0; sent < POSTS_UNTIL_BLOCKED - 1; sent += 1) await tryKey(exercise, 'a busy key', busy.key, 201);
  await tryKey(exercise, 'a blocked key', busy.key, 403);

  const doomed = await admin.createHub('Doomed');
  const orphan = await admin.issueKey({ hubId: doomed.id, name: 'orphan' });
  hunt.knowIssued('a key of a deleted Hub', orphan);
  await admin.call('DELETE', `/hubs/${doomed.id}`);
  await tryKey(exercise, 'a key of a deleted Hub', orphan.key, 404);
}

/** Locks the database in another process, so that nothing can be written and low-level errors are logged. */
export async function exerciseFailures(exercise: Drive): Promise<void> {
  const { hunt, server, hubId } = exercise;
  const { admin } = server;
  const issued = await admin.issueKey({ hubId, name: 'unlucky' });
  hunt.knowIssued('a key while nothing can be written', issued);
  const writes = await writesOfUsers(exercise);
  {
    using database = new Database(join(server.dataDir, 'hub.db'));
    database.exec('BEGIN IMMEDIATE');
    await tryKey(exercise, 'a post while nothing can be written', issued.key, 503);
    for (const path of ['/keys', `/keys/${issued.id}/rotation`, `/keys/${issued.id}/replacement`]) {
      const response = await admin.raw('POST', path, path === '/keys' ? { hubId, name: 'x', scopes: ALL_SCOPES } : {});
      hunt.expect(`POST ${path} while nothing can be written`, 503, response.status);
      hunt.note(`the response to POST ${path} while nothing can be written`, await response.text());
    }
    await withConcurrency(writes, async ([name, parts]) => {
      hunt.note(
        `the response to ${name} while nothing can be written`,
        await ask(exercise, `${name}, locked`, 503, parts),
      );
    });
    database.exec('ROLLBACK');
  }
  await tryKey(exercise, 'a post after that', issued.key, 201);
}

/** Creates what the requests need, and returns requests by users that write to the database. */
async function writesOfUsers(exercise: Drive): Promise<[name: string, parts: Parts][]> {
  const { email, password, session } = await makeAccount(exercise, 'a password while nothing can be written');
  const { link: token } = await invite(exercise, 'an invitation while nothing can be written');
  const signedIn = { headers: { ...cookie(session), Origin: ORIGIN } };
  const chosen = newPassword(exercise, 'a new password while nothing can be written');
  return [
    ['a sign-in', { path: '/api/v1/session', ...json({ email, password }) }],
    ['a token', { path: '/api/v1/me/tokens', ...signedIn, ...json({ name: 'x' }) }],
    ['a link', { path: '/api/v1/links/redemption', ...json({ token, name: 'x', password: chosen }) }],
    [
      'a change of password',
      {
        method: 'PUT',
        path: '/api/v1/me/password',
        ...signedIn,
        ...json({ currentPassword: password, newPassword: chosen }),
      },
    ],
  ];
}

/** Reads everything that the server shows to its admin. */
export async function readAll(hunt: Hunt, admin: Admin, hubId: string): Promise<void> {
  const keys = await admin.allKeys();
  hunt.note('the list of keys', JSON.stringify(keys));
  const lists = ['/users?limit=100', '/invitations?limit=100', '/hubs', '/audit?limit=100', `/keys?hubId=${hubId}`];
  for (const path of [...lists, `/keys/${keys[0]?.id}`, `/hubs/${hubId}/export`, '/status', '']) {
    const response = await admin.raw('GET', path);
    hunt.expect(`GET ${path}`, 200, response.status);
    hunt.note(`the response to GET ${path}`, await response.text());
  }
}

export async function tryKey({ hunt, port }: Drive, name: string, key: string, status: number): Promise<void> {
  const response = await sendOnce(port, postRequest('messages', key, 'Hello'));
  hunt.expect(name, status, response.status, response.body);
  hunt.note(`the response to ${name}`, response.body);
}

export async function readMetrics({ hunt, url }: Drive): Promise<void> {
  for (const [token, status] of [
    [METRICS_TOKEN, 200],
    [`${METRICS_TOKEN}x`, 404],
  ] as const) {
    const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    hunt.expect('GET /metrics', status, response.status);
    hunt.note('the metrics', await response.text());
  }
}

/** Only the database may contain the push key, as raw bytes; it may not appear anywhere in another form. */
export function knowPushKey(hunt: Hunt, dataDir: string): void {
  const database = new Database(join(dataDir, 'hub.db'), { readonly: true });
  const row = database.query<{ key: Uint8Array }, []>('SELECT private_key AS key FROM push_identity').get();
  database.close();
  hunt.expect('the server has a key for push services', 32, row?.key.length);
  if (!row) return;
  for (const form of ['base64url', 'base64', 'hex'] as const) {
    hunt.knowText(`the key for push services in ${form}`, Buffer.from(row.key).toString(form));
  }
}

/** Posts a key as text, which is stored, so this key must be found. It is used for nothing else. */
export async function plant({ hunt, server, port, hubId }: Drive): Promise<string> {
  const { admin } = server;
  const carrier = await admin.issueKey({ hubId, name: 'carrier' });
  const { key: planted } = await admin.issueKey({ hubId, name: 'planted' });
  const post = postRequest('messages', hunt.know('the carrier', carrier.key), `Oh, planted: ${planted}`);
  const response = await sendOnce(port, post);
  hunt.expect('a post with a key as its text', 201, response.status);
  hunt.note('the response to a post with a key as its text', response.body);
  // The index is updated shortly afterwards, in a separate thread.
  const found = async () => (await admin.call<{ items: unknown[] }>('GET', '/search?q=planted')).items.length > 0;
  for (let tries = 0; tries < 400 && !(await found()); tries += 1) await Bun.sleep(50);
  return planted;
}
