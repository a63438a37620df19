/** The real server with a real database, and its users. Only tests may import this module. */

export { spawnHub } from '../../../api/test/support/hub-process.ts';
export {
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
