import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Clock,
  type Listener,
  type ListenOptions,
  type Log,
  listen,
  systemClock,
} from '../../../../apps/api/src/for-tests.ts';
import { testFolder } from '../test-folder.ts';

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
  const clock: Clock = overrides.clock ?? systemClock;
  const listener = await listen<Data>({
    clock,
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

/** Two self-signed certificates for localhost, valid for a hundred years; their keys protect nothing. */
export type TestCertificate = 'first' | 'second';

export function pemOf(certificate: TestCertificate, part: 'cert' | 'key'): string {
  return join(import.meta.dir, 'tls', `${certificate}-${part}.pem`);
}
