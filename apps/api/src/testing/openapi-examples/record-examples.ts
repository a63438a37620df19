import type { OperationExamples } from '../../ops/openapi-examples.ts';
import { startTestHub } from '../start-test-hub.ts';
import { playAccount } from './account-fixture.ts';
import { exampleRandom } from './example-random.ts';
import { ExampleRecorder } from './example-recorder.ts';
import { playHubs } from './hubs-fixture.ts';
import { playMessages, playNotesAndTodos, playStream } from './items-fixture.ts';
import { playKeys } from './keys-fixture.ts';
import { examplePush, playNotifications } from './notifications-fixture.ts';
import { inviteUsers, manageUsers, showHoldings } from './users-fixture.ts';
import { setUpWorkspace, showWhatHappened } from './workspace-fixture.ts';

/**
 * What the OpenAPI document shows of the workspace API, by `operationId`: one story, told to the real server. Time and
 * chance are those of the story, so that each run gives the same.
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
  await playHubs(team);
  const key = await playKeys(hub, team);
  await playMessages(team, key);
  await playNotesAndTodos(team);
  await playStream(team, key);
  await manageUsers(recorder, team);
  await showHoldings(team);
  await showWhatHappened(hub, recorder, team);
  await playNotifications(team);
  await playAccount(recorder, team);
  return recorder.examples;
}
