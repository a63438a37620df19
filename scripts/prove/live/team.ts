import type { IssuedKey, Person } from '../../../packages/contract/src/index.ts';
import type { Life } from './life.ts';

const ADMINS = 2;
const MEMBERS = 4;
const HUBS = 4;

export interface TeamMember {
  readonly id: string;
  readonly token: string;
  readonly isAdmin: boolean;
}

/** Hubs, people who belong to all of them, and keys: enough of them that none meets its limit. */
export interface Team {
  readonly hubIds: readonly string[];
  readonly keys: readonly IssuedKey[];
  /** Few follow this one, for what is posted there is long. */
  readonly heavyHubId: string;
  readonly heavyKeys: readonly IssuedKey[];
  readonly people: readonly TeamMember[];
}

export async function gatherTeam(life: Life, keysPerHub: number, heavyKeyCount: number): Promise<Team> {
  const { admin } = life;
  const hubIds: string[] = [];
  for (let n = 1; n <= HUBS; n += 1) hubIds.push((await admin.createHub(`Team ${n}`)).id);
  const heavyHubId = (await admin.createHub('Long notes')).id;
  const keys: IssuedKey[] = [];
  for (let n = 0; n < keysPerHub * HUBS; n += 1) keys.push(await admin.issueKey(hubIds[n % HUBS] ?? '', `key ${n}`));
  const heavyKeys: IssuedKey[] = [];
  for (let n = 0; n < heavyKeyCount; n += 1) heavyKeys.push(await admin.issueKey(heavyHubId, `long ${n}`));
  const people: TeamMember[] = [];
  for (let n = 0; n < ADMINS + MEMBERS; n += 1) people.push(await join(life, [...hubIds, heavyHubId], n, n < ADMINS));
  return { hubIds, keys, heavyHubId, heavyKeys, people };
}

async function join(life: Life, hubIds: readonly string[], n: number, isAdmin: boolean): Promise<TeamMember> {
  const { admin, url } = life;
  const credentials = { email: `person-${n}@example.org`, password: `the password of ${n}` };
  const role = isAdmin ? 'admin' : 'member';
  const { id } = await admin.call<Person>('POST', '/people', { ...credentials, name: `Person ${n}`, role });
  for (const hubId of hubIds) await admin.call('POST', `/hubs/${hubId}/members`, { personId: id });
  const send = async (path: string, body: object, cookie = ''): Promise<Response> => {
    const headers = { 'content-type': 'application/json', origin: url, ...(cookie ? { cookie } : {}) };
    const answer = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const session = await send('/session', credentials);
  const cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { token } = (await (await send('/me/tokens', { name: 'live' }, cookie)).json()) as { token: string };
  return { id, token, isAdmin };
}
