import type { Deps } from '../deps.ts';
import type { HubListing } from '../store/store.ts';

/** Which Hubs there are and who reads them, looked up once for all who are judged in the same pass, however many those are. */
export class CommittedRights {
  readonly #store: Deps['store'];
  readonly #hubs = new Map<string, HubListing | null>();
  readonly #readable = new Map<string, ReadonlySet<string>>();

  constructor({ store }: Pick<Deps, 'store'>) {
    this.#store = store;
  }

  /** The Hub, unless it was deleted. */
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
