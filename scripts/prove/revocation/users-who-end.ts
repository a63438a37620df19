import type { Hub, IssuedPersonalToken, User } from '../../../packages/contract/src/index.ts';
import type { Admin } from '../admin.ts';
import { withConcurrency } from '../secrets/in-concurrency.ts';
import { addressOf, type Subject } from './under-load.ts';

const WAYS = [
  'token revoked',
  'session ended',
  'password changed',
  'account disabled',
  'removed from the Hub',
] as const;

/**
 * Returns users who each lose, in turn, something they need for posting: a token, a session, the account or the Hub.
 */
export async function usersWhoEnd(admin: Admin, url: string, { count, from }: { count: number; from: number }) {
  const hub = await admin.createHub('Of people');
  const subjects: Subject[] = [];
  await withConcurrency(
    Array.from({ length: count }).map((_, n) => n),
    async (n) => {
      subjects.push(await userWhoEnds(admin, url, { n, hub, address: addressOf(from + n) }));
    },
  );
  return subjects;
}

async function userWhoEnds(
  admin: Admin,
  url: string,
  { n, hub, address }: { n: number; hub: Hub; address: string },
): Promise<Subject> {
  const way = WAYS[n % WAYS.length] ?? 'token revoked';
  const credentials = { email: `user-${n}@example.org`, password: `the password of ${n}` };
  const { id } = await admin.call<User>('POST', '/people', { ...credentials, name: `Person ${n}`, role: 'member' });
  await admin.call('POST', `/hubs/${hub.id}/members`, { personId: id });
  const send = async (method: string, path: string, body: object | null, cookie = ''): Promise<Response> => {
    const headers = { origin: url, ...(body ? { 'content-type': 'application/json' } : {}), ...(cookie && { cookie }) };
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const response = await fetch(`${url}/api/v1${path}`, init);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const session = await send('POST', '/session', credentials);
  const cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const made = await send('POST', '/me/tokens', { name: 'hubctl' }, cookie);
  const token = (await made.json()) as IssuedPersonalToken;

  const ends: Record<(typeof WAYS)[number], () => Promise<unknown>> = {
    'token revoked': () => send('DELETE', `/me/tokens/${token.id}`, null, cookie),
    'session ended': () => send('DELETE', '/session', null, cookie),
    'password changed': () =>
      send(
        'PUT',
        '/me/password',
        { currentPassword: credentials.password, newPassword: 'another one of mine' },
        cookie,
      ),
    'account disabled': () => admin.call('POST', `/people/${id}/deactivation`),
    'removed from the Hub': () => admin.call('DELETE', `/hubs/${hub.id}/members/${id}`),
  };
  const withSession = way === 'session ended' || way === 'password changed' || n % 2 === 0;
  const isToken = way === 'token revoked' || !withSession;
  const host = new URL(url).host;
  const shown = isToken ? `Authorization: Bearer ${token.token}` : `Cookie: ${cookie}\r\nOrigin: ${url}`;
  return {
    name: `person ${n}, ${way}, with a ${isToken ? 'token' : 'session'}`,
    address,
    request: messageRequest(hub.id, host, shown),
    end: async () => void (await ends[way]()),
    rejected: way === 'removed from the Hub' ? 404 : 401,
  };
}

function messageRequest(hubId: string, host: string, shown: string): string {
  const body = JSON.stringify({ text: 'Hello' });
  const head = [
    `POST /api/v1/hubs/${hubId}/messages HTTP/1.1`,
    `Host: ${host}`,
    shown,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
