import type { Hub } from '@hub/contract';
import { MAX_UNREAD_COUNT } from '@hub/contract/common-limits';
import { computed, type ReadonlySignal } from '@preact/signals';
import { request } from '../request.ts';

/** Unread mentions of the signed-in user, and unread replies in their threads. */
export class UnreadMentions {
  readonly #request: typeof request;
  /** Mentions already reported as read, so that they are not reported again. */
  readonly #reported = new Set<string>();
  #last: ReadonlySet<string> = new Set();

  /** Across all Hubs, including muted ones. The set stays the same object until a mention arrives or is read. */
  readonly ids: ReadonlySignal<ReadonlySet<string>>;
  /** Total across the Hubs that are not muted. */
  readonly count: ReadonlySignal<number>;

  constructor(mine: ReadonlySignal<readonly Hub[]>, send = request) {
    this.#request = send;
    this.ids = computed(() => this.#idsIn(mine.value));
    this.count = computed(() =>
      mine.value.reduce((sum, hub) => sum + (hub.isMuted ? 0 : (hub.unreadMentionIds?.length ?? 0)), 0),
    );
  }

  has(id: string): boolean {
    return this.ids.value.has(id);
  }

  async markRead(ids: readonly string[]): Promise<void> {
    const itemIds = this.#notReported(ids).slice(0, MAX_UNREAD_COUNT);
    if (itemIds.length === 0) return;
    await this.#report(itemIds, () => this.#request('PUT /mentions/read', { body: { itemIds } }));
  }

  /** Marks a thread as read up to these items: its parent and the replies. */
  async markThreadRead(itemId: string, looked: readonly { id: string; seq: number }[]): Promise<void> {
    const ids = this.#notReported(looked.map(({ id }) => id));
    if (ids.length === 0) return;
    const seq = Math.max(...looked.map((item) => item.seq));
    await this.#report(ids, () => this.#request('PUT /items/{itemId}/replies/read', { itemId, body: { seq } }));
  }

  #notReported(ids: readonly string[]): string[] {
    return ids.filter((id) => this.ids.peek().has(id) && !this.#reported.has(id));
  }

  async #report(ids: readonly string[], send: () => Promise<unknown>): Promise<void> {
    for (const id of ids) this.#reported.add(id);
    try {
      await send();
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
