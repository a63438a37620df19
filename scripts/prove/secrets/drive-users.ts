import { BASE62, type IssuedInvitation, type IssuedLink, type IssuedPersonalToken, type User } from '@hub/contract';
import { withConcurrency } from '@hub/testkit';
import { type Drive, nextAddress } from './hunt.ts';
import { exchange, httpRequest, json, type Parts, statusOf } from './requests.ts';
import { cookie, ORIGIN, type Owner, USER_CASES, type UserCase, type UserSecret } from './users-requests.ts';

/** A user whose sessions, tokens and links are used and misused. */
interface Account extends Owner {
  readonly id: string;
  readonly password: string;
  readonly session: string;
}

let lastNumber = 0;
const nextNumber = (): number => {
  lastNumber += 1;
  return lastNumber;
};

/** Uses a new secret for each case, so that a finding identifies the case. */
export async function exerciseUsers(exercise: Drive): Promise<void> {
  const account = await makeAccount(exercise, 'a password');
  await withConcurrency(USER_CASES, (each) => driveCase(exercise, account, each));
  await driveChanges(exercise);
}

async function driveCase(exercise: Drive, account: Account, { name, secret: kind, status, parts, isEcho }: UserCase) {
  const { secret, owner } = await MAKERS[kind](exercise, name, account);
  const response = await ask(exercise, name, status, parts(secret, owner));
  if (!isEcho) exercise.hunt.note(`the response to ${name}`, response);
}

/** Creates a secret of each kind, registered for the search. */
const MAKERS: Record<
  UserSecret,
  (exercise: Drive, name: string, account: Account) => Promise<{ secret: string; owner: Owner }>
> = {
  // Each token belongs to a separate account, since a user can have at most 20 tokens.
  token: async (exercise, name) => {
    const owner = await makeAccount(exercise, `the owner of ${name}`);
    return { secret: await makeToken(exercise, name, owner), owner };
  },
  session: async (exercise, name, account) => ({
    secret: await signIn(exercise, name, account.email, account.password),
    owner: account,
  }),
  invitation: async (exercise, name) => ({ secret: (await invite(exercise, name)).link, owner: { email: 'nobody' } }),
  reset: async (exercise, name) => {
    const { id, email } = await makeUser(exercise, name);
    return { secret: await resetLink(exercise, name, id), owner: { email } };
  },
  password: async (exercise, name) => {
    const { email, password } = await makeUser(exercise, name);
    return { secret: password, owner: { email } };
  },
};

/** Runs credentials through their lifecycle: changed, ended, revoked, used up. Each is tried again afterwards. */
async function driveChanges(exercise: Drive): Promise<void> {
  const { hunt, server } = exercise;
  const { admin } = server;
  const one = await makeAccount(exercise, 'a password that is changed');
  const me = (secret: string): Parts => ({ method: 'GET', path: '/api/v1/me', body: '', headers: cookie(secret) });
  const password = newPassword(exercise, 'a new password');
  const wrong = newPassword(exercise, 'a wrong present password');
  const change = (currentPassword: string, session: string): Parts => ({
    method: 'PUT',
    path: '/api/v1/me/password',
    headers: { ...cookie(session), Origin: ORIGIN },
    ...json({ currentPassword, newPassword: password }),
  });
  hunt.note('a refused change', await ask(exercise, 'a change with a wrong password', 400, change(wrong, one.session)));
  const changed = await ask(exercise, 'a change of password', 200, change(one.password, one.session));
  const session = takeSession(exercise, 'a change of password', changed);
  hunt.note('an ended session', await ask(exercise, 'a session that was ended by it', 401, me(one.session)));

  const token = await makeToken(exercise, 'a revoked token', { ...one, session });
  const { items } = await admin.call<{ items: User[] }>('GET', '/users?limit=1');
  hunt.expect('there are users', true, items.length > 0);
  await admin.call('POST', `/users/${one.id}/deactivation`);
  hunt.note('a disabled session', await ask(exercise, 'a session of a disabled account', 401, me(session)));
  const asToken: Parts = { ...me(''), headers: {}, authorization: `Bearer ${token}` };
  hunt.note('a disabled token', await ask(exercise, 'a token of a disabled account', 401, asToken));
  const again = { path: '/api/v1/session', ...json({ email: one.email, password }) };
  hunt.note('a disabled sign-in', await ask(exercise, 'a password of a disabled account', 401, again));

  await redeem(exercise, 'an invitation', (await invite(exercise, 'a used invitation')).link, { name: 'Grace' });
  const { id } = await makeUser(exercise, 'a forgotten password');
  await redeem(exercise, 'a reset', await resetLink(exercise, 'a used reset', id), {});
  const withdrawn = await invite(exercise, 'a withdrawn invitation');
  await admin.call('DELETE', `/invitations/${withdrawn.id}`);
  const inspection = { path: '/api/v1/links/inspection', ...json({ token: withdrawn.link }) };
  hunt.note('a withdrawn link', await ask(exercise, 'a withdrawn invitation', 404, inspection));
  const taken = { email: one.email, name: 'Twice', password: newPassword(exercise, 'a password for a taken address') };
  const rejected = await admin.raw('POST', '/users', taken);
  hunt.expect('an account for a taken address', 409, rejected.status);
  hunt.note('the error for a taken address', await rejected.text());
}

/** Uses a link, and tries it a second time. */
export async function redeem(exercise: Drive, name: string, token: string, fields: object): Promise<void> {
  const password = newPassword(exercise, `the password chosen with ${name}`);
  const parts = { path: '/api/v1/links/redemption', ...json({ token, password, ...fields }) };
  takeSession(exercise, name, await ask(exercise, `${name} is used`, 201, parts));
  exercise.hunt.note(`${name}, used twice`, await ask(exercise, `${name} is used twice`, 404, parts));
}

/** Sends a request, and checks its status. */
export async function ask({ hunt, port }: Drive, name: string, status: number, parts: Parts): Promise<Buffer> {
  const headers = { 'X-Forwarded-For': nextAddress(), ...parts.headers };
  const response = await exchange(port, httpRequest({ ...parts, headers }));
  hunt.expect(name, status, statusOf(response), response.toString('utf8').slice(0, 600));
  return response;
}

export async function makeAccount(exercise: Drive, name: string): Promise<Account> {
  const user = await makeUser(exercise, name);
  return { ...user, session: await signIn(exercise, `the session of ${name}`, user.email, user.password) };
}

async function makeUser(exercise: Drive, name: string): Promise<{ id: string; email: string; password: string }> {
  const number = nextNumber();
  const email = `user-${number}@example.org`;
  const password = newPassword(exercise, name);
  const { admin } = exercise.server;
  const { id } = await admin.call<User>('POST', '/users', { email, name: `User ${number}`, password });
  return { id, email, password };
}

/**
 * Returns a password with the length and characters of the other secrets, so that it can be found in the same forms.
 */
export function newPassword({ hunt }: Pick<Drive, 'hunt'>, name: string): string {
  const text = [...crypto.getRandomValues(new Uint8Array(34))].map((byte) => BASE62[byte % BASE62.length]).join('');
  return hunt.knowText(name, text, 'passwords');
}

async function signIn(exercise: Drive, name: string, email: string, password: string): Promise<string> {
  const response = await ask(exercise, `the sign-in for ${name}`, 201, {
    path: '/api/v1/session',
    ...json({ email, password }),
  });
  return takeSession(exercise, name, response);
}

/** Returns the session that a response reveals in its cookie. The rest of the response is searched. */
function takeSession({ hunt }: Drive, name: string, response: Buffer): string {
  const session = /\r\nset-cookie: hub_session=(\w+);/i.exec(response.toString('latin1'))?.[1] ?? '';
  hunt.noteWithout(`the response that reveals the session of ${name}`, response, session);
  return hunt.know(`the session of ${name}`, session);
}

async function makeToken(exercise: Drive, name: string, { session }: Account): Promise<string> {
  const response = await ask(exercise, `the making of ${name}`, 201, {
    path: '/api/v1/me/tokens',
    headers: { ...cookie(session), Origin: ORIGIN },
    ...json({ name: 'a token' }),
  });
  const { token } = JSON.parse(response.toString('utf8').split('\r\n\r\n')[1] ?? '') as IssuedPersonalToken;
  exercise.hunt.noteWithout(`the response that reveals ${name}`, response, token);
  return exercise.hunt.know(name, token);
}

export async function invite(exercise: Drive, name: string): Promise<{ id: string; link: string }> {
  const { admin } = exercise.server;
  const body = { email: `guest-${nextNumber()}@example.org` };
  const { link, ...rest } = await admin.call<IssuedInvitation>('POST', '/invitations', body);
  exercise.hunt.note(`the rest of the invitation for ${name}`, JSON.stringify(rest));
  return { id: rest.id, link: exercise.hunt.know(name, secretOf(link)) };
}

async function resetLink(exercise: Drive, name: string, userId: string): Promise<string> {
  const { admin } = exercise.server;
  const { link } = await admin.call<IssuedLink>('POST', `/users/${userId}/password-reset`);
  return exercise.hunt.know(name, secretOf(link));
}

/** Returns the secret in a link: the part after the `#`. */
export function secretOf(link: string): string {
  return link.slice(link.indexOf('#') + 1);
}

/** Uses the setup link that the server printed for the admin. The link must not appear anywhere else. */
export async function promoteToOwner(exercise: Drive): Promise<string> {
  const printed = /\S+\/setup#hub_lnk_\w+/.exec(exercise.server.stderr())?.[0] ?? '';
  const token = exercise.hunt.know('the set-up link', secretOf(printed));
  await redeem(exercise, 'the set-up link', token, { email: 'owner@example.org', name: 'Olga' });
  return token;
}
