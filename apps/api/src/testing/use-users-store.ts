import type { Store } from '../storage/store.ts';
import { hubRecord, testAudit } from './store-records.ts';
import { newInvitation, newLink, newSession, newToken, newUser } from './users-records.ts';

/** Calls every method of the user store, with arguments that cover every statement. */
export async function useUserStore({ users }: Store): Promise<void> {
  await setUp(users);
  const known = newUser();
  const { user, passwordHash } = known;
  await users.create(known);
  const change = { personId: user.id, mayTouchOwners: true, audit: testAudit };
  const of = { personId: user.id };

  await users.find(user.id);
  await users.findForSignIn(user.email);
  await users.findPasswordHash(user.id);
  await users.hasOwner();
  for (const page of [{ limit: 10 }, { limit: 10, before: 'x' }]) {
    await users.list(page);
    await users.listSessions({ ...page, ...of, now: 0 });
    await users.listTokens({ ...page, ...of });
    await users.listInvitations({ ...page, now: 0 });
  }

  const [session, token] = [newSession(user.id), newToken(user.id)];
  await users.createSession({ ...session, endsTokenHash: new Uint8Array(32), passwordHash, audit: testAudit() });
  await users.confirmSession({ sessionId: session.session.id, at: 1 });
  await users.passwordGivenAt(session.session.id);
  await users.createToken(token);
  const use = { ...of, at: 1, address: '192.0.2.1', expiresAt: 2 };
  for (const [kind, id, hash] of [
    ['session', session.session.id, session.tokenHash],
    ['token', token.token.id, token.tokenHash],
  ] as const) {
    await users.findCredential(hash, kind);
    await users.findCredentialById(id, kind);
    await users.saveUse([{ ...use, kind, id }]);
  }
  await users.endSession({ ...of, sessionId: session.session.id, audit: testAudit() });
  await users.revokeToken({ ...of, tokenId: token.token.id, audit: testAudit() });
  await users.changePassword({
    ...of,
    formerHash: passwordHash,
    passwordHash: 'new',
    session: newSession(user.id),
    audit: testAudit(),
  });

  const reset = newLink('password_reset', of);
  await users.createLink(reset);
  await users.findLink(reset.tokenHash);
  await users.redeemForPassword({
    ...of,
    linkTokenHash: reset.tokenHash,
    passwordHash: 'newer',
    session: newSession(user.id),
    audit: testAudit(),
  });
  const { link } = newInvitation('new@example.org');
  await users.createLink({ ...newInvitation('new@example.org'), link });
  await users.withdrawInvitation({ linkId: link.id, now: 0, audit: testAudit() });

  for (const role of ['owner', 'member'] as const) await users.change({ ...change, role, audit: testAudit() });
  await users.disable({ ...change, at: 1, audit: testAudit() });
  await users.enable({ ...change, audit: testAudit() });
  await users.prune(0);
}

async function setUp(users: Store['users']): Promise<void> {
  const setup = newLink('setup');
  await users.createLink(setup);
  const owner = newUser({ role: 'owner' });
  await users.redeemForUser({
    linkTokenHash: setup.tokenHash,
    newUser: owner,
    session: newSession(owner.user.id),
    hub: { hub: hubRecord(), audit: testAudit() },
    workspaceName: 'Example Ltd',
  });
}
