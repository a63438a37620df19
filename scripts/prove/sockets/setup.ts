import type { Hub, IssuedKey, User } from '@hub/contract';
import type { ServerProcess, Serving } from '@hub/testkit';
import { type Admin, adminOver } from '@hub/testkit';

/** A running server with a Hub, and a user who can read it. */
export interface Setup {
  readonly server: ServerProcess;
  readonly port: number;
  readonly url: string;
  readonly admin: Admin;
  readonly hub: Hub;
  /** A personal access token of a member. */
  readonly token: string;
}

export async function setUp(server: ServerProcess, { port, url }: Serving): Promise<Setup> {
  const admin = adminOver(server.adminSocket);
  const hub = await admin.createHub('Sockets');
  const credentials = { email: 'ada@example.org', password: 'the password of Ada' };
  const { id } = await admin.call<User>('POST', '/people', { ...credentials, name: 'Ada', role: 'member' });
  await admin.call('POST', `/hubs/${hub.id}/members`, { personId: id });
  const session = await send(`${url}/api/v1/session`, credentials, { origin: url });
  const cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const made = await send(`${url}/api/v1/me/tokens`, { name: 'sockets' }, { origin: url, cookie });
  const { token } = (await made.json()) as { token: string };
  return { server, port, url, admin, hub, token };
}

export async function issueKeys({ admin, hub }: Setup, count: number): Promise<IssuedKey[]> {
  const keys: IssuedKey[] = [];
  for (let n = 0; n < count; n += 1) keys.push(await admin.issueKey(hub.id, `key ${n}`));
  return keys;
}

async function send(url: string, body: object, headers: Record<string, string>): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response;
}
