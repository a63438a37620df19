import type { Store } from '../store/store.ts';
import { newInvitation, newLink, newPerson, newSession, newToken } from './people-records.ts';
import { hubRecord, testAudit } from './store-records.ts';

/** Calls every method of the port for people, with every kind of argument that leads to another statement. */
export async function usePeopleStore({ people }: Store): Promise<void> {
  await setUp(people);
  const known = newPerson();
  const { person, passwordHash } = known;
  await people.create(known);
  const change = { personId: person.id, mayTouchOwners: true, audit: testAudit };
  const of = { personId: person.id };

  await people.find(person.id);
  await people.findForSignIn(person.email);
  await people.findPasswordHash(person.id);
  await people.hasOwner();
  for (const page of [{ limit: 10 }, { limit: 10, before: 'x' }]) {
    await people.list(page);
    await people.listSessions({ ...page, ...of, now: 0 });
    await people.listTokens({ ...page, ...of });
    await people.listInvitations({ ...page, now: 0 });
  }

  const [session, token] = [newSession(person.id), newToken(person.id)];
  await people.createSession({ ...session, endsTokenHash: new Uint8Array(32), passwordHash, audit: testAudit() });
  await people.confirmSession({ sessionId: session.session.id, at: 1 });
  await people.passwordGivenAt(session.session.id);
  await people.createToken(token);
  const use = { ...of, at: 1, address: '192.0.2.1', expiresAt: 2 };
  for (const [kind, id, hash] of [
    ['session', session.session.id, session.tokenHash],
    ['token', token.token.id, token.tokenHash],
  ] as const) {
    await people.findCredential(hash, kind);
    await people.findCredentialById(id, kind);
    await people.noteUse([{ ...use, kind, id }]);
  }
  await people.endSession({ ...of, sessionId: session.session.id, audit: testAudit() });
  await people.revokeToken({ ...of, tokenId: token.token.id, audit: testAudit() });
  await people.changePassword({
    ...of,
    formerHash: passwordHash,
    passwordHash: 'new',
    session: newSession(person.id),
    audit: testAudit(),
  });

  const reset = newLink('password_reset', of);
  await people.createLink(reset);
  await people.findLink(reset.tokenHash);
  await people.redeemForPassword({
    ...of,
    linkTokenHash: reset.tokenHash,
    passwordHash: 'newer',
    session: newSession(person.id),
    audit: testAudit(),
  });
  const { link } = newInvitation('new@example.org');
  await people.createLink({ ...newInvitation('new@example.org'), link });
  await people.withdrawInvitation({ linkId: link.id, now: 0, audit: testAudit() });

  for (const role of ['owner', 'member'] as const) await people.change({ ...change, role, audit: testAudit() });
  await people.disable({ ...change, at: 1, audit: testAudit() });
  await people.enable({ ...change, audit: testAudit() });
  await people.prune(0);
}

async function setUp(people: Store['people']): Promise<void> {
  const setup = newLink('setup');
  await people.createLink(setup);
  const owner = newPerson({ role: 'owner' });
  await people.redeemForPerson({
    linkTokenHash: setup.tokenHash,
    newPerson: owner,
    session: newSession(owner.person.id),
    hub: { hub: hubRecord(), audit: testAudit() },
    workspaceName: 'Example Ltd',
  });
}
