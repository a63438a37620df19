import { requestOf } from '@hub/client/workspace';
import { hasTokenFormat, LINK_PREFIX, type LinkInfo, type Me, type Role, type UploadedFile } from '@hub/contract';
import { type Admin, clientAt, type HubResponse, parsed } from '../admin.ts';

export interface TestUser {
  id: string;
  name: string;
  email: string;
  password: string;
}

/** Where users are created: a `TestHub`, a `HubServer`, or its parts. */
export interface Workspace {
  readonly admin: Admin;
  readonly url: string;
  /** The address of its pages, if it is another one. */
  readonly origin?: string;
}

const originOf = ({ origin, url }: Workspace): string => origin ?? url;

let lastUser = 0;

/** Creates an account as the local admin. */
export async function createUser(
  hub: Workspace,
  {
    role = 'member',
    name = `User ${lastUser + 1}`,
    email = `user-${lastUser + 1}@example.org`,
  }: { role?: Role; name?: string; email?: string } = {},
): Promise<TestUser> {
  lastUser += 1;
  const password = `the password of ${lastUser}`;
  const { id } = await hub.admin.request('POST /users', { body: { email, name, role, password } });
  return { id, name, email, password };
}

/** Signs in over HTTP, as a browser does. */
export async function signIn(hub: Workspace, user: TestUser): Promise<UserCaller> {
  const { status, body, headers } = await trySignIn(hub, user, { origin: originOf(hub) });
  if (status !== 201) throw new Error(`${user.email} could not sign in: ${status} ${JSON.stringify(body)}`);
  return callerWith(hub, user, { cookie: cookieOf({ headers }), origin: originOf(hub) });
}

/** Creates a user and signs in. */
export async function signedIn(hub: Workspace, options: { role?: Role; name?: string } = {}): Promise<UserCaller> {
  return signIn(hub, await createUser(hub, options));
}

/** Creates a personal access token for this user. */
export async function newTokenOf(hub: Workspace, user: TestUser): Promise<string> {
  const session = await signIn(hub, user);
  return (await session.request('POST /me/tokens', { body: { name: 'hubctl' } })).token;
}

/** Creates a personal access token for this user, and returns a client with it. */
export async function tokenOf(hub: Workspace, user: TestUser): Promise<UserCaller> {
  return callerWith(hub, user, { authorization: `Bearer ${await newTokenOf(hub, user)}` });
}

/** Creates a user with a session and a token, who is a member of these Hubs. */
export async function userWithToken(
  hub: Workspace,
  { hubIds = [], ...options }: { name: string; role?: Role; hubIds?: readonly string[] },
) {
  const caller = await memberOf(hub, hubIds, options);
  const { token, id: tokenId } = await caller.request('POST /me/tokens', { body: { name: 'tests' } });
  return { ...caller, id: caller.user.id, token, tokenId };
}

export type TokenUser = Awaited<ReturnType<typeof userWithToken>>;

/** Creates a member of this Hub, or of all of these, and signs in. */
export async function memberOf(
  hub: Workspace,
  hubIds: string | readonly string[],
  options: Parameters<typeof signedIn>[1] = {},
): Promise<UserCaller> {
  const caller = await signedIn(hub, options);
  for (const hubId of [hubIds].flat()) await addMember(hub, hubId, caller.user);
  return caller;
}

export async function addMember(hub: Workspace, hubId: string, { id: userId }: { id: string }): Promise<void> {
  await hub.admin.request('POST /hubs/{hubId}/members', { hubId, body: { userId } });
}

/** Uploads a file, which belongs to no item yet. */
export async function uploadFile(
  caller: UserCaller,
  hubId: string,
  name: string,
  body: string | Uint8Array<ArrayBuffer>,
): Promise<UploadedFile> {
  const path = `/api/v1/hubs/${hubId}/files?name=${encodeURIComponent(name)}`;
  const response = await caller.fetch(path, { method: 'POST', body });
  if (response.status !== 201) throw new Error(`Failed to upload ${name}: ${response.status} ${await response.text()}`);
  return (await response.json()) as UploadedFile;
}

/** Returns the cookie from a response as a browser would send it back. */
export function cookieOf({ headers }: { headers: Headers }): string {
  const [cookie] = headers.getSetCookie();
  if (cookie === undefined) throw new Error('The response sets no cookie');
  return cookie.split(';')[0] ?? '';
}

export type UserCaller = ReturnType<typeof callerWith>;

/** Returns a client of the workspace API with these credentials: a cookie and its Origin, or a token. */
export function callerWith(hub: Workspace, user: TestUser, headers: Readonly<Record<string, string>>) {
  return { user, headers, ...clientAt(hub.url, { headers }) };
}

/** Sends one sign-in request, as a browser does. */
export function trySignIn(
  hub: Workspace,
  { email, password, code }: { email?: unknown; password?: unknown; code?: string },
  headers: Record<string, string> = {},
): Promise<HubResponse> {
  return postJson(hub, '/session', { email, password, code }, headers);
}

/** Returns the token after the `#` of a link. Throws unless the link leads to this page of this server. */
export function tokenIn(hub: Workspace, link: string, page: '/setup' | '/join' | '/reset'): string {
  const [address, token = ''] = link.split('#');
  if (address !== `${originOf(hub)}${page}`) throw new Error(`The link leads to ${address}`);
  if (!hasTokenFormat(LINK_PREFIX, token)) throw new Error('The link contains no secret');
  return token;
}

export function inspect(hub: Workspace, token: string): Promise<HubResponse<LinkInfo & { message?: string }>> {
  return postJson(hub, '/links/inspection', { token });
}

export function redeem(
  hub: Workspace,
  body: object,
  headers: Record<string, string> = {},
): Promise<HubResponse<Me & { message?: string }>> {
  return postJson(hub, '/links/redemption', body, headers);
}

/** Sends a POST request with these headers, and no credential besides. */
export async function postJson<T = Record<string, unknown>>(
  hub: Workspace,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<HubResponse<T>> {
  const request = requestOf('POST ', { body });
  return parsed<T>(
    await fetch(`${hub.url}/api/v1${path}`, { ...request, headers: { ...request.headers, ...headers } }),
  );
}
