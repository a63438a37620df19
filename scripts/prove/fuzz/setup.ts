import type { Hub, IssuedKey } from '@hub/contract';
import type { ServerProcess, Serving } from '@hub/testkit';
import { type Admin, adminOver, createUser } from '@hub/testkit';

/** A caller, with the credentials that its requests carry. */
export interface FuzzActor {
  readonly name: string;
  readonly isLocal: boolean;
  headers: readonly (readonly [string, string])[];
  /** Signs in again if a request has ended the session. */
  readonly renew?: () => Promise<void>;
}

export interface FuzzSetup {
  readonly server: ServerProcess;
  readonly url: string;
  readonly port: number;
  readonly admin: Admin;
  /** The Hub that the keys post to. */
  readonly posts: Hub;
  readonly actors: readonly FuzzActor[];
  readonly memberToken: string;
  readonly memberId: string;
}

const DAY_SECONDS = 86_400;
/** A key can be used 60 times per minute. */
const USES = 55;

/** Issues new keys before the current one reaches its limit. */
export class KeyPool {
  #left = 0;
  #key: Promise<IssuedKey> | undefined;
  count = 0;

  constructor(
    readonly admin: Admin,
    readonly hubId: string,
  ) {}

  async take(): Promise<string> {
    if (this.#left === 0 || !this.#key) {
      this.#left = USES;
      this.count += 1;
      // By now, the workspace may limit the lifetime of keys.
      this.#key = this.admin.issueKey(this.hubId, `key ${this.count}`, undefined, { lifetimeSeconds: DAY_SECONDS });
    }
    this.#left -= 1;
    return (await this.#key).key;
  }
}

export async function setUpFuzz(server: ServerProcess, { url, port }: Serving): Promise<FuzzSetup> {
  const admin = adminOver(server.adminSocket);
  const posts = await admin.createHub('Posts');
  const member = await createUser({ admin, url }, { name: 'The member', hubIds: [posts.id] });
  const boss = await createUser({ admin, url }, { name: 'The admin', role: 'admin' });
  const { key } = await admin.issueKey(posts.id, 'of nobody');
  const session: FuzzActor = {
    name: 'a session',
    isLocal: false,
    headers: [],
    renew: async () => {
      session.headers = [
        ['cookie', await member.signIn()],
        ['origin', url],
      ];
    },
  };
  await session.renew?.();
  const bearer = (name: string, token: string): FuzzActor => ({
    name,
    isLocal: false,
    headers: [['authorization', `Bearer ${token}`]],
  });
  const actors = [
    bearer('a member', member.token),
    bearer('an admin', boss.token),
    bearer('an admin', boss.token),
    session,
    { name: 'the local admin', isLocal: true, headers: [] },
    bearer('a key', key),
    { name: 'nobody', isLocal: false, headers: [] },
  ];
  return { server, url, port, admin, posts, actors, memberToken: member.token, memberId: member.id };
}
