/** The real server with a real database, and its users. Only tests may import this module. */

import type { IssuedPersonalToken } from '@hub/contract';
import type { TestHub } from '../in-process/test-hub.ts';
import { signIn, type TestUser } from '../in-process/users.ts';

export { createDatabase } from '../in-process/postgres-under-test.ts';
export {
  onlyOnPostgres,
  post,
  pruneHub,
  restartHub,
  startOnDatabase,
  startTestHub,
  type TestHub,
} from '../in-process/test-hub.ts';
export {
  createUser,
  memberOf,
  signIn,
  type TestUser,
  tokenOf,
  type UserCaller,
} from '../in-process/users.ts';
export { spawnServer } from '../server-process.ts';

/** Creates a personal access token. */
export async function newTokenOf(hub: TestHub, user: TestUser): Promise<string> {
  const session = await signIn(hub, user);
  return (await session.json<IssuedPersonalToken>('POST', '/me/tokens', { name: 'script' })).body.token;
}
