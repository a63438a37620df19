import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { removeStored, storageKey, store } from '../../data/unsent/unsaved-text.ts';
import { readStored } from '../../lib/stored.ts';

/** A new to-do that the server has not confirmed. */
export interface Addition {
  readonly id: string;
  readonly title: string;
  /** Why it could not be added; `null` while it is being sent. */
  readonly error: string | null;
}

const INTERRUPTED =
  'The page was closed before the server responded. The to-do may have been added: check before trying again.';

const lists = new Map<string, Additions>();

/** Returns the to-dos that a user is adding to a Hub, shared by all views. */
export function additionsOf(personId: string, hubId: string): Additions {
  const name = storageKey('draft', personId, `additions.${hubId}`);
  const known = lists.get(name) ?? new Additions(name);
  lists.set(name, known);
  return known;
}

/** To-dos that are being added or could not be added, kept in the browser until they are or are discarded. */
export class Additions {
  readonly #name: string;
  readonly #all: Signal<readonly Addition[]>;
  readonly all: ReadonlySignal<readonly Addition[]>;

  constructor(name: string) {
    this.#name = name;
    this.#all = signal(readAdditions(readStored(name)));
    this.all = this.#all;
  }

  put(addition: Addition): void {
    this.#change([...this.#others(addition.id), addition]);
  }

  drop(id: string): void {
    this.#change(this.#others(id));
  }

  #others(id: string): readonly Addition[] {
    return this.#all.peek().filter((addition) => addition.id !== id);
  }

  #change(additions: readonly Addition[]): void {
    this.#all.value = additions;
    if (additions.length === 0) removeStored(this.#name);
    else store(this.#name, JSON.stringify(additions));
  }
}

/** Reads stored additions. One that was being sent when the page closed is marked as failed. */
function readAdditions(json: string | null): readonly Addition[] {
  try {
    const value: unknown = JSON.parse(json ?? '[]');
    const additions = Array.isArray(value) ? value.filter(isAddition) : [];
    return additions.map((addition) => ({ ...addition, error: addition.error ?? INTERRUPTED }));
  } catch {
    return [];
  }
}

function isAddition(value: unknown): value is Addition {
  const { id, title, error } = (value ?? {}) as Partial<Record<keyof Addition, unknown>>;
  return typeof id === 'string' && typeof title === 'string' && ((error ?? null) === null || typeof error === 'string');
}
