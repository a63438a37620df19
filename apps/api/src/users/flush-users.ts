import type { Deps } from '../context/deps.ts';
import { type CredentialUse, MAX_SESSION_AGE_MS } from '../credentials/credential-use.ts';
import type { Repositories } from '../storage/repositories.ts';
import { recordSeen } from './new-session.ts';

/** Few enough that the posts in the same batch do not wait long. */
const USES_PER_TRANSACTION = 200;

/** Saves which sessions and tokens were used, as flush-keys.ts does for keys. */
export async function flushUsers({ store, credentialUse }: Pick<Deps, 'store' | 'credentialUse'>): Promise<void> {
  const uses = credentialUse.take();
  if (uses.length === 0) return;
  for (let from = 0; from < uses.length; from += USES_PER_TRANSACTION) {
    try {
      await store.transaction(async (tx) => {
        for (const use of uses.slice(from, from + USES_PER_TRANSACTION)) await saveUse(tx, use);
      });
    } catch (error) {
      credentialUse.restore(uses.slice(from));
      throw error;
    }
  }
}

/** Saves one use. No time moves back, and a session or token that has ended stays ended. */
async function saveUse(tx: Repositories, { kind, id, personId, at, address, expiresAt }: CredentialUse): Promise<void> {
  const session = kind === 'session' ? await tx.sessions.find(id) : null;
  if (session) {
    const extended = Math.max(session.expiresAt, expiresAt ?? 0);
    await tx.sessions.update(id, {
      lastUsedAt: Math.max(session.lastUsedAt, at),
      expiresAt: Math.min(extended, session.createdAt + MAX_SESSION_AGE_MS),
      address,
    });
  }
  const token = kind === 'token' ? await tx.tokens.find(id) : null;
  if (token) await tx.tokens.update(id, { lastUsedAt: Math.max(token.lastUsedAt ?? 0, at), lastUsedAddress: address });
  await recordSeen(tx.users, personId, at);
}
