import type { Item, StreamPage } from '@hub/contract';
import { slim } from '@hub/testkit';
import type { Loaded } from './hub-view.ts';

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
