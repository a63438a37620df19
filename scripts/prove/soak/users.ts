import type { Team, TestUser } from '@hub/testkit';
import { pick, type Random } from '@hub/testkit';

const EMOJI = ['👍', '🎉', '👀'];
/** A request that takes longer than this has failed. */
const PATIENCE_MS = 10_000;

interface Seen {
  items: { id: string; kind: string; parentId?: string | null }[];
  next: string | null;
  seq: number;
}

/**
 * User actions in addition to the posts from programs: reading lists, searching, writing, replying, reacting,
 * completing to-dos, marking as read.
 */
export class Users {
  readonly rejected: string[] = [];
  readonly createdIds: string[] = [];
  done = 0;
  readonly #url: string;
  readonly #team: Team;
  readonly #random: Random;
  readonly #running = new Set<Promise<void>>();
  #timer: Timer | undefined;

  constructor({ url, team, random }: { url: string; team: Team; random: Random }) {
    this.#url = url;
    this.#team = team;
    this.#random = random;
  }

  start(actionsPerSecond: number): void {
    this.#timer = setInterval(() => {
      const running = this.#act().finally(() => this.#running.delete(running));
      this.#running.add(running);
    }, 1000 / actionsPerSecond);
  }

  /** Resolves once every request has received its response. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#running);
  }

  async #act(): Promise<void> {
    const user = pick(this.#random, this.#team.users);
    const hubId = pick(this.#random, this.#team.hubIds);
    const newest = await this.#send<Seen>(user, 'GET', `/hubs/${hubId}/messages?limit=50`);
    const message = newest?.items.find(({ parentId }) => parentId === null || parentId === undefined);
    if (!newest || !message) return;
    const emoji = encodeURIComponent(pick(this.#random, EMOJI));
    await pick<() => Promise<unknown>>(this.#random, [
      () => this.#send(user, 'GET', '/hubs?limit=100'),
      () => this.#send(user, 'GET', `/stream?limit=50&before=${newest.next ?? message.id}`),
      () => this.#send(user, 'GET', '/stream?unread=true'),
      () => this.#send(user, 'GET', '/mentions'),
      () => this.#send(user, 'GET', `/search?q=${pick(this.#random, ['canary', 'build night', 'sing', 'nothing'])}`),
      () => this.#send(user, 'PUT', `/messages/${message.id}/reactions/${emoji}`),
      () => this.#send(user, 'DELETE', `/messages/${message.id}/reactions/${emoji}`),
      () => this.#create(user, `/messages/${message.id}/replies`, { text: 'I have seen it, @Person 1' }),
      () => this.#create(user, `/hubs/${hubId}/messages`, { text: `Written by hand ${this.done}` }),
      () => this.#create(user, `/hubs/${hubId}/todos`, { title: `To do ${this.done}` }),
      () => this.#completeTodo(user, hubId),
      () => this.#send(user, 'PUT', `/hubs/${hubId}/read`, { seq: newest.seq }),
    ])();
  }

  async #completeTodo(user: TestUser, hubId: string): Promise<void> {
    const open = await this.#send<Seen>(user, 'GET', `/hubs/${hubId}/todos?status=open&limit=1`);
    const [todo] = open?.items ?? [];
    if (todo) await this.#send(user, 'PATCH', `/todos/${todo.id}`, { status: 'done' });
  }

  async #create(user: TestUser, path: string, body: object): Promise<void> {
    const created = await this.#send<{ id: string }>(user, 'POST', path, body);
    if (created) this.createdIds.push(created.id);
  }

  async #send<T>({ token }: TestUser, method: string, path: string, body?: object): Promise<T | undefined> {
    try {
      const response = await fetch(`${this.#url}/api/v1${path}`, {
        method,
        signal: AbortSignal.timeout(PATIENCE_MS),
        headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${response.status} ${text}`);
      this.done += 1;
      return JSON.parse(text) as T;
    } catch (error) {
      this.rejected.push(`${method} ${path}: ${String(error)}`.slice(0, 300));
      return undefined;
    }
  }
}
