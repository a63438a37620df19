import type { Hub, ReadMark, WireKind } from '@hub/contract';
import { ApiError, path, request } from '../api/request.ts';
import { withCounted } from './read-state.ts';

/** Where posts pour in, not each is worth a request that says that it was read. */
const MARK_MS = 1_000;
/** After so long it is told again what could not be told although there is a connection. */
const AGAIN_MS = 10_000;

interface ReadMarksOptions {
  find: (hubId: string) => Hub | undefined;
  change: (hubId: string, change: Partial<Hub>) => void;
  /** Whether there is a connection. */
  isLive: () => boolean;
}

/** How far each Hub was read here, before the server has said so. */
export class ReadMarks {
  readonly #options: ReadMarksOptions;
  /** By Hub and kind, or by Hub alone if all of it was read. */
  readonly #marks = new Map<string, number>();
  /** Those that wait for the server. */
  readonly #waiting = new Set<() => void>();

  constructor(options: ReadMarksOptions) {
    this.#options = options;
  }

  /** The event up to which a Hub was read; 0 if the server knows all. */
  of(hubId: string, kind: WireKind): number {
    return Math.max(this.#marks.get(hubId) ?? 0, this.#marks.get(hubId + kind) ?? 0);
  }

  /**
   * Tells the server, once a second at most, how far it is by then; as soon as it is back, if it is away.
   * @throws ApiError if it refuses.
   */
  async mark(hubId: string, seq: number, kind?: WireKind): Promise<void> {
    const key = hubId + (kind ?? '');
    const isTelling = this.#marks.has(key);
    this.#marks.set(key, seq);
    if (!isTelling) await this.#report(hubId, key, kind);
  }

  /** The server is back. */
  goOn(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  async #report(hubId: string, key: string, kind: WireKind | undefined): Promise<void> {
    const { find, change } = this.#options;
    try {
      for (let notified = 0; notified < (this.#marks.get(key) ?? 0); ) {
        const seq = this.#marks.get(key) ?? 0;
        const before = find(hubId)?.seq;
        const mark = await request<ReadMark>('PUT', path`/hubs/${hubId}/read`, { body: { seq, kind } }).catch(
          laterOrNever,
        );
        if (mark) {
          notified = seq;
          const now = find(hubId);
          // What has come meanwhile may be counted in the answer, or not. The server tells every page besides, with the event.
          if (now && now.seq === before) change(hubId, withCounted(now, mark));
          await new Promise((resolve) => setTimeout(resolve, MARK_MS));
        } else await this.#untilBack();
        // It is gone meanwhile: there is nothing to be read.
        if (!find(hubId)) return;
      }
    } finally {
      this.#marks.delete(key);
    }
  }

  async #untilBack(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const timer = this.#options.isLive() ? setTimeout(resolve, AGAIN_MS) : undefined;
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(resolve);
  }
}

/** `null`: it is worth another try, with the session that there may be then. */
function laterOrNever(error: unknown): null {
  if (
    error instanceof ApiError &&
    error.statusCode >= 400 &&
    error.statusCode < 500 &&
    ![401, 408, 429].includes(error.statusCode)
  )
    throw error;
  return null;
}
