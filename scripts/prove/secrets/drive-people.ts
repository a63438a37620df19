import type {
  IssuedInvitation,
  IssuedLink,
  IssuedPersonalToken,
  Person,
} from '../../../packages/contract/src/index.ts';
import { adminOver } from '../admin.ts';
import { type Drive, nextAddress } from './drive.ts';
import { inLanes } from './in-lanes.ts';
import { cookie, ORIGIN, type Owner, PERSON_CASES, type PersonCase, type PersonSecret } from './people-requests.ts';
import { exchange, httpRequest, json, type Parts, statusOf } from './requests.ts';

/** Somebody whose sessions, tokens and links are used and misused. */
export interface Account extends Owner {
  readonly id: string;
  readonly password: string;
  readonly session: string;
}

let lastNumber = 0;
const nextNumber = (): number => {
  lastNumber += 1;
  return lastNumber;
};

/** Each case with a secret of its own, so that a finding names the way in which the secret got there. */
export async function drivePeople(drive: Drive): Promise<void> {
  const account = await makeAccount(drive, 'a password');
  await inLanes(PERSON_CASES, (each) => driveCase(drive, account, each));
  await driveChanges(drive);
}

async function driveCase(drive: Drive, account: Account, { name, secret: kind, status, parts, isEcho }: PersonCase) {
  const { secret, owner } = await MAKERS[kind](drive, name, account);
  const answer = await ask(drive, name, status, parts(secret, owner));
  if (!isEcho) drive.hunt.note(`the answer to ${name}`, answer);
}

/** A secret of each kind, known to the hunt. */
const MAKERS: Record<
  PersonSecret,
  (drive: Drive, name: string, account: Account) => Promise<{ secret: string; owner: Owner }>
> = {
  // Each with an account of its own: a user has at most 20 tokens.
  token: async (drive, name) => {
    const owner = await makeAccount(drive, `the owner of ${name}`);
    return { secret: await makeToken(drive, name, owner), owner };
  },
  session: async (drive, name, account) => ({
    secret: await signIn(drive, name, account.email, account.password),
    owner: account,
  }),
  invitation: async (drive, name) => ({ secret: (await invite(drive, name)).link, owner: { email: 'nobody' } }),
  reset: async (drive, name) => {
    const { id, email } = await makePerson(drive, name);
    return { secret: await resetLink(drive, name, id), owner: { email } };
  },
  password: async (drive, name) => {
    const { email, password } = await makePerson(drive, name);
    return { secret: password, owner: { email } };
  },
};

/** What becomes of them: changed, ended, revoked, used up, withdrawn; and what is no more is tried again. */
async function driveChanges(drive: Drive): Promise<void> {
  const { hunt, server } = drive;
  const admin = adminOver(server.adminSocket);
  const one = await makeAccount(drive, 'a password that is changed');
  const me = (secret: string): Parts => ({ method: 'GET', path: '/api/v1/me', body: '', headers: cookie(secret) });
  const password = newPassword(drive, 'a new password');
  const wrong = newPassword(drive, 'a wrong present password');
  const change = (currentPassword: string, session: string): Parts => ({
    method: 'PUT',
    path: '/api/v1/me/password',
    headers: { ...cookie(session), Origin: ORIGIN },
    ...json({ currentPassword, newPassword: password }),
  });
  hunt.note('a refused change', await ask(drive, 'a change with a wrong password', 400, change(wrong, one.session)));
  const changed = await ask(drive, 'a change of password', 200, change(one.password, one.session));
  const session = takeSession(drive, 'a change of password', changed);
  hunt.note('an ended session', await ask(drive, 'a session that was ended by it', 401, me(one.session)));

  const token = await makeToken(drive, 'a revoked token', { ...one, session });
  const { items } = await admin.call<{ items: Person[] }>('GET', '/people?limit=1');
  hunt.expect('there are people', true, items.length > 0);
  await admin.call('POST', `/people/${one.id}/deactivation`);
  hunt.note('a disabled session', await ask(drive, 'a session of a disabled account', 401, me(session)));
  const asToken: Parts = { ...me(''), headers: {}, authorization: `Bearer ${token}` };
  hunt.note('a disabled token', await ask(drive, 'a token of a disabled account', 401, asToken));
  const again = { path: '/api/v1/session', ...json({ email: one.email, password }) };
  hunt.note('a disabled sign-in', await ask(drive, 'a password of a disabled account', 401, again));

  await redeem(drive, 'an invitation', (await invite(drive, 'a used invitation')).link, { name: 'Grace' });
  const { id } = await makePerson(drive, 'a forgotten password');
  await redeem(drive, 'a reset', await resetLink(drive, 'a used reset', id), {});
  const withdrawn = await invite(drive, 'a withdrawn invitation');
  await admin.call('DELETE', `/invitations/${withdrawn.id}`);
  const inspection = { path: '/api/v1/links/inspection', ...json({ token: withdrawn.link }) };
  hunt.note('a withdrawn link', await ask(drive, 'a withdrawn invitation', 404, inspection));
  const taken = { email: one.email, name: 'Twice', password: newPassword(drive, 'a password for a taken address') };
  const refused = await admin.raw('POST', '/people', taken);
  hunt.expect('an account for a taken address', 409, refused.status);
  hunt.note('the refusal of a taken address', await refused.text());
}

/** Uses a link, and tries it once more. */
export async function redeem(drive: Drive, name: string, token: string, fields: object): Promise<void> {
  const password = newPassword(drive, `the password chosen with ${name}`);
  const parts = { path: '/api/v1/links/redemption', ...json({ token, password, ...fields }) };
  takeSession(drive, name, await ask(drive, `${name} is used`, 201, parts));
  drive.hunt.note(`${name}, used twice`, await ask(drive, `${name} is used twice`, 404, parts));
}

/** Sends a request, and sees that it is answered as it should be. */
export async function ask({ hunt, port }: Drive, name: string, status: number, parts: Parts): Promise<Buffer> {
  const headers = { 'X-Forwarded-For': nextAddress(), ...parts.headers };
  const answer = await exchange(port, httpRequest({ ...parts, headers }));
  hunt.expect(name, status, statusOf(answer), answer.toString('utf8').slice(0, 600));
  return answer;
}

export async function makeAccount(drive: Drive, name: string): Promise<Account> {
  const person = await makePerson(drive, name);
  return { ...person, session: await signIn(drive, `the session of ${name}`, person.email, person.password) };
}

async function makePerson(drive: Drive, name: string): Promise<{ id: string; email: string; password: string }> {
  const email = `person-${nextNumber()}@example.org`;
  const password = newPassword(drive, name);
  const admin = adminOver(drive.server.adminSocket);
  const { id } = await admin.call<Person>('POST', '/people', { email, name: 'Ada', password });
  return { id, email, password };
}

/** Of the characters and the length of the other secrets, so that it is found in every form that they are found in. */
export function newPassword({ hunt }: Pick<Drive, 'hunt'>, name: string): string {
  const text = [...crypto.getRandomValues(new Uint8Array(34))].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return hunt.knowText(name, text, 'passwords');
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

async function signIn(drive: Drive, name: string, email: string, password: string): Promise<string> {
  const answer = await ask(drive, `the sign-in for ${name}`, 201, {
    path: '/api/v1/session',
    ...json({ email, password }),
  });
  return takeSession(drive, name, answer);
}

/** The session that an answer hands over in its cookie; the rest of the answer is searched. */
function takeSession({ hunt }: Drive, name: string, answer: Buffer): string {
  const session = /\r\nset-cookie: hub_session=(\w+);/i.exec(answer.toString('latin1'))?.[1] ?? '';
  hunt.noteWithout(`the answer that hands over the session of ${name}`, answer, session);
  return hunt.know(`the session of ${name}`, session);
}

async function makeToken(drive: Drive, name: string, { session }: Account): Promise<string> {
  const answer = await ask(drive, `the making of ${name}`, 201, {
    path: '/api/v1/me/tokens',
    headers: { ...cookie(session), Origin: ORIGIN },
    ...json({ name: 'a token' }),
  });
  const { token } = JSON.parse(answer.toString('utf8').split('\r\n\r\n')[1] ?? '') as IssuedPersonalToken;
  drive.hunt.noteWithout(`the answer that hands over ${name}`, answer, token);
  return drive.hunt.know(name, token);
}

export async function invite(drive: Drive, name: string): Promise<{ id: string; link: string }> {
  const admin = adminOver(drive.server.adminSocket);
  const body = { email: `guest-${nextNumber()}@example.org` };
  const { link, ...rest } = await admin.call<IssuedInvitation>('POST', '/invitations', body);
  drive.hunt.note(`the rest of the invitation for ${name}`, JSON.stringify(rest));
  return { id: rest.id, link: drive.hunt.know(name, secretOf(link)) };
}

async function resetLink(drive: Drive, name: string, personId: string): Promise<string> {
  const admin = adminOver(drive.server.adminSocket);
  const { link } = await admin.call<IssuedLink>('POST', `/people/${personId}/password-reset`);
  return drive.hunt.know(name, secretOf(link));
}

/** What stands behind the `#`. */
export function secretOf(link: string): string {
  return link.slice(link.indexOf('#') + 1);
}
