import type { NewId } from './ids.ts';
import type { FailedAuthentication } from './keys/failed-authentication.ts';
import type { PendingRevocations } from './keys/pending-revocations.ts';
import type { Clock, Log, Random } from './ports.ts';
import type { Store } from './storage/store.ts';
import type { CredentialUses } from './users/credential-use.ts';

/** The dependencies that need no other part of the server: use cases, live views and notifications build on them. */
export interface CoreDeps {
  store: Store;
  clock: Clock;
  random: Random;
  newId: NewId;
  log: Log;
  revocations: PendingRevocations;
  failedAuthentication: FailedAuthentication;
  credentialUse: CredentialUses;
}
