/** The real server over a real database, and people who have accounts on it. Only tests may reach into it. */
export { createPerson, memberOf, signIn, type TestPerson, tokenOf } from '../../../api/src/testing/people.ts';
export { startTestHub, type TestHub } from '../../../api/src/testing/start-test-hub.ts';
