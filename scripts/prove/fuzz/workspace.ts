import type { Invitation, Item, User } from '@hub/contract';
import { type Admin, createUser, pick, type Random, type ServerProcess, type Serving } from '@hub/testkit';
import { addressOf, type Operation, type Outcomes, problemOfForm, type Wire } from './http.ts';
import {
  type FuzzedRequest,
  type JsonLike,
  mutateBytes,
  mutateJson,
  mutateRequest,
  RawJson,
  textOf,
} from './mutations.ts';

/** Operations that are slow by design: they hash a password or copy the database. */
const COSTLY = /^(POST .*\/(session|users|redemption|backups)|PUT .*\/password)$/;
const COSTLY_SHARE = 0.03;
/** The number of mutations after which most objects have been deleted, disabled or revoked. */
const LASTS = 400;

/** A caller, with the credentials that its requests carry. */
interface Actor {
  readonly name: string;
  readonly isLocal?: true;
  headers: FuzzedRequest['headers'];
  /** Signs in again if a request has ended the session. */
  readonly renew?: () => Promise<void>;
}

/** Callers of every kind, and the objects that their requests refer to, which are created again from time to time. */
export class FuzzedWorkspace {
  /** Keys post to this Hub, which no other request refers to. */
  readonly hubId: string;
  readonly memberToken: string;
  readonly #admin: Admin;
  readonly #url: string;
  readonly #memberId: string;
  readonly #actors: readonly Actor[];
  readonly #ids = new Map<number, Promise<Readonly<Record<string, string>>>>();

  private constructor(
    { admin, url }: { admin: Admin; url: string },
    team: { hubId: string; memberId: string; memberToken: string; actors: readonly Actor[] },
  ) {
    this.#admin = admin;
    this.#url = url;
    this.hubId = team.hubId;
    this.memberToken = team.memberToken;
    this.#memberId = team.memberId;
    this.#actors = team.actors;
  }

  static async create({ admin }: ServerProcess, { url }: Serving): Promise<FuzzedWorkspace> {
    const { id: hubId } = await admin.createHub('Posts');
    const member = await createUser({ admin, url }, { name: 'The member', hubIds: [hubId] });
    const { token } = await createUser({ admin, url }, { name: 'The admin', role: 'admin' });
    const { key } = await admin.issueKey({ hubId, name: 'of nobody' });
    const session: Actor = {
      name: 'a session',
      headers: [
        ['cookie', member.cookie],
        ['origin', url],
      ],
      renew: async () => {
        session.headers = [
          ['cookie', await member.signIn()],
          ['origin', url],
        ];
      },
    };
    const bearer = (name: string, value: string): Actor => ({ name, headers: [['authorization', `Bearer ${value}`]] });
    const actors: Actor[] = [
      ...[bearer('a member', member.token), bearer('an admin', token), bearer('an admin', token), session],
      ...[{ name: 'the local admin', isLocal: true as const, headers: [] }, bearer('a key', key)],
      { name: 'nobody', headers: [] },
    ];
    return new FuzzedWorkspace({ admin, url }, { hubId, memberId: member.id, memberToken: member.token, actors });
  }

  /** Sends a mutated request to any operation of the workspace API, from any caller. */
  async fuzz(
    random: Random,
    index: number,
    fuzz: { operations: readonly Operation[]; outcomes: Outcomes; wires: { open: Wire; local: Wire } },
  ): Promise<void> {
    const operation = pickOperation(random, fuzz.operations);
    const actor = pick(random, this.#actors);
    const good = goodRequest(random, { operation, actor, ids: await this.#idsAt(index) });
    const request = random() < 0.5 ? mutateRequest(random, good) : good;
    const response = await (actor.isLocal ? fuzz.wires.local : fuzz.wires.open).send(request);
    fuzz.outcomes.count(response?.status ?? 0);
    const problem = problemOfForm(request, response);
    if (problem) fuzz.outcomes.problem(index, `${actor.name}: ${problem}`, request);
    // An earlier, valid request has ended the session.
    if (response?.status === 401 && request === good) await actor.renew?.();
  }

  #idsAt(index: number): Promise<Readonly<Record<string, string>>> {
    const round = Math.floor(index / LASTS);
    const ids = this.#ids.get(round) ?? this.#createObjects(round);
    this.#ids.set(round, ids);
    return ids;
  }

  async #createObjects(round: number): Promise<Record<string, string>> {
    const admin = this.#admin;
    const { id: hubId } = await admin.createHub(`Round ${round}`);
    await admin.call('POST', `/hubs/${hubId}/members`, { userId: this.#memberId });
    // By now, the workspace may limit the lifetime of keys.
    const { id: keyId } = await admin.issueKey({ hubId, name: `round ${round}`, lifetimeSeconds: 86_400 });
    const write = async (path: string, body: object): Promise<string> => {
      const headers = { authorization: `Bearer ${this.memberToken}`, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      return ((await (await fetch(`${this.#url}/api/v1/hubs/${hubId}${path}`, init)).json()) as Item).id;
    };
    const messageId = await write('/messages', { text: 'release @The member' });
    const account = { email: `one-${round}@example.org`, name: `One ${round}`, password: 'a password of one' };
    const { id: userId } = await admin.call<User>('POST', '/users', { ...account, role: 'member' });
    const invited = { email: `to-${round}@example.org`, role: 'member' };
    const { id: invitationId } = await admin.call<Invitation>('POST', '/invitations', invited);
    const noteId = await write('/notes', { content: 'release' });
    const todoId = await write('/todos', { title: 'release' });
    const cursors = { before: messageId, after: messageId, q: 'release', emoji: encodeURIComponent('👍') };
    return { hubId, keyId, messageId, itemId: messageId, noteId, todoId, userId, invitationId, ...cursors };
  }
}

function pickOperation(random: Random, operations: readonly Operation[]): Operation {
  for (;;) {
    const operation = pick(random, operations);
    if (!COSTLY.test(`${operation.method} ${operation.path}`) || random() < COSTLY_SHARE) return operation;
  }
}

interface GoodRequest {
  readonly operation: Operation;
  readonly actor: Actor;
  readonly ids: Readonly<Record<string, string>>;
}

function goodRequest(random: Random, { operation, actor, ids }: GoodRequest): FuzzedRequest {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'none');
  const words = ['me', 'none', 'true', 'open', '2', 'release', ''];
  const queries = operation.queries.filter(() => random() < 0.3);
  const query = queries.map((name) => {
    return `${name}=${encodeURIComponent(random() < 0.5 ? (ids[name] ?? '10') : pick(random, words))}`;
  });
  const body = bodyOf(random, operation, ids);
  const headers: FuzzedRequest['headers'] = [
    ...actor.headers,
    ...(body === null ? [] : [['content-type', 'application/json'] as const]),
    ['x-forwarded-for', addressOf(random)],
  ];
  return { method: operation.method, path: query.length === 0 ? path : `${path}?${query.join('&')}`, headers, body };
}

function bodyOf(random: Random, { bodies }: Operation, ids: Readonly<Record<string, string>>): Buffer | null {
  if (bodies.length === 0) return random() < 0.1 ? Buffer.from('{"x":1}') : null;
  const example = withIds(pick(random, bodies), ids);
  const choice = random();
  if (choice < 0.6) return Buffer.from(textOf(mutateJson(random, example)));
  return choice < 0.8 ? mutateBytes(random, textOf(example)) : Buffer.from(textOf(example));
}

/** Replaces ids from the examples, which do not exist, with existing ones. */
function withIds(value: JsonLike, ids: Readonly<Record<string, string>>): JsonLike {
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return value;
  if (Array.isArray(value)) return value.map((each) => withIds(each, ids));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const id = ids[name] ?? (name === 'assigneeId' ? ids.userId : undefined);
      if (id !== undefined && typeof inner === 'string') return [name, id];
      return name === 'hubIds' ? [name, [ids.hubId ?? '']] : [name, withIds(inner, ids)];
    }),
  );
}
