import type { Hub, ReadMark, WireKind } from '@hub/contract';
import { path, request } from '../api/request.ts';
import { withCounted } from './read-state.ts';

/** Where posts pour in, not each is worth a request that says that it was read. */
const MARK_MS = 1_000;

interface ReadMarksOptions {
  find: (hubId: string) => Hub | undefined;
  change: (hubId: string, change: Partial<Hub>) => void;
}

/** How far each Hub was read here, before the server has said so. */
export class ReadMarks {
  readonly #options: ReadMarksOptions;
  /** By Hub and kind, or by Hub alone if all of it was read. */
  readonly #marks = new Map<string, number>();

  constructor(options: ReadMarksOptions) {
    this.#options = options;
  }

  /** The event up to which a Hub was read; 0 if the server knows all. */
  of(hubId: string, kind: WireKind): number {
    return Math.max(this.#marks.get(hubId) ?? 0, this.#marks.get(hubId + kind) ?? 0);
  }

  /** Tells the server, once a second at most, how far it is by then. */
  async mark(hubId: string, seq: number, kind?: WireKind): Promise<void> {
    const key = hubId + (kind ?? '');
    const isTelling = this.#marks.has(key);
    this.#marks.set(key, seq);
    if (!isTelling) await this.#tell(hubId, key, kind);
  }

  async #tell(hubId: string, key: string, kind: WireKind | undefined): Promise<void> {
    const { find, change } = this.#options;
    try {
      for (let seq = 0; seq < (this.#marks.get(key) ?? 0); ) {
        seq = this.#marks.get(key) ?? 0;
        const before = find(hubId)?.seq;
        const mark = await request<ReadMark>('PUT', path`/hubs/${hubId}/read`, { body: { seq, kind } });
        const now = find(hubId);
        // What has come meanwhile may be counted in the answer, or not. The server tells every page besides, with the event.
        if (now && now.seq === before) change(hubId, withCounted(now, mark));
        await new Promise((resolve) => setTimeout(resolve, MARK_MS));
        // It is gone meanwhile: there is nothing to be read.
        if (!find(hubId)) return;
      }
    } finally {
      this.#marks.delete(key);
    }
  }
}
