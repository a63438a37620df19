import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { drop, keep, keptName, readKept } from '../session/unsaved-text.ts';

/** A to-do that one has added and the server has not confirmed. */
export interface Addition {
  readonly id: string;
  readonly title: string;
  /** Why it is not there; `null` while it is on its way. */
  readonly error: string | null;
}

const INTERRUPTED =
  'The page was closed before there was an answer. It may be there all the same: look before you try again.';

const lists = new Map<string, Additions>();

/** Those of one person to one Hub, whichever view shows them. */
export function additionsOf(personId: string, hubId: string): Additions {
  const name = keptName('draft', personId, `additions.${hubId}`);
  const known = lists.get(name) ?? new Additions(name);
  lists.set(name, known);
  return known;
}

/** To-dos that are on their way, and those that could not be added. They are kept in the browser until they are there or discarded. */
export class Additions {
  readonly #name: string;
  readonly #all: Signal<readonly Addition[]>;

  constructor(name: string) {
    this.#name = name;
    this.#all = signal(readAdditions(readKept(name)));
  }

  get all(): ReadonlySignal<readonly Addition[]> {
    return this.#all;
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
    if (additions.length === 0) drop(this.#name);
    else keep(this.#name, JSON.stringify(additions));
  }
}

/** What was on its way when the page was closed, nobody adds any more. */
function readAdditions(json: string | null): readonly Addition[] {
  try {
    const value: unknown = JSON.parse(json ?? '[]');
    const additions = Array.isArray(value) ? value.map(withError).filter(isAddition) : [];
    return additions.map((addition) => ({ ...addition, error: addition.error ?? INTERRUPTED }));
  } catch {
    return [];
  }
}

/** Until 2026-11 the error was stored as `trouble`. */
function withError(value: unknown): unknown {
  const stored = (value ?? {}) as { error?: unknown; trouble?: unknown };
  return { ...stored, error: stored.error ?? stored.trouble ?? null };
}

function isAddition(value: unknown): value is Addition {
  const { id, title, error } = (value ?? {}) as Partial<Record<keyof Addition, unknown>>;
  return typeof id === 'string' && typeof title === 'string' && (error === null || typeof error === 'string');
}
