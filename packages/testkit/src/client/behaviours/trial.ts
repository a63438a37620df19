import type * as Client from '../../../../client/src/index.ts';
import type { timedClient } from '../timed-client.ts';

/** The environment of a behavior test: a build of the client, and a real server with a manual clock. */
export interface Trial {
  client: typeof Client;
  /** Returns a client that is built from the same sources and has a manual clock. */
  timedClient: typeof timedClient;
  url: string;
  /** A self-signed certificate for localhost and its key, in PEM. */
  tls: { cert: string; key: string };
  server: {
    /** Issues a key for a new Hub. */
    issueKey: (scopes?: string[]) => Promise<{ id: string; hubId: string; key: string }>;
    revokeKey: (id: string) => Promise<void>;
    deleteHub: (id: string) => Promise<void>;
    /** Returns the number of items that the key has created. */
    postCount: (id: string) => Promise<number>;
    advance: (ms: number) => Promise<void>;
  };
}

/** Tests of the client by title. They use only APIs of both Node and Bun, and are independent of each other. */
export type Behaviours = Record<string, (trial: Trial) => Promise<void>>;
