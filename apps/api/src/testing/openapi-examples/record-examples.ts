import type { OperationExamples } from '../../ops/openapi-examples.ts';
import { startTestHub } from '../start-test-hub.ts';
import { recordAccount } from './account-fixture.ts';
import { exampleRandom } from './example-random.ts';
import { ExampleRecorder } from './example-recorder.ts';
import { recordHubs } from './hubs-fixture.ts';
import { recordMessages, recordNotesAndTodos, recordStream } from './items-fixture.ts';
import { recordKeys } from './keys-fixture.ts';
import { examplePush, recordNotifications } from './notifications-fixture.ts';
import { inviteUsers, manageUsers, recordHoldings } from './users-fixture.ts';
import { recordActivity, setUpWorkspace } from './workspace-fixture.ts';

/**
 * Returns the examples of the workspace API for the OpenAPI document, by `operationId`, recorded from one scenario on
 * the real server. Time and randomness are fixed, so that every run has the same result.
 */
export async function recordExamples(): Promise<Readonly<Record<string, OperationExamples>>> {
  await using hub = await startTestHub({
    baseUrl: 'https://hub.example.org',
    random: exampleRandom(),
    push: examplePush,
  });
  const recorder = new ExampleRecorder(hub);
  const owner = await setUpWorkspace(recorder);
  const team = await inviteUsers(recorder, owner);
  await recordHubs(team);
  const key = await recordKeys(hub, team);
  await recordMessages(team, key);
  await recordNotesAndTodos(team);
  await recordStream(team, key);
  await manageUsers(recorder, team);
  await recordHoldings(team);
  await recordActivity(hub, recorder, team);
  await recordNotifications(team);
  await recordAccount(recorder, team);
  return recorder.examples;
}
