/** The real server with a real database, and its users. Only tests may import this module. */

import type { IssuedPersonalToken } from '@hub/contract';
import type { TestHub } from '../../../api/test/support/test-hub.ts';
import { signIn, type TestUser } from '../../../api/test/support/users.ts';

export { spawnHub } from '../../../api/test/support/hub-process.ts';
export { createDatabase } from '../../../api/test/support/postgres-under-test.ts';
export {
  onlyOnPostgres,
  post,
  pruneHub,
  restartHub,
  startOnDatabase,
  startTestHub,
  type TestHub,
} from '../../../api/test/support/test-hub.ts';
export {
  createUser,
  memberOf,
  signIn,
  type TestUser,
  tokenOf,
  type UserCaller,
} from '../../../api/test/support/users.ts';

/** Creates a personal access token. */
export async function newTokenOf(hub: TestHub, user: TestUser): Promise<string> {
  const session = await signIn(hub, user);
  return (await session.json<IssuedPersonalToken>('POST', '/me/tokens', { name: 'script' })).body.token;
}
