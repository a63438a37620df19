import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder } from '@hub/testkit/test-folder';
import { type Listener, type ListenOptions, listen } from '../src/http/listen.ts';
import { systemClock } from '../src/platform/adapters/system.ts';
import type { Log } from '../src/platform/ports.ts';

interface Listening extends AsyncDisposable {
  readonly listener: Listener;
  readonly socketPath: string;
}

type Overrides<Data> = Partial<Omit<ListenOptions<Data>, 'config' | 'log' | 'newRequestId'>> & {
  readonly fetch: ListenOptions<Data>['fetch'];
  readonly config?: Partial<ListenOptions<Data>['config']>;
  /** Called with the message of each log record. */
  readonly onLog?: (message: string) => void;
};

/** Starts a real listener on a free loopback port, with its admin socket in a separate folder. */
export async function startListening<Data = undefined>(overrides: Overrides<Data>): Promise<Listening> {
  const folder = testFolder('hub-listen-');
  const socketPath = overrides.config?.adminSocket ?? join(folder, 'admin.sock');
  const note = (_: object, message: string): void => overrides.onLog?.(message);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  const listener = await listen<Data>({
    clock: overrides.clock ?? systemClock,
    log,
    newRequestId: () => 'req_test',
    fetch: overrides.fetch,
    ...(overrides.websocket ? { websocket: overrides.websocket } : {}),
    config: {
      host: '127.0.0.1',
      port: 0,
      baseUrl: null,
      tls: null,
      trustedProxies: [],
      adminSocket: socketPath,
      ...overrides.config,
    },
  });
  return {
    listener,
    socketPath,
    async [Symbol.asyncDispose]() {
      await listener.drain(0);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
