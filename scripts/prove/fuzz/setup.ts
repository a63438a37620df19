import type { Hub, Invitation, IssuedKey, Item, User } from '@hub/contract';
import { type Admin, createUser, type ServerProcess, type Serving } from '@hub/testkit';

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
      this.#key = this.admin.issueKey({ hubId: this.hubId, name: `key ${this.count}`, lifetimeSeconds: DAY_SECONDS });
    }
    this.#left -= 1;
    return (await this.#key).key;
  }
}

export async function setUpFuzz(server: ServerProcess, { url, port }: Serving): Promise<FuzzSetup> {
  const { admin } = server;
  const posts = await admin.createHub('Posts');
  const member = await createUser({ admin, url }, { name: 'The member', hubIds: [posts.id] });
  const boss = await createUser({ admin, url }, { name: 'The admin', role: 'admin' });
  const { key } = await admin.issueKey({ hubId: posts.id, name: 'of nobody' });
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

/** The number of mutations after which most objects have been deleted, disabled or revoked. */
const LASTS = 400;
/** Accounts are slow to create, since their passwords must be hashed. */
const USER_LASTS = 4;

/** Objects that the paths and bodies of requests refer to, recreated from time to time. */
export class Props {
  readonly #setup: FuzzSetup;
  readonly #made = new Map<number, Promise<Record<string, string>>>();
  #user: Promise<User> | undefined;
  #accountWrites = 0;

  constructor(setup: FuzzSetup) {
    this.#setup = setup;
  }

  at(index: number): Promise<Readonly<Record<string, string>>> {
    const round = Math.floor(index / LASTS);
    const known = this.#made.get(round) ?? this.#make(round);
    this.#made.set(round, known);
    return known;
  }

  async #make(round: number): Promise<Record<string, string>> {
    const { admin, url, memberToken, memberId } = this.#setup;
    const hub = await admin.createHub(`Round ${round}`);
    await admin.call('POST', `/hubs/${hub.id}/members`, { userId: memberId });
    const key = await admin.issueKey({ hubId: hub.id, name: `round ${round}`, lifetimeSeconds: 86_400 });
    const write = async (path: string, body: object): Promise<string> => {
      const headers = { authorization: `Bearer ${memberToken}`, 'content-type': 'application/json' };
      const response = await fetch(`${url}/api/v1/hubs/${hub.id}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return ((await response.json()) as Item).id;
    };
    const messageId = await write('/messages', { text: 'release @The member' });
    if (round % USER_LASTS === 0 || !this.#user) {
      this.#accountWrites += 1;
      const one = {
        email: `one-${this.#accountWrites}@example.org`,
        name: `One ${this.#accountWrites}`,
        role: 'member',
        password: 'a password of one',
      };
      this.#user = admin.call<User>('POST', '/users', one);
    }
    const invitation = await admin.call<Invitation>('POST', '/invitations', {
      email: `to-${round}@example.org`,
      role: 'member',
    });
    return {
      hubId: hub.id,
      keyId: key.id,
      messageId,
      itemId: messageId,
      noteId: await write('/notes', { content: 'release' }),
      todoId: await write('/todos', { title: 'release' }),
      userId: (await this.#user).id,
      invitationId: invitation.id,
      emoji: encodeURIComponent('👍'),
      before: messageId,
      after: messageId,
      q: 'release',
    };
  }
}
