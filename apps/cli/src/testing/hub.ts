/** The real server over a real database. Only tests may reach into it. */
export { startTestHub, type TestHub } from '../../../api/src/testing/start-test-hub.ts';
