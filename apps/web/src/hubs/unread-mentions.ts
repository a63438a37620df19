import type { Hub } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { computed, type ReadonlySignal } from '@preact/signals';
import { path, request } from '../api/request.ts';

/** Tells the server what was read. */
type Report = (to: string, body: object) => Promise<unknown>;

/** What names whoever is signed in, and replies in his threads, as far as he has not read it. */
export class UnreadMentions {
  readonly #mine: ReadonlySignal<readonly Hub[]>;
  readonly #report: Report;
  /** What the server was told of. It says itself what is left then. */
  readonly #notified = new Set<string>();
  #last: ReadonlySet<string> = new Set();

  /** In all Hubs. It stays the same while nothing comes and nothing is read. */
  readonly ids: ReadonlySignal<ReadonlySet<string>>;
  /** Of the Hubs that are not muted. */
  readonly count: ReadonlySignal<number>;

  constructor(
    mine: ReadonlySignal<readonly Hub[]>,
    report: Report = (to, body) => request<unknown>('PUT', to, { body }),
  ) {
    this.#mine = mine;
    this.#report = report;
    this.ids = computed(() => this.#idsIn(mine.value));
    this.count = computed(() =>
      mine.value.reduce((sum, hub) => sum + (hub.isMuted ? 0 : (hub.unreadMentionIds?.length ?? 0)), 0),
    );
  }

  has(id: string): boolean {
    return this.ids.value.has(id);
  }

  /** These have been looked at; those among them that are unread are told. */
  async markRead(ids: readonly string[]): Promise<void> {
    const itemIds = this.#untold(ids).slice(0, LIMITS.unreadCount);
    if (itemIds.length > 0) await this.#tellOf(itemIds, '/mentions/read', { itemIds });
  }

  async markAllRead(): Promise<void> {
    const newest = this.#mine.peek().flatMap(({ unreadMentionIds }) => unreadMentionIds?.[0] ?? []);
    await Promise.all(newest.map((upTo) => this.#report('/mentions/read', { upTo })));
  }

  /** The thread of a message has been looked at, as far as these go: the message itself, and replies to it. */
  async markThreadRead(messageId: string, looked: readonly { id: string; seq: number }[]): Promise<void> {
    const ids = this.#untold(looked.map(({ id }) => id));
    if (ids.length === 0) return;
    const seq = Math.max(...looked.map((item) => item.seq));
    await this.#tellOf(ids, path`/messages/${messageId}/replies/read`, { seq });
  }

  #untold(ids: readonly string[]): string[] {
    return ids.filter((id) => this.ids.peek().has(id) && !this.#notified.has(id));
  }

  async #tellOf(ids: readonly string[], to: string, body: object): Promise<void> {
    for (const id of ids) this.#notified.add(id);
    try {
      await this.#report(to, body);
    } catch (error) {
      for (const id of ids) this.#notified.delete(id);
      throw error;
    }
  }

  #idsIn(hubs: readonly Hub[]): ReadonlySet<string> {
    const ids = new Set(hubs.flatMap(({ unreadMentionIds }) => unreadMentionIds ?? []));
    if (ids.size === this.#last.size && ids.isSubsetOf(this.#last)) return this.#last;
    // An edit can name one again.
    for (const id of this.#notified) if (!ids.has(id)) this.#notified.delete(id);
    this.#last = ids;
    return ids;
  }
}
