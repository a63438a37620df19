/** The real server over a real database, and people who have accounts on it. Only tests may reach into it. */

export { spawnHub } from '../../../api/src/testing/hub-process.ts';
export {
  createPerson,
  memberOf,
  type PersonCaller,
  signIn,
  type TestPerson,
  tokenOf,
} from '../../../api/src/testing/people.ts';
export { restartHub, startOnDatabase } from '../../../api/src/testing/restart-hub.ts';
export { post, startTestHub, type TestHub } from '../../../api/src/testing/start-test-hub.ts';
