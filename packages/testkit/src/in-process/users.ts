import {
  hasTokenFormat,
  type IssuedPersonalToken,
  LINK_PREFIX,
  type LinkInfo,
  type Me,
  type Role,
  type User,
} from '@hub/contract';
import type { TestHub } from './test-hub.ts';

export interface TestUser {
  id: string;
  name: string;
  email: string;
  password: string;
}

/** A response with its parsed body. */
export interface HubResponse<T = Record<string, unknown>> {
  status: number;
  body: T;
  headers: Headers;
}

/** A client of the workspace API with a session or a personal access token. */
export interface UserCaller {
  user: TestUser;
  /** The credential: a cookie and its Origin, or a token. */
  headers: Readonly<Record<string, string>>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** `path` starts after `/api/v1`. */
  json<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<HubResponse<T>>;
}

let lastUser = 0;

/** Creates an account as the local admin. */
export async function createUser(
  hub: TestHub,
  {
    role = 'member',
    name = `User ${lastUser + 1}`,
    email = `user-${lastUser + 1}@example.org`,
  }: { role?: Role; name?: string; email?: string } = {},
): Promise<TestUser> {
  lastUser += 1;
  const password = `the password of ${lastUser}`;
  const response = await hub.admin.raw('POST', '/users', { email, name, role, password });
  if (response.status !== 201) throw new Error(`Failed to create a user: ${response.status} ${await response.text()}`);
  const { id } = (await response.json()) as User;
  return { id, name, email, password };
}

/** Signs in over HTTP, as a browser does. */
export async function signIn(hub: TestHub, user: TestUser): Promise<UserCaller> {
  const response = await hub.fetch('/api/v1/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: hub.origin },
    body: JSON.stringify({ email: user.email, password: user.password }),
  });
  if (response.status !== 201)
    throw new Error(`${user.email} could not sign in: ${response.status} ${await response.text()}`);
  return callerWith(hub, user, { cookie: cookieOf(response), origin: hub.origin });
}

/** Creates a user and signs in. */
export async function signedIn(hub: TestHub, options: { role?: Role; name?: string } = {}): Promise<UserCaller> {
  return signIn(hub, await createUser(hub, options));
}

/** Creates a personal access token for this user. */
export async function newTokenOf(hub: TestHub, user: TestUser): Promise<string> {
  const session = await signIn(hub, user);
  const { status, body } = await session.json<IssuedPersonalToken>('POST', '/me/tokens', { name: 'hubctl' });
  if (status !== 201) throw new Error(`Failed to create a token: ${status} ${JSON.stringify(body)}`);
  return body.token;
}

/** Creates a personal access token for this user, and returns a client with it. */
export async function tokenOf(hub: TestHub, user: TestUser): Promise<UserCaller> {
  return callerWith(hub, user, { authorization: `Bearer ${await newTokenOf(hub, user)}` });
}

/** Creates a member of this Hub and signs in. */
export async function memberOf(
  hub: TestHub,
  hubId: string,
  options: { role?: Role; name?: string } = {},
): Promise<UserCaller> {
  const caller = await signedIn(hub, options);
  await addMember(hub, hubId, caller.user);
  return caller;
}

export async function addMember(hub: TestHub, hubId: string, { id: userId }: { id: string }): Promise<void> {
  const response = await hub.admin.raw('POST', `/hubs/${hubId}/members`, { userId });
  if (!response.ok) throw new Error(`Failed to add a member: ${response.status} ${await response.text()}`);
}

/** Returns the cookie from a response as a browser would send it back. */
export function cookieOf(response: Response): string {
  const [cookie] = response.headers.getSetCookie();
  if (cookie === undefined) throw new Error('The response sets no cookie');
  return cookie.split(';')[0] ?? '';
}

export function callerWith(hub: TestHub, user: TestUser, headers: Record<string, string>): UserCaller {
  const send = (path: string, init: RequestInit = {}): Promise<Response> => {
    const merged = new Headers(init.headers);
    for (const [name, value] of Object.entries(headers)) if (!merged.has(name)) merged.set(name, value);
    return hub.fetch(path, { ...init, headers: merged });
  };
  return {
    user,
    headers,
    fetch: send,
    json: async <T>(method: string, path: string, body?: unknown): Promise<HubResponse<T>> => {
      const response = await send(`/api/v1${path}`, {
        method,
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as T, headers: response.headers };
    },
  };
}

/** Sends one sign-in request, as a browser does. */
export async function trySignIn(
  hub: TestHub,
  { email, password }: { email?: unknown; password?: unknown },
  headers: Record<string, string> = {},
): Promise<HubResponse & { cookies: string[] }> {
  const response = await hub.fetch('/api/v1/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email, password }),
  });
  const cookies = response.headers.getSetCookie();
  return {
    status: response.status,
    body: (await response.json()) as HubResponse['body'],
    headers: response.headers,
    cookies,
  };
}

/** Sends a request as the local admin, as `json` does for a user. */
export async function adminJson<T = Record<string, unknown>>(
  hub: TestHub,
  method: string,
  path: string,
  body?: unknown,
): Promise<HubResponse<T>> {
  const response = await hub.admin.raw(method, path, body);
  return { status: response.status, body: (await response.json()) as T, headers: response.headers };
}

/** Returns the status and the message of an error: `409 There is no way.` */
export function outcomeOf({ status, body }: HubResponse): string {
  return status < 400 ? String(status) : `${status} ${body.message}`;
}

/** Returns the token after the `#` of a link. Throws unless the link leads to this page of this server. */
export function tokenIn(hub: TestHub, link: string, page: '/setup' | '/join' | '/reset'): string {
  const [address, token = ''] = link.split('#');
  if (address !== `${hub.origin}${page}`) throw new Error(`The link leads to ${address}`);
  if (!hasTokenFormat(LINK_PREFIX, token)) throw new Error('The link contains no secret');
  return token;
}

export function inspect(hub: TestHub, token: string): Promise<HubResponse<LinkInfo & { message?: string }>> {
  return send(hub, 'inspection', { token });
}

export function redeem(
  hub: TestHub,
  body: object,
  headers: Record<string, string> = {},
): Promise<HubResponse<Me & { message?: string }>> {
  return send(hub, 'redemption', body, headers);
}

async function send<T>(hub: TestHub, verb: string, body: object, headers: Record<string, string> = {}) {
  const response = await hub.fetch(`/api/v1/links/${verb}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as T, headers: response.headers };
}
