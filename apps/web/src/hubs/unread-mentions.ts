import type { Hub } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { computed, type ReadonlySignal } from '@preact/signals';
import { path, request } from '../api/request.ts';

/** Tells the server which mentions were read. */
type Report = (to: string, body: object) => Promise<unknown>;

/** Unread mentions of the signed-in user, and unread replies in their threads. */
export class UnreadMentions {
  readonly #mine: ReadonlySignal<readonly Hub[]>;
  readonly #report: Report;
  /** Mentions already reported as read, so that they are not reported again. */
  readonly #reported = new Set<string>();
  #last: ReadonlySet<string> = new Set();

  /** Across all Hubs, including muted ones. The set stays the same object until a mention arrives or is read. */
  readonly ids: ReadonlySignal<ReadonlySet<string>>;
  /** Total across the Hubs that are not muted. */
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

  /** Reports as read those of these items that are unread mentions. */
  async markRead(ids: readonly string[]): Promise<void> {
    const itemIds = this.#notReported(ids).slice(0, LIMITS.unreadCount);
    if (itemIds.length > 0) await this.#reportIds(itemIds, '/mentions/read', { itemIds });
  }

  async markAllRead(): Promise<void> {
    const newest = this.#mine.peek().flatMap(({ unreadMentionIds }) => unreadMentionIds?.[0] ?? []);
    await Promise.all(newest.map((upTo) => this.#report('/mentions/read', { upTo })));
  }

  /** Marks a thread as read up to these items: the message and its replies. */
  async markThreadRead(messageId: string, looked: readonly { id: string; seq: number }[]): Promise<void> {
    const ids = this.#notReported(looked.map(({ id }) => id));
    if (ids.length === 0) return;
    const seq = Math.max(...looked.map((item) => item.seq));
    await this.#reportIds(ids, path`/messages/${messageId}/replies/read`, { seq });
  }

  #notReported(ids: readonly string[]): string[] {
    return ids.filter((id) => this.ids.peek().has(id) && !this.#reported.has(id));
  }

  async #reportIds(ids: readonly string[], to: string, body: object): Promise<void> {
    for (const id of ids) this.#reported.add(id);
    try {
      await this.#report(to, body);
    } catch (error) {
      for (const id of ids) this.#reported.delete(id);
      throw error;
    }
  }

  #idsIn(hubs: readonly Hub[]): ReadonlySet<string> {
    const ids = new Set(hubs.flatMap(({ unreadMentionIds }) => unreadMentionIds ?? []));
    if (ids.size === this.#last.size && ids.isSubsetOf(this.#last)) return this.#last;
    // An edit can add the same mention again.
    for (const id of this.#reported) if (!ids.has(id)) this.#reported.delete(id);
    this.#last = ids;
    return ids;
  }
}
