import type { OperationExamples } from '../../ops/openapi-examples.ts';
import { startTestHub } from '../start-test-hub.ts';
import { playAccount } from './account-scene.ts';
import { exampleRandom } from './example-random.ts';
import { ExampleRecorder } from './example-recorder.ts';
import { playHubs } from './hubs-scene.ts';
import { playMessages, playNotesAndTodos, playStream } from './items-scene.ts';
import { playKeys } from './keys-scene.ts';
import { examplePush, playNotices } from './notices-scene.ts';
import { invitePeople, managePeople, showHoldings } from './people-scene.ts';
import { setUpWorkspace, showWhatHappened } from './workspace-scene.ts';

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
  const team = await invitePeople(recorder, owner);
  await playHubs(team);
  const key = await playKeys(hub, team);
  await playMessages(team, key);
  await playNotesAndTodos(team);
  await playStream(team, key);
  await managePeople(recorder, team);
  await showHoldings(team);
  await showWhatHappened(hub, recorder, team);
  await playNotices(team);
  await playAccount(recorder, team);
  return recorder.examples;
}
