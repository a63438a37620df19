import type { Invitation, Item, User } from '@hub/contract';
import type { FuzzSetup } from './setup.ts';

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
    await admin.call('POST', `/hubs/${hub.id}/members`, { personId: memberId });
    const key = await admin.issueKey(hub.id, `round ${round}`, undefined, { lifetimeSeconds: 86_400 });
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
        name: 'One',
        role: 'member',
        password: 'a password of one',
      };
      this.#user = admin.call<User>('POST', '/people', one);
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
      personId: (await this.#user).id,
      invitationId: invitation.id,
      emoji: encodeURIComponent('👍'),
      before: messageId,
      after: messageId,
      q: 'release',
    };
  }
}
