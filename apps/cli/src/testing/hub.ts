/** The real server with a real database, and its users. Only tests may import this module. */

export { spawnHub } from '../../../api/src/testing/hub-process.ts';
export { pruneHub } from '../../../api/src/testing/prune-hub.ts';
export { restartHub, startOnDatabase } from '../../../api/src/testing/restart-hub.ts';
export { post, startTestHub, type TestHub } from '../../../api/src/testing/start-test-hub.ts';
export {
  createUser,
  memberOf,
  signIn,
  type TestUser,
  tokenOf,
  type UserCaller,
} from '../../../api/src/testing/users.ts';
