import type { Invitation, Item, Person } from '../../../packages/contract/src/index.ts';
import type { FuzzStage } from './stage.ts';

/** After so many mutations most of what is there has been deleted, disabled or revoked. */
const LASTS = 400;
/** Accounts take long to make, for their passwords. */
const PERSON_LASTS = 4;

/** What the paths and bodies of requests name, made anew now and then. */
export class Props {
  readonly #stage: FuzzStage;
  readonly #made = new Map<number, Promise<Record<string, string>>>();
  #person: Promise<Person> | undefined;
  #persons = 0;

  constructor(stage: FuzzStage) {
    this.#stage = stage;
  }

  at(index: number): Promise<Readonly<Record<string, string>>> {
    const round = Math.floor(index / LASTS);
    const known = this.#made.get(round) ?? this.#make(round);
    this.#made.set(round, known);
    return known;
  }

  async #make(round: number): Promise<Record<string, string>> {
    const { admin, url, memberToken, memberId } = this.#stage;
    const hub = await admin.createHub(`Round ${round}`);
    await admin.call('POST', `/hubs/${hub.id}/members`, { personId: memberId });
    const key = await admin.issueKey(hub.id, `round ${round}`, undefined, { lifetimeSeconds: 86_400 });
    const write = async (path: string, body: object): Promise<string> => {
      const headers = { authorization: `Bearer ${memberToken}`, 'content-type': 'application/json' };
      const answer = await fetch(`${url}/api/v1/hubs/${hub.id}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return ((await answer.json()) as Item).id;
    };
    const messageId = await write('/messages', { text: 'release @The member' });
    if (round % PERSON_LASTS === 0 || !this.#person) {
      this.#persons += 1;
      const one = {
        email: `one-${this.#persons}@example.org`,
        name: 'One',
        role: 'member',
        password: 'a password of one',
      };
      this.#person = admin.call<Person>('POST', '/people', one);
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
      personId: (await this.#person).id,
      invitationId: invitation.id,
      emoji: encodeURIComponent('👍'),
      before: messageId,
      after: messageId,
      q: 'release',
    };
  }
}
