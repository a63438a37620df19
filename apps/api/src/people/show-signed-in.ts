import type { SignedIn } from '@hub/contract';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { authenticatePerson } from './authenticate-person.ts';
import { showMe } from './show-me.ts';

/** Whom this session lets in, or nobody. One that is not valid is slowed as everywhere; a failure of the store is no answer. */
export async function showSignedIn(
  deps: Pick<Deps, 'store' | 'clock' | 'failedAuthentication' | 'credentialUse' | 'revocations'>,
  secret: string | null,
  address: string,
): Promise<SignedIn> {
  try {
    const { person } = await authenticatePerson(deps, { kind: 'session', secret }, address);
    if (person) return { me: await showMe(deps, person) };
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'unauthenticated')) throw error;
  }
  return { me: null, ...((await deps.store.people.list({ limit: 1 })).length > 0 ? {} : { needsSetup: true }) };
}
