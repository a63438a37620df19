import type { WireKind } from '@hub/contract';
import type { HubServer } from '@hub/testkit';

/** The number of newest items in a Hub that users work on at the same time. */
const AT_HAND = 12;

/** The fields of an item that users need to work on it. */
export interface ItemAtHand {
  id: string;
  hubId: string;
  kind: WireKind;
  version: number;
  parentId?: string | null;
}

/** Sends requests to the server and records its responses. */
export class Ledger {
  /** Maps the ID of every item acknowledged with 201 to its Hub. */
  readonly acknowledged = new Map<string, string>();
  /** The number of interrupted requests, whose outcome is unknown. */
  unanswered = 0;
  /** The number of 404 and 409 responses, which mean that another user was faster. */
  outrun = 0;
  done = 0;
  readonly rejected: string[] = [];
  readonly #run: HubServer;
  readonly #atHand = new Map<string, ItemAtHand[]>();

  constructor(run: HubServer) {
    this.#run = run;
  }

  /** Sends a request. Returns the response if it was successful. */
  async send<T>(method: string, path: string, token: string, body?: object): Promise<T | undefined> {
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${this.#run.url}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      text = await response.text();
    } catch {
      this.unanswered += 1;
      if (!this.#run.isRestarting) this.rejected.push(`${method} ${path} broke off, and no server was ended`);
      return undefined;
    }
    if (response.ok) {
      this.done += 1;
      return JSON.parse(text) as T;
    }
    if (response.status === 404 || response.status === 409) this.outrun += 1;
    else if (response.status === 503 && this.#run.isRestarting) this.unanswered += 1;
    else this.rejected.push(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
    return undefined;
  }

  /** Adds a new item, which users work on from now on. */
  acknowledge(item: ItemAtHand): void {
    this.acknowledged.set(item.id, item.hubId);
    const items = this.atHand(item.hubId);
    items.push(item);
    if (items.length > AT_HAND) items.shift();
  }

  atHand(hubId: string): ItemAtHand[] {
    const known = this.#atHand.get(hubId);
    if (known) return known;
    const items: ItemAtHand[] = [];
    this.#atHand.set(hubId, items);
    return items;
  }
}
