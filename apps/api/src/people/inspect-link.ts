import type { LinkInfo } from '@hub/contract';
import type { Deps } from '../deps.ts';
import { isoTimeOrNull } from '../time.ts';
import { findLink } from './find-link.ts';

/** What a link is for. Looking does not use it up. */
export async function inspectLink(deps: Deps, token: string, address: string): Promise<LinkInfo> {
  const { kind, email, personId, expiresAt } = await findLink(deps, token, address);
  const [{ name }, person] = await Promise.all([
    deps.store.workspace(),
    personId === null ? null : deps.store.people.find(personId),
  ]);
  return { kind, email: person?.email ?? email, workspaceName: name, expiresAt: isoTimeOrNull(expiresAt) };
}
