import type { Item, StreamPage, WireKind } from '@hub/contract';
import { type HubServer, slim } from '@hub/testkit';
import type { Loaded } from './hub-view.ts';

/** The number of newest items in a Hub that users work on at the same time. */
const AT_HAND = 12;

/** The fields of an item that users need to work on it. */
export interface ItemAtHand {
  id: string;
  hubId: string;
  kind: WireKind;
  version: number;
  /** Absent: a program. */
  author?: { id: string };
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

const AGAIN_MS = 300;

interface Page {
  items: Item[];
  next: string | null;
  seq: number;
  epoch: string;
}

/** The state after a fresh load: the lists of the workspace API, read page by page. */
export class Lists {
  readonly #url: () => string;
  readonly #token: string;

  constructor(url: () => string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Reads the whole Hub from the stream. Retries while there is no server. */
  async loadHub(hubId: string): Promise<Loaded> {
    for (;;) {
      try {
        return await this.stream(hubId);
      } catch (error) {
        if (error instanceof RejectedError) throw error;
        await Bun.sleep(AGAIN_MS);
      }
    }
  }

  async stream(hubId: string): Promise<Loaded> {
    return this.#pages(`/stream?hubId=${hubId}`, (page: StreamPage) => ({ ...page, seq: page.seqs[hubId] ?? 0 }));
  }

  /** Reads the same items from the lists of the conversation, its threads, the notes and the to-dos. */
  async rooms(hubId: string): Promise<Loaded> {
    const same = (page: Page): Page => page;
    const rooms = await Promise.all(
      ['messages', 'notes', 'todos'].map((room) => this.#pages(`/hubs/${hubId}/${room}?`, same)),
    );
    for (const item of rooms[0]?.items ?? []) {
      if (item.kind === 'message' && item.replyCount > 0)
        rooms.push(await this.#pages(`/messages/${item.id}/replies?`, same));
    }
    return together(rooms);
  }

  async #pages<P extends { next: string | null }>(path: string, read: (page: P) => Page): Promise<Loaded> {
    const pages: Loaded[] = [];
    for (let before: string | null = ''; before !== null; ) {
      const cursor: string = before && `&before=${before}`;
      const page = await this.#get<P>(`${path}&limit=100${cursor}`);
      pages.push({ ...read(page), items: read(page).items.map(slim) });
      before = page.next;
    }
    return together(pages);
  }

  async #get<T>(path: string): Promise<T> {
    const response = await fetch(`${this.#url()}/api/v1${path}`, {
      headers: { authorization: `Bearer ${this.#token}` },
    });
    if (response.ok) return (await response.json()) as T;
    const message = `${path}: ${response.status} ${await response.text()}`;
    throw response.status === 503 ? new Error(message) : new RejectedError(message);
  }
}

/** An error that would be the same on another attempt. */
class RejectedError extends Error {}

/** Together, the lists are only as up to date as the oldest of them. */
function together(parts: readonly Loaded[]): Loaded {
  return {
    items: parts.flatMap(({ items }) => items),
    seq: Math.min(...parts.map(({ seq }) => seq)),
    epoch: parts[0]?.epoch ?? '',
  };
}
