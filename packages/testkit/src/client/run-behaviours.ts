/**
 * Runs the behavior tests on the current runtime with the built client in HUB_CLIENT_ENTRY, and prints one line of JSON
 * for each. The process must exit by itself: a client that leaves a timer or a socket open would keep it alive.
 */
import { inspect } from 'node:util';
import { behaviours } from './behaviours/all.ts';
import type { Trial } from './behaviours/trial.ts';
import { timedClient } from './timed-client.ts';

const { HUB_CLIENT_ENTRY, HUB_TRIAL_URL, HUB_TRIAL_CONTROL, HUB_TRIAL_TLS } = process.env;
if (!HUB_CLIENT_ENTRY || !HUB_TRIAL_URL || !HUB_TRIAL_CONTROL || !HUB_TRIAL_TLS)
  throw new Error('The variables HUB_… are missing.');

async function control(action: string, ...args: unknown[]) {
  const response = await fetch(String(HUB_TRIAL_CONTROL), { method: 'POST', body: JSON.stringify({ action, args }) });
  if (!response.ok) throw new Error(await response.text());
  return ((await response.json()) as { result: never }).result;
}

const trial: Trial = {
  client: await import(HUB_CLIENT_ENTRY),
  timedClient,
  url: HUB_TRIAL_URL,
  tls: JSON.parse(HUB_TRIAL_TLS),
  server: {
    issueKey: (scopes) => control('issueKey', scopes),
    revokeKey: (id) => control('revokeKey', id),
    deleteHub: (id) => control('deleteHub', id),
    postCount: (id) => control('postCount', id),
    advance: (ms) => control('advance', ms),
  },
};

for (const [name, behave] of Object.entries(behaviours)) {
  const failure = await behave(trial).then(
    () => null,
    (error: unknown) => inspect(error),
  );
  console.log(JSON.stringify({ name, failure }));
}
