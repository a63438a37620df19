import type { FollowEnd } from '@hub/client/live';
import type { EventFrame, Hub } from '@hub/contract';
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { byName } from '../../lib/names.ts';
import { withListed } from './read-state.ts';

export class HubList {
  readonly #all = signal<readonly Hub[]>([]);
  readonly all: ReadonlySignal<readonly Hub[]> = this.#all;
  /** Hubs whose unread counts are known only to the server. */
  readonly #doubtful = new Set<string>();

  /** The Hubs that the user is a member of, sorted by name. */
  readonly mine = computed(() =>
    this.#all.value.filter((hub) => hub.isMember && hub.deletedAt === null).toSorted(byName),
  );

  readonly names = hubNames(this.mine);

  /** Total across the Hubs that are not muted. */
  readonly unreadCount = computed(() =>
    this.mine.value.reduce((sum, hub) => sum + (hub.isMuted ? 0 : (hub.unreadCount ?? 0)), 0),
  );

  find(hubId: string): Hub | undefined {
    return this.#all.value.find(({ id }) => id === hubId);
  }

  /** Whether to reload because a Hub's unread counts are not known. */
  get isDoubtful(): boolean {
    return this.#doubtful.size > 0;
  }

  doubt(hubId: string): void {
    this.#doubtful.add(hubId);
  }

  /** Merges a list that was requested when `former` was the known state. That of `resetIds` is discarded. */
  take(loaded: readonly Hub[], { former, resetIds }: { former: readonly Hub[]; resetIds: ReadonlySet<string> }): void {
    const present = this.#all.peek();
    this.#all.value = loaded.map((hub) => {
      const [shownHub, formerHub] = [present, former].map((hubs) => hubs.find(({ id }) => id === hub.id));
      return shownHub && !resetIds.has(hub.id) ? withListed(shownHub, hub, formerHub) : hub;
    });
    const seqs = new Map(loaded.map(({ id, seq }) => [id, seq]));
    for (const id of this.#doubtful) if (this.find(id)?.seq === seqs.get(id)) this.#doubtful.delete(id);
  }

  change(hubId: string, change: Partial<Hub>): void {
    this.#all.value = this.#all.peek().map((hub) => (hub.id === hubId ? { ...hub, ...change } : hub));
  }

  /** Removes a Hub that the user is no longer a member of. */
  leave(hubId: string): void {
    this.#all.value = this.#all.peek().filter((hub) => hub.id !== hubId || !hub.isMember);
  }
}

/** Returns the names of Hubs by id. The map stays the same object until a name changes. */
function hubNames(hubs: ReadonlySignal<readonly Hub[]>): ReadonlySignal<ReadonlyMap<string, string>> {
  let last: ReadonlyMap<string, string> = new Map();
  return computed(() => {
    const names = new Map(hubs.value.map(({ id, name }) => [id, name]));
    const isSame = last.size === names.size && [...names].every(([id, name]) => last.get(id) === name);
    if (!isSame) last = names;
    return last;
  });
}

export interface LostHub {
  name: string;
  /** `gone`: deleted or left while there was no connection. */
  why: 'deleted' | 'left' | 'gone';
}

/** Returns why a Hub was lost when its subscription ended; undefined if it still exists. */
export function lostReason(code: FollowEnd['code']): LostHub['why'] | undefined {
  return WHY[code];
}

const WHY: Partial<Record<FollowEnd['code'], LostHub['why']>> = {
  hub_deleted: 'deleted',
  not_member: 'left',
  not_found: 'gone',
};

/** Counts the posts that arrived while there was no connection, until every Hub has caught up. */
export class CatchingUp {
  readonly #onDone: (posts: number) => void;
  #waitsFor = new Set<string>();
  #posts = 0;

  constructor(onDone: (posts: number) => void) {
    this.#onDone = onDone;
  }

  /** Starts counting: the connection is back, and these Hubs are catching up. */
  begin(hubIds: Iterable<string>): void {
    this.#posts = 0;
    this.#waitsFor = new Set(hubIds);
    if (this.#waitsFor.size === 0) this.#onDone(0);
  }

  take({ hubId, event }: EventFrame): void {
    if (this.#waitsFor.has(hubId) && /^(?:message|note|todo)\.created$/.test(event)) this.#posts += 1;
  }

  /** Marks a Hub as caught up, or as gone. */
  done(hubId: string): void {
    if (this.#waitsFor.delete(hubId) && this.#waitsFor.size === 0) this.#onDone(this.#posts);
  }

  stop(): void {
    this.#waitsFor.clear();
  }
}
