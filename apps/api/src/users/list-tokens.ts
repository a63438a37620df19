import type { PersonalToken } from '@hub/contract';
import type { Deps } from '../deps.ts';
import { type Page, pageOf } from '../paging.ts';
import type { PageRequest } from '../storage/records.ts';
import { personalTokenView } from './session-view.ts';

/** Returns a page of a user's tokens, newest first. Expired ones are included, since they explain a 401. */
export async function listTokens(
  { store, revocations }: Pick<Deps, 'store' | 'revocations'>,
  personId: string,
  { limit, before }: PageRequest,
): Promise<Page<PersonalToken>> {
  const tokens = await store.users.listTokens({ personId, limit: limit + 1, before });
  const { items, next } = pageOf(tokens.map(personalTokenView), limit);
  return { items: items.filter(({ id }) => revocations.revokedAt(id) === undefined), next };
}
