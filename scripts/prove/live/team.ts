import type { IssuedKey, User } from '../../../packages/contract/src/index.ts';
import type { ServerRun } from './life.ts';

const ADMINS = 2;
const MEMBERS = 4;
const HUBS = 4;

export interface TeamMember {
  readonly id: string;
  readonly token: string;
  readonly isAdmin: boolean;
}

/** Creates Hubs, users who are members of all of them, and enough keys that none reaches its limit. */
export interface Team {
  readonly hubIds: readonly string[];
  readonly keys: readonly IssuedKey[];
  /** A Hub with few followers, since its posts are long. */
  readonly heavyHubId: string;
  readonly heavyKeys: readonly IssuedKey[];
  readonly users: readonly TeamMember[];
}

export async function gatherTeam(run: ServerRun, keysPerHub: number, heavyKeyCount: number): Promise<Team> {
  const { admin } = run;
  const hubIds: string[] = [];
  for (let n = 1; n <= HUBS; n += 1) hubIds.push((await admin.createHub(`Team ${n}`)).id);
  const heavyHubId = (await admin.createHub('Long notes')).id;
  const keys: IssuedKey[] = [];
  for (let n = 0; n < keysPerHub * HUBS; n += 1) keys.push(await admin.issueKey(hubIds[n % HUBS] ?? '', `key ${n}`));
  const heavyKeys: IssuedKey[] = [];
  for (let n = 0; n < heavyKeyCount; n += 1) heavyKeys.push(await admin.issueKey(heavyHubId, `long ${n}`));
  const users: TeamMember[] = [];
  for (let n = 0; n < ADMINS + MEMBERS; n += 1) users.push(await join(run, [...hubIds, heavyHubId], n, n < ADMINS));
  return { hubIds, keys, heavyHubId, heavyKeys, users };
}

async function join(run: ServerRun, hubIds: readonly string[], n: number, isAdmin: boolean): Promise<TeamMember> {
  const { admin, url } = run;
  const credentials = { email: `user-${n}@example.org`, password: `the password of ${n}` };
  const role = isAdmin ? 'admin' : 'member';
  const { id } = await admin.call<User>('POST', '/people', { ...credentials, name: `Person ${n}`, role });
  for (const hubId of hubIds) await admin.call('POST', `/hubs/${hubId}/members`, { personId: id });
  const send = async (path: string, body: object, cookie = ''): Promise<Response> => {
    const headers = { 'content-type': 'application/json', origin: url, ...(cookie ? { cookie } : {}) };
    const response = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const session = await send('/session', credentials);
  const cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { token } = (await (await send('/me/tokens', { name: 'live' }, cookie)).json()) as { token: string };
  return { id, token, isAdmin };
}
