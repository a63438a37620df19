import type { IssuedKey } from '@hub/contract';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { type RunOptions, runHubctl } from './run-hubctl.ts';

/** Starts the real server with one Hub named Releases, and a hubctl that uses its admin socket. */
export async function startHubctl(options: Parameters<typeof startTestHub>[0] = {}) {
  const hub = await startTestHub(options);
  const releases = await hub.admin.createHub('Releases');
  const hubctl = (argv: string[], options: RunOptions = {}) =>
    runHubctl(argv, { now: hub.clock.now(), ...options, env: { HUB_ADMIN_SOCKET: hub.socketPath, ...options.env } });
  return {
    hub,
    releases,
    hubctl,
    /** Issues a key for messages through hubctl. */
    issue: async (name: string, ...flags: string[]): Promise<IssuedKey> => {
      const given = ['--hub', 'Releases', '--name', name, '--scopes', 'messages', ...flags];
      const ran = await hubctl(['keys', 'issue', ...given, '--json']);
      if (ran.code !== 0) throw new Error(ran.stdout);
      return ran.json<IssuedKey>();
    },
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

/** Like `startHubctl`, for all tests of a file: starts before the first one and stops after the last one. */
export const sharedHubctl = () => shared(startHubctl);
