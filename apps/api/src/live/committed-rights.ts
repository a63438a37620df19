import type { Deps } from '../context/deps.ts';
import type { HubListing } from '../storage/hub-store.ts';

/** Hubs and their members, looked up only once for all connections that are checked in the same pass. */
export class CommittedRights {
  readonly #store: Deps['store'];
  readonly #hubs = new Map<string, HubListing | null>();
  readonly #readable = new Map<string, ReadonlySet<string>>();

  constructor({ store }: Pick<Deps, 'store'>) {
    this.#store = store;
  }

  /** Returns the Hub, or null if it was deleted. */
  async hub(hubId: string): Promise<HubListing | null> {
    const known = this.#hubs.get(hubId);
    if (known !== undefined) return known;
    const found = await this.#store.hubs.find(hubId);
    const hub = found?.deletedAt === null ? found : null;
    this.#hubs.set(hubId, hub);
    return hub;
  }

  async isMember(personId: string, hubId: string): Promise<boolean> {
    let readable = this.#readable.get(personId);
    if (!readable) {
      readable = new Set(await this.#store.memberships.listHubIds(personId));
      this.#readable.set(personId, readable);
    }
    return readable.has(hubId);
  }
}
