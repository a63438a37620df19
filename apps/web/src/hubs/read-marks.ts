import type { Hub, ReadMark } from '@hub/contract';
import { path, request } from '../api/request.ts';

/** Where posts pour in, not each is worth a request that says that it was read. */
const MARK_MS = 1_000;

interface ReadMarksOptions {
  find: (hubId: string) => Hub | undefined;
  change: (hubId: string, change: Pick<Hub, 'readSeq' | 'unreadCount'>) => void;
}

/** How far each Hub was read here, before the server has said so. */
export class ReadMarks {
  readonly #options: ReadMarksOptions;
  readonly #marks = new Map<string, number>();

  constructor(options: ReadMarksOptions) {
    this.#options = options;
  }

  /** The event up to which a Hub was read; 0 if the server knows all. */
  of(hubId: string): number {
    return this.#marks.get(hubId) ?? 0;
  }

  has(hubId: string): boolean {
    return this.#marks.has(hubId);
  }

  /** Tells the server, once a second at most, how far it is by then. */
  async mark(hubId: string, seq: number): Promise<void> {
    const isTelling = this.#marks.has(hubId);
    this.#marks.set(hubId, seq);
    if (!isTelling) await this.#tell(hubId);
  }

  async #tell(hubId: string): Promise<void> {
    const { find, change } = this.#options;
    try {
      for (let told = 0; told < this.of(hubId); ) {
        told = this.of(hubId);
        const before = find(hubId)?.seq;
        const mark = await request<ReadMark>('PUT', path`/hubs/${hubId}/read`, { body: { seq: told } });
        const now = find(hubId);
        // What has come since is perhaps not counted in this answer; it is counted here.
        if (now && (now.readSeq ?? 0) <= mark.readSeq) {
          const unreadCount = now.seq === before ? mark.unreadCount : now.unreadCount;
          change(hubId, { readSeq: mark.readSeq, unreadCount });
        }
        await new Promise((resolve) => setTimeout(resolve, MARK_MS));
        // It is gone meanwhile: there is nothing to be read.
        if (!find(hubId)) return;
      }
    } finally {
      this.#marks.delete(hubId);
    }
  }
}
