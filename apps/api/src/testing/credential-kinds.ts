import { formToken, PERSONAL_TOKEN_PREFIX, type Role, SESSION_PREFIX } from '@hub/contract';
import { addMember, createPerson, signedIn, signIn, type TestPerson, tokenOf } from './people.ts';
import type { TestHub } from './start-test-hub.ts';

/** A way to come to the API, and what it says of who comes. */
export interface CredentialKind {
  name: string;
  /** `null`: it lets nobody into the workspace API. */
  opens: null | { by: 'session' | 'token' | 'local'; role: Role | 'local' };
  isKey?: boolean;
  /** The headers of one request. Of a session, a new one each time: a request may end it. */
  headers: () => Record<string, string> | Promise<Record<string, string>>;
}

const FORGED = 'x'.repeat(34);
const MONTH_MS = 31 * 24 * 60 * 60 * 1000;

/** Every kind of credential there is, good and bad, of a workspace with two Hubs. */
export async function credentialKinds(hub: TestHub) {
  const late = await signedIn(hub);
  const lateToken = await late.json<{ token: string }>('POST', '/me/tokens', { name: 'old', lifetimeSeconds: 60 });
  hub.clock.advance(MONTH_MS);

  const [own, foreign] = [await hub.admin.createHub('Ours'), await hub.admin.createHub('Theirs')];
  const { key } = await hub.admin.issueKey({ hubId: own.id });
  const people = {
    owner: await createPerson(hub, { role: 'owner' }),
    admin: await createPerson(hub, { role: 'admin' }),
    member: await createPerson(hub),
    outsider: await createPerson(hub),
  };
  await addMember(hub, own.id, people.member);
  await addMember(hub, foreign.id, people.outsider);
  const gone = await createPerson(hub, { role: 'admin' });
  const [goneSession, goneToken] = [await signIn(hub, gone), await tokenOf(hub, gone)];
  await hub.admin.raw('POST', `/people/${gone.id}/deactivation`);
  const revoked = await tokenOf(hub, people.admin);
  await revokeAllTokens(hub, people.admin);
  const ended = await signIn(hub, people.admin);
  await ended.json('DELETE', '/session');

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const cookie = (token: string) => ({ cookie: `hub_session=${token}`, origin: hub.origin });
  const bad = (name: string, headers: Record<string, string>): CredentialKind => ({
    name,
    opens: null,
    headers: () => headers,
  });
  const session = (name: string, person: TestPerson, role: Role): CredentialKind => ({
    name: `session of ${name}`,
    opens: { by: 'session', role },
    headers: async () => (await signIn(hub, person)).headers,
  });
  const token = async (name: string, person: TestPerson, role: Role): Promise<CredentialKind> => {
    const { headers } = await tokenOf(hub, person);
    return { name: `token of ${name}`, opens: { by: 'token', role }, headers: () => headers };
  };
  const memberSession = await signIn(hub, people.member);
  const memberToken = await tokenOf(hub, people.member);

  const kinds: CredentialKind[] = [
    bad('none', {}),
    bad('malformed token', bearer('hub_pat_abc')),
    bad('another scheme', { authorization: `Basic ${btoa('ada:secret')}` }),
    bad('token that was never made', bearer(formToken(PERSONAL_TOKEN_PREFIX, FORGED))),
    bad('cookie that was never made', cookie(formToken(SESSION_PREFIX, FORGED))),
    { ...bad('Hub key', bearer(key)), isKey: true },
    bad('Hub key in the cookie', cookie(key)),
    bad('token in the cookie', cookie(memberToken.headers.authorization?.slice('Bearer '.length) ?? '')),
    bad('session in the header', bearer(memberSession.headers.cookie?.split('=')[1] ?? '')),
    bad('expired session', { ...late.headers }),
    bad('session that was signed out of', { ...ended.headers }),
    bad('expired token', bearer(lateToken.body.token)),
    bad('revoked token', { ...revoked.headers }),
    bad('session of a disabled admin', { ...goneSession.headers }),
    bad('token of a disabled admin', { ...goneToken.headers }),
    session('a member', people.member, 'member'),
    session("another Hub's member", people.outsider, 'member'),
    session('an admin', people.admin, 'admin'),
    session('an owner', people.owner, 'owner'),
    await token('a member', people.member, 'member'),
    await token("another Hub's member", people.outsider, 'member'),
    await token('an admin', people.admin, 'admin'),
    await token('an owner', people.owner, 'owner'),
    { name: 'local socket', opens: { by: 'local', role: 'local' }, headers: () => ({}) },
  ];
  return { kinds, people, hubId: own.id, key };
}

async function revokeAllTokens(hub: TestHub, person: TestPerson): Promise<void> {
  const caller = await signIn(hub, person);
  const { body } = await caller.json<{ items: { id: string }[] }>('GET', '/me/tokens');
  for (const { id } of body.items) await caller.json('DELETE', `/me/tokens/${id}`);
}
