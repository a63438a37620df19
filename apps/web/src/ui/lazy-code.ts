import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Hubs } from '../hubs/hubs.ts';

export type LazyState<Code> =
  | { status: 'loading' }
  | { status: 'ready'; code: Code }
  | { status: 'failed'; why: WhyNotFetched };

/** `gone`: the server answers, but does not have this code any more. */
export type WhyNotFetched = 'offline' | 'unreachable' | 'gone';

const ahead: LazyModule<unknown>[] = [];

/** Code that comes apart from the first load. */
export class LazyModule<Code> {
  readonly #load: () => Promise<Code>;
  readonly #state: Signal<LazyState<Code>> = signal<LazyState<Code>>({ status: 'loading' });
  #underWay: Promise<void> | null = null;

  /** `isAhead`: it is among what `fetchAhead` fetches. */
  constructor(load: () => Promise<Code>, { isAhead }: { isAhead: boolean }) {
    this.#load = load;
    if (isAhead) ahead.push(this);
  }

  get state(): ReadonlySignal<LazyState<Code>> {
    return this.#state;
  }

  /** Whether it is there then, whoever has asked for it first. */
  async fetch(): Promise<boolean> {
    if (this.#state.peek().status !== 'ready') {
      this.#underWay ??= this.#fetch();
      await this.#underWay;
    }
    return this.#state.peek().status === 'ready';
  }

  async #fetch(): Promise<void> {
    this.#state.value = await loadSurely(this.#load);
    this.#underWay = null;
  }
}

/** The first page is surely there by then, also over a slow line. */
const AHEAD_AFTER_MS = 3_000;

/**
 * Fetches what is likely to be opened, one after the other, some time after the start when there is nothing else to do; none of it
 * while the server is away.
 */
export async function fetchAhead({ connection }: Pick<Hubs, 'connection'>): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, AHEAD_AFTER_MS));
  for (const code of ahead) {
    await new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 2_000 }));
    await until(connection, ({ status }) => status === 'live');
    if (await code.fetch()) continue;
    // It fails before the connection has noticed. What has failed is asked for by whoever opens it.
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

/** What failed on the way is asked for once more, if the server can be reached: only what fails then may be gone. */
async function loadSurely<Code>(load: () => Promise<Code>): Promise<LazyState<Code>> {
  for (let isAgain = false; ; isAgain = true) {
    try {
      return { status: 'ready', code: await load() };
    } catch {
      const isThere = await isServerThere();
      if (!isThere) return { status: 'failed', why: navigator.onLine ? 'unreachable' : 'offline' };
      if (isAgain) return { status: 'failed', why: 'gone' };
    }
  }
}

async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch('/api/v1', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
