import { buildToken, PERSONAL_TOKEN_PREFIX, type Role, SESSION_PREFIX } from '@hub/contract';
import type { TestHub } from './test-hub.ts';
import { addMember, createUser, signedIn, signIn, type TestUser, tokenOf } from './users.ts';

/** A kind of credential, and what it gives access to. */
export interface CredentialKind {
  name: string;
  /** `null` if it gives no access to the workspace API. */
  opens: null | { by: 'session' | 'token' | 'local'; role: Role | 'local' };
  isKey?: boolean;
  /** Returns the headers for one request. Each call signs in again, since a request may end the session. */
  headers: () => Record<string, string> | Promise<Record<string, string>>;
}

const FORGED = 'x'.repeat(34);
const MONTH_MS = 31 * 24 * 60 * 60 * 1000;

/** Returns every kind of credential, valid and invalid, in a workspace with two Hubs. */
export async function credentialKinds(hub: TestHub) {
  const late = await signedIn(hub);
  const lateToken = await late.json<{ token: string }>('POST', '/me/tokens', { name: 'old', lifetimeSeconds: 60 });
  hub.clock.advance(MONTH_MS);

  const [own, foreign] = [await hub.admin.createHub('Ours'), await hub.admin.createHub('Theirs')];
  const { key } = await hub.admin.issueKey({ hubId: own.id });
  const users = {
    owner: await createUser(hub, { role: 'owner' }),
    admin: await createUser(hub, { role: 'admin' }),
    member: await createUser(hub),
    outsider: await createUser(hub),
  };
  await addMember(hub, own.id, users.member);
  await addMember(hub, foreign.id, users.outsider);
  const gone = await createUser(hub, { role: 'admin' });
  const [goneSession, goneToken] = [await signIn(hub, gone), await tokenOf(hub, gone)];
  await hub.admin.raw('POST', `/people/${gone.id}/deactivation`);
  const revoked = await tokenOf(hub, users.admin);
  await revokeAllTokens(hub, users.admin);
  const ended = await signIn(hub, users.admin);
  await ended.json('DELETE', '/session');

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const cookie = (token: string) => ({ cookie: `hub_session=${token}`, origin: hub.origin });
  const bad = (name: string, headers: Record<string, string>): CredentialKind => ({
    name,
    opens: null,
    headers: () => headers,
  });
  const session = (name: string, user: TestUser, role: Role): CredentialKind => ({
    name: `session of ${name}`,
    opens: { by: 'session', role },
    headers: async () => (await signIn(hub, user)).headers,
  });
  const token = async (name: string, user: TestUser, role: Role): Promise<CredentialKind> => {
    const { headers } = await tokenOf(hub, user);
    return { name: `token of ${name}`, opens: { by: 'token', role }, headers: () => headers };
  };
  const memberSession = await signIn(hub, users.member);
  const memberToken = await tokenOf(hub, users.member);

  const kinds: CredentialKind[] = [
    bad('none', {}),
    bad('malformed token', bearer('hub_pat_abc')),
    bad('another scheme', { authorization: `Basic ${btoa('ada:secret')}` }),
    bad('token that was never made', bearer(buildToken(PERSONAL_TOKEN_PREFIX, FORGED))),
    bad('cookie that was never made', cookie(buildToken(SESSION_PREFIX, FORGED))),
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
    session('a member', users.member, 'member'),
    session("another Hub's member", users.outsider, 'member'),
    session('an admin', users.admin, 'admin'),
    session('an owner', users.owner, 'owner'),
    await token('a member', users.member, 'member'),
    await token("another Hub's member", users.outsider, 'member'),
    await token('an admin', users.admin, 'admin'),
    await token('an owner', users.owner, 'owner'),
    { name: 'local socket', opens: { by: 'local', role: 'local' }, headers: () => ({}) },
  ];
  return { kinds, users, hubId: own.id, key };
}

async function revokeAllTokens(hub: TestHub, user: TestUser): Promise<void> {
  const caller = await signIn(hub, user);
  const { body } = await caller.json<{ items: { id: string }[] }>('GET', '/me/tokens');
  for (const { id } of body.items) await caller.json('DELETE', `/me/tokens/${id}`);
}
