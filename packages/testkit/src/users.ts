import type { IssuedKey, Role, SignInBody } from '@hub/contract';
import { type Admin, clientAt } from './admin.ts';

const ADMINS = 2;
const MEMBERS = 4;
const HUBS = 4;

/** A user who has signed in. */
export interface TestUser {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  /** The session, as a browser sends it back. */
  readonly cookie: string;
  /** Starts another session, and returns its cookie. */
  signIn(): Promise<string>;
  readonly token: string;
  readonly tokenId: string;
  readonly isAdmin: boolean;
  /** Sends a request with the session, and throws for an error response. */
  readonly request: Admin['request'];
}

interface UserOptions {
  readonly name: string;
  readonly role?: Role;
  /** The Hubs that the user becomes a member of. */
  readonly hubIds?: readonly string[];
}

/** Where users are created: a `HubServer`, or its parts. */
export interface Workspace {
  readonly admin: Admin;
  readonly url: string;
}

/** Creates a user, who joins Hubs, signs in, and creates a personal access token. Names must differ. */
export async function createUser({ admin, url }: Workspace, options: UserOptions): Promise<TestUser> {
  const { name, role = 'member', hubIds = [] } = options;
  const email = `${name.toLowerCase().replaceAll(' ', '-')}@example.org`;
  const password = `the password of ${name}`;
  const { id } = await admin.request('POST /users', { body: { email, password, name, role } });
  for (const hubId of hubIds) await admin.request('POST /hubs/{hubId}/members', { hubId, body: { userId: id } });
  const { cookie, request } = await signIn(url, { email, password });
  const issued = await request('POST /me/tokens', { body: { name: 'tests' } });
  return {
    id,
    email,
    password,
    cookie,
    token: issued.token,
    tokenId: issued.id,
    isAdmin: role === 'admin',
    signIn: async () => (await signIn(url, { email, password })).cookie,
    request,
  };
}

/** Signs in as a browser does. Returns the cookie of the session, and a client that sends it. */
export async function signIn(url: string, body: SignInBody) {
  const { headers } = await clientAt(url, { headers: { origin: url } }).open('POST /session', { body });
  const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { cookie, ...clientAt(url, { headers: { origin: url, cookie } }) };
}

/** Hubs, users who are members of all of them, and enough keys that none reaches its limit. */
export interface Team {
  readonly hubIds: readonly string[];
  readonly keys: readonly IssuedKey[];
  /** A Hub with few followers, since its posts are long. */
  readonly heavyHubId: string;
  readonly heavyKeys: readonly IssuedKey[];
  readonly users: readonly TestUser[];
}

export async function createTeam(workspace: Workspace, keysPerHub: number, heavyKeyCount = 0): Promise<Team> {
  const { admin } = workspace;
  const hubIds: string[] = [];
  for (let n = 1; n <= HUBS; n += 1) hubIds.push((await admin.createHub(`Team ${n}`)).id);
  const heavyHubId = (await admin.createHub('Long notes')).id;
  const keys = await admin.issueKeys(hubIds, keysPerHub * HUBS);
  const heavyKeys = await admin.issueKeys([heavyHubId], heavyKeyCount);
  const users: TestUser[] = [];
  for (let n = 0; n < ADMINS + MEMBERS; n += 1) {
    const role = n < ADMINS ? 'admin' : 'member';
    users.push(await createUser(workspace, { name: `Person ${n}`, role, hubIds: [...hubIds, heavyHubId] }));
  }
  return { hubIds, keys, heavyHubId, heavyKeys, users };
}
