import type { Hub } from '@hub/contract';
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Hubs } from '../../data/hubs/hubs.ts';
import { hasAttention } from '../../lib/attention.ts';

/**
 * The event after which the "New" divider is shown. Set when the Hub is opened or reloaded, and when messages are marked
 * as unread. It stays while the user reads. If something arrives while they are away, it moves to where they stopped.
 */
export class UnreadDivider {
  readonly #after = signal<number | null>(null);
  readonly after: ReadonlySignal<number | null> = this.#after;
  readonly #hubs: Hubs;
  readonly #hubId: string;
  #mayMove = true;

  constructor(hubs: Hubs, hub: Hub) {
    this.#hubs = hubs;
    this.#hubId = hub.id;
    this.#begin(hub);
  }

  /** `isReading`: whether the user sees arriving messages. Returns a function that stops watching. */
  watch(isReading: () => boolean): () => void {
    const stopAttention = effect(() => {
      if (!hasAttention.value) this.#mayMove = true;
    });
    const stopEvents = this.#hubs.onEvent((event) => {
      if (event.hubId !== this.#hubId || event.event !== 'message.created' || !('author' in event.data)) return;
      if (!this.#hubs.isUnread(event.data) || isReading() || !this.#mayMove) return;
      this.#after.value = this.#hubs.find(this.#hubId)?.readSeqs?.message ?? null;
      this.#mayMove = false;
    });
    const stopResets = this.#hubs.onReset((hubId) => {
      const hub = this.#hubs.find(hubId);
      if (hubId === this.#hubId && hub) this.#begin(hub);
    });
    let version = this.#hubs.find(this.#hubId)?.readVersion;
    const stopBack = effect(() => {
      const hub = this.#hubs.find(this.#hubId);
      if (!hub || hub.readVersion === version) return;
      // The user has marked messages as unread, in any tab.
      version = hub.readVersion;
      this.#begin(hub);
    });
    return () => {
      stopBack();
      stopAttention();
      stopEvents();
      stopResets();
    };
  }

  #begin({ unreadCounts, readSeqs }: Hub): void {
    const hasUnread = unreadCounts !== null && unreadCounts.message > 0;
    this.#after.value = hasUnread ? (readSeqs?.message ?? null) : null;
    this.#mayMove = !hasUnread;
  }
}
