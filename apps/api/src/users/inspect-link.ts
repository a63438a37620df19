import type { LinkInfo } from '@hub/contract';
import type { Deps } from '../deps.ts';
import type { LinkRecord } from '../storage/users-store.ts';
import { isoTimeOrNull } from '../time.ts';

/** Describes what a link is for, without using it up. */
export async function inspectLink(deps: Deps, { kind, email, personId, expiresAt }: LinkRecord): Promise<LinkInfo> {
  const [{ name }, user] = await Promise.all([
    deps.store.workspace.find(),
    personId === null ? null : deps.store.users.find(personId),
  ]);
  return { kind, email: user?.email ?? email, workspaceName: name, expiresAt: isoTimeOrNull(expiresAt) };
}
