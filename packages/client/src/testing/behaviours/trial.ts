import type * as Client from '../../index.ts';
import type { timedClient } from '../timed-client.ts';

/** What a behaviour is tried with: a build of the client, and a real server whose clock it can move. */
export interface Trial {
  client: typeof Client;
  /** A client of the same sources that lives by a manual clock. */
  timedClient: typeof timedClient;
  url: string;
  /** A self-signed certificate for localhost and its key, in PEM. */
  tls: { cert: string; key: string };
  server: {
    /** Issues a key to a new Hub. */
    issueKey: (scopes?: string[]) => Promise<{ id: string; hubId: string; key: string }>;
    revokeKey: (id: string) => Promise<void>;
    deleteHub: (id: string) => Promise<void>;
    /** How many items the key has made. */
    postCount: (id: string) => Promise<number>;
    advance: (ms: number) => Promise<void>;
  };
}

/** Promises of the client by name. They use only what Node and Bun share, and each can be tried by itself. */
export type Behaviours = Record<string, (trial: Trial) => Promise<void>>;
