import type { IssuedPersonalToken, Person, Role } from '@hub/contract';
import type { TestHub } from './start-test-hub.ts';

export interface TestPerson {
  id: string;
  name: string;
  email: string;
  password: string;
}

/** An answer with its body, read. */
export interface Answer<T = Record<string, unknown>> {
  status: number;
  body: T;
  headers: Headers;
}

/** Somebody who speaks to the workspace API with a session or a personal token. */
export interface PersonCaller {
  person: TestPerson;
  /** What shows who it is: a cookie and its Origin, or a token. */
  headers: Readonly<Record<string, string>>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** `path` begins behind `/api/v1`. */
  json<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Answer<T>>;
}

let lastPerson = 0;

/** An account, made by the local admin. */
export async function createPerson(
  hub: TestHub,
  { role = 'member', name = 'Ada Lovelace' }: { role?: Role; name?: string } = {},
): Promise<TestPerson> {
  lastPerson += 1;
  const email = `person-${lastPerson}@example.org`;
  const password = `the password of ${lastPerson}`;
  const answer = await hub.admin.raw('POST', '/people', { email, name, role, password });
  if (answer.status !== 201) throw new Error(`No person was made: ${answer.status} ${await answer.text()}`);
  const { id } = (await answer.json()) as Person;
  return { id, name, email, password };
}

/** Signs in over HTTP, as a browser does. */
export async function signIn(hub: TestHub, person: TestPerson): Promise<PersonCaller> {
  const answer = await hub.fetch('/api/v1/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: hub.origin },
    body: JSON.stringify({ email: person.email, password: person.password }),
  });
  if (answer.status !== 201) throw new Error(`${person.email} got not in: ${answer.status} ${await answer.text()}`);
  return callerWith(hub, person, { cookie: cookieOf(answer), origin: hub.origin });
}

/** A new person, signed in. */
export async function signedIn(hub: TestHub, options: { role?: Role; name?: string } = {}): Promise<PersonCaller> {
  return signIn(hub, await createPerson(hub, options));
}

/** A new personal access token of this person. */
export async function tokenOf(hub: TestHub, person: TestPerson): Promise<PersonCaller> {
  const session = await signIn(hub, person);
  const { status, body } = await session.json<IssuedPersonalToken>('POST', '/me/tokens', { name: 'hubctl' });
  if (status !== 201) throw new Error(`No token was made: ${status} ${JSON.stringify(body)}`);
  return callerWith(hub, person, { authorization: `Bearer ${body.token}` });
}

/** A new person who belongs to this Hub, signed in. */
export async function memberOf(
  hub: TestHub,
  hubId: string,
  options: { role?: Role; name?: string } = {},
): Promise<PersonCaller> {
  const caller = await signedIn(hub, options);
  await addMember(hub, hubId, caller.person);
  return caller;
}

export async function addMember(hub: TestHub, hubId: string, { id: personId }: { id: string }): Promise<void> {
  const answer = await hub.admin.raw('POST', `/hubs/${hubId}/members`, { personId });
  if (!answer.ok) throw new Error(`No member was added: ${answer.status} ${await answer.text()}`);
}

/** What a browser would send back of the cookie of an answer. */
export function cookieOf(answer: Response): string {
  const [cookie] = answer.headers.getSetCookie();
  if (cookie === undefined) throw new Error('The answer sets no cookie');
  return cookie.split(';')[0] ?? '';
}

export function callerWith(hub: TestHub, person: TestPerson, headers: Record<string, string>): PersonCaller {
  const send = (path: string, init: RequestInit = {}): Promise<Response> => {
    const merged = new Headers(init.headers);
    for (const [name, value] of Object.entries(headers)) if (!merged.has(name)) merged.set(name, value);
    return hub.fetch(path, { ...init, headers: merged });
  };
  return {
    person,
    headers,
    fetch: send,
    json: async <T>(method: string, path: string, body?: unknown): Promise<Answer<T>> => {
      const answer = await send(`/api/v1${path}`, {
        method,
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: (await answer.json()) as T, headers: answer.headers };
    },
  };
}

/** One request for a session, as a browser sends it. */
export async function trySignIn(
  hub: TestHub,
  { email, password }: { email?: unknown; password?: unknown },
  headers: Record<string, string> = {},
): Promise<Answer & { cookies: string[] }> {
  const answer = await hub.fetch('/api/v1/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email, password }),
  });
  const cookies = answer.headers.getSetCookie();
  return { status: answer.status, body: (await answer.json()) as Answer['body'], headers: answer.headers, cookies };
}

/** The same as `json` of a person, by the local admin. */
export async function adminJson<T = Record<string, unknown>>(
  hub: TestHub,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer<T>> {
  const answer = await hub.admin.raw(method, path, body);
  return { status: answer.status, body: (await answer.json()) as T, headers: answer.headers };
}

/** The status and, of a refusal, the message: `409 There is no way.` */
export function outcomeOf({ status, body }: Answer): string {
  return status < 400 ? String(status) : `${status} ${body.message}`;
}
