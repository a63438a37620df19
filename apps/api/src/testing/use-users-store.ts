import type { Store } from '../storage/store.ts';
import { insertLink, insertSession, insertToken, insertUser, updateUser } from './store-writes.ts';
import { newInvitation, newLink, newSession, newToken, newUser } from './users-records.ts';

/** Calls every method of the user store, with arguments that cover every statement. */
export async function useUserStore(store: Store): Promise<void> {
  const { users } = store;
  const user = await insertUser(store, newUser());
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

  const [{ session, ...hashed }, { token, tokenHash }] = [newSession(user.id), newToken(user.id)];
  await insertSession(store, { session, ...hashed });
  await insertToken(store, { token, tokenHash });
  await users.passwordGivenAt(session.id);
  for (const kind of ['session', 'token'] as const) {
    await users.findCredential(tokenHash, kind);
    await users.findCredentialById(token.id, kind);
  }
  await store.transaction(async ({ sessions, tokens }) => {
    await sessions.find(session.id);
    await sessions.update(session.id, { lastUsedAt: 1, expiresAt: 2, address: '192.0.2.1', confirmedAt: 1 });
    await sessions.delete(session.id);
    await sessions.deleteByTokenHash(tokenHash);
    await sessions.deleteAllOf(user.id);
    await sessions.deleteExpired(0);
    await tokens.find(token.id);
    await tokens.countValid(user.id, 1);
    await tokens.update(token.id, { lastUsedAt: 1, lastUsedAddress: '192.0.2.1' });
    await tokens.delete(token.id);
    await tokens.deleteAllOf(user.id);
  });

  for (const link of [newLink('setup'), newInvitation('new@example.org'), newLink('password_reset', of)]) {
    await insertLink(store, link);
    await users.findLink(link.tokenHash);
  }
  await store.transaction(async ({ links }) => {
    await links.find('lnk_none');
    await links.delete('lnk_none');
    await links.deleteMatching({ kind: 'setup' });
    await links.deleteMatching({ kind: 'invitation', email: 'new@example.org' });
    await links.deleteMatching({ kind: 'password_reset', ...of });
    await links.deleteCreatedBy(user.id);
    await links.deleteExpired(0);
  });
  await updateUser(store, user.id, { name: 'Grace', role: 'admin', lastSeenAt: 1, passwordHash: 'new' });
  await updateUser(store, user.id, { disabledAt: 1 });
}
