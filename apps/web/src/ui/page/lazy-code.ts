import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Hubs } from '../../data/hubs/hubs.ts';
import { isServerReachable } from '../../data/reachable.ts';

type LazyState<Code> =
  | { status: 'loading' }
  | { status: 'ready'; code: Code }
  | { status: 'failed'; why: WhyNotFetched };

/** `gone`: the server responds, but no longer has this code. */
export type WhyNotFetched = 'offline' | 'unreachable' | 'gone';

const ahead: LazyModule<unknown>[] = [];

/** Code that is not part of the initial page load. */
export class LazyModule<Code> {
  readonly #load: () => Promise<Code>;
  readonly #state: Signal<LazyState<Code>> = signal<LazyState<Code>>({ status: 'loading' });
  readonly state: ReadonlySignal<LazyState<Code>> = this.#state;
  #underWay: Promise<void> | null = null;

  /** `isAhead`: whether `fetchAhead` prefetches it. */
  constructor(load: () => Promise<Code>, { isAhead }: { isAhead: boolean }) {
    this.#load = load;
    if (isAhead) ahead.push(this);
  }

  /** Fetches the code once. Returns whether it has loaded. */
  async fetch(): Promise<boolean> {
    if (this.#state.peek().status !== 'ready') {
      this.#underWay ??= this.#fetch();
      await this.#underWay;
    }
    return this.#state.peek().status === 'ready';
  }

  async #fetch(): Promise<void> {
    const before = this.#state.peek();
    const after = await loadWithRetry(this.#load);
    this.#underWay = null;
    // Some browsers keep a failed import until the page is reloaded (seen with Chromium 150), so one that failed during
    // an outage cannot succeed afterwards. Drafts survive a reload.
    if (isGone(after) && before.status === 'failed' && !isGone(before)) location.reload();
    else this.#state.value = after;
  }
}

function isGone(state: LazyState<unknown>): boolean {
  return state.status === 'failed' && state.why === 'gone';
}

/** Long enough for the first page to load, even over a slow connection. */
const AHEAD_AFTER_MS = 3_000;

/** Prefetches code that is likely to be used, one module at a time, while the browser is idle and connected. */
export async function fetchAhead({ connection }: Pick<Hubs, 'connection'>): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, AHEAD_AFTER_MS));
  for (const code of ahead) {
    await new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 2_000 }));
    await until(connection, ({ status }) => status === 'live');
    if (await code.fetch()) continue;
    // A fetch can fail before the connection notices an outage. Opening the code fetches it again.
    await until(connection, ({ status }) => status !== 'live');
  }
}

async function until<T>(state: ReadonlySignal<T>, isSo: (value: T) => boolean): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = state.subscribe((value) => {
      if (!isSo(value)) return;
      queueMicrotask(() => stop());
      resolve();
    });
  });
}

/** Loads code, with one retry if the server can be reached: a second failure means that the code is gone. */
async function loadWithRetry<Code>(load: () => Promise<Code>): Promise<LazyState<Code>> {
  for (let isRetry = false; ; isRetry = true) {
    try {
      return { status: 'ready', code: await load() };
    } catch {
      const isReachable = await isServerReachable();
      if (!isReachable) return { status: 'failed', why: navigator.onLine ? 'unreachable' : 'offline' };
      if (isRetry) return { status: 'failed', why: 'gone' };
    }
  }
}
