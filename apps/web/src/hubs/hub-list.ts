import type { Hub } from '@hub/contract';
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { hubNames } from './hub-names.ts';

/** Every Hub that the server tells of, as far as that is known. */
export class HubList {
  readonly #all = signal<readonly Hub[]>([]);

  /** Those that one belongs to, by name. */
  readonly mine = computed(() =>
    this.#all.value
      .filter((hub) => hub.isMember && hub.deletedAt === null)
      .toSorted((one, other) => one.name.localeCompare(other.name)),
  );

  readonly names = hubNames(this.mine);

  /** Of the Hubs that are not muted. */
  readonly unreadCount = computed(() =>
    this.mine.value.reduce((sum, hub) => sum + (hub.isMuted ? 0 : (hub.unreadCount ?? 0)), 0),
  );

  get all(): ReadonlySignal<readonly Hub[]> {
    return this.#all;
  }

  find(hubId: string): Hub | undefined {
    return this.#all.value.find(({ id }) => id === hubId);
  }

  replace(hubs: readonly Hub[]): void {
    this.#all.value = hubs;
  }

  change(hubId: string, change: Partial<Hub>): void {
    this.#all.value = this.#all.peek().map((hub) => (hub.id === hubId ? { ...hub, ...change } : hub));
  }

  /** One belongs to it no longer. */
  leave(hubId: string): void {
    this.#all.value = this.#all.peek().filter((hub) => hub.id !== hubId || !hub.isMember);
  }
}
