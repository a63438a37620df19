/** The real server with a real database, and its users. Only tests may import this module. */

import type { IssuedPersonalToken } from '@hub/contract';
import type { TestHub } from '@hub/testkit/in-process/test-hub';
import { signIn, type TestUser } from '@hub/testkit/in-process/users';

export { createDatabase } from '@hub/testkit/in-process/postgres-under-test';
export {
  onlyOnPostgres,
  post,
  pruneHub,
  restartHub,
  startOnDatabase,
  startTestHub,
  type TestHub,
} from '@hub/testkit/in-process/test-hub';
export {
  createUser,
  memberOf,
  signIn,
  type TestUser,
  tokenOf,
  type UserCaller,
} from '@hub/testkit/in-process/users';
export { spawnServer } from '@hub/testkit/server-process';

/** Creates a personal access token. */
export async function newTokenOf(hub: TestHub, user: TestUser): Promise<string> {
  const session = await signIn(hub, user);
  return (await session.json<IssuedPersonalToken>('POST', '/me/tokens', { name: 'script' })).body.token;
}
