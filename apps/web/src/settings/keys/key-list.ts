import type { ApiKey } from '@hub/contract';
import { type ReadonlySignal, signal } from '@preact/signals';
import { ApiError, errorMessage, request } from '../../api/request.ts';

const PAGE = 100;
const DAYS = 30;

export type KeyListState =
  | { status: 'loading' }
  | { status: 'ready'; keys: readonly ApiKey[] }
  /** Only admins can manage keys in this workspace. */
  | { status: 'forbidden' }
  | { status: 'failed'; text: string };

/**
 * All keys that the user manages, with daily usage. An unchanged key stays the same object, so that its row is not
 * rendered again.
 */
export class KeyList {
  readonly #state = signal<KeyListState>({ status: 'loading' });
  #known = new Map<string, { text: string; key: ApiKey }>();
  #isLoading = false;
  /** A load requested while another one was running. */
  #pending: { withUse: boolean } | null = null;

  get state(): ReadonlySignal<KeyListState> {
    return this.#state;
  }

  /** Loads all keys. Daily usage makes up most of the response, so changes made by users are loaded without it. */
  async load({ withUse }: { withUse: boolean }): Promise<void> {
    if (this.#isLoading) {
      this.#pending = { withUse: withUse || (this.#pending?.withUse ?? false) };
      return;
    }
    this.#isLoading = true;
    try {
      this.#take(await loadAll(withUse || this.#known.size === 0));
    } catch (error) {
      this.#fail(error);
    }
    this.#isLoading = false;
    const pending = this.#pending;
    this.#pending = null;
    if (pending) await this.load(pending);
  }

  /** Shows the key from the response to the user's own change before the list is reloaded. */
  put(changed: ApiKey): void {
    const state = this.#state.peek();
    if (state.status !== 'ready') return;
    const isKnown = state.keys.some(({ id }) => id === changed.id);
    this.#take(isKnown ? state.keys.map((key) => (key.id === changed.id ? changed : key)) : [changed, ...state.keys]);
  }

  #take(keys: readonly ApiKey[]): void {
    const known = new Map<string, { text: string; key: ApiKey }>();
    for (const loaded of keys) {
      const before = this.#known.get(loaded.id);
      const key = loaded.usage || !before?.key.usage ? loaded : { ...loaded, usage: before.key.usage };
      const text = JSON.stringify(key);
      known.set(key.id, before?.text === text ? before : { text, key });
    }
    this.#known = known;
    this.#state.value = { status: 'ready', keys: [...known.values()].map(({ key }) => key) };
  }

  #fail(error: unknown): void {
    if (error instanceof ApiError && error.statusCode === 403) {
      this.#known.clear();
      this.#state.value = { status: 'forbidden' };
    } else if (this.#state.peek().status !== 'ready') {
      this.#state.value = { status: 'failed', text: errorMessage(error) };
    }
  }
}

async function loadAll(withUse: boolean): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  let before: string | null = null;
  do {
    const query: Record<string, string | number | null> = { limit: PAGE, before, usageDays: withUse ? DAYS : null };
    const page: { items: ApiKey[]; next: string | null } = await request('GET', '/keys', { query });
    keys.push(...page.items);
    before = page.next;
  } while (before !== null);
  return keys;
}
