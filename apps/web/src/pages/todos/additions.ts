import type { WriteTodoBody } from '@hub/contract';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import {
  ABANDONED_MS,
  removeStored,
  storageKey,
  storageKeysFrom,
  store,
  TAB_ID,
} from '../../data/unsent/unsaved-text.ts';
import type { AttachedFile } from '../../data/unsent/unsent.ts';
import { readStored } from '../../lib/stored.ts';

/** A new to-do that the server has not confirmed. */
export interface Addition {
  readonly id: string;
  readonly title: string;
  readonly files?: readonly AttachedFile[];
  /** From the filters that were active. */
  readonly fields: Pick<WriteTodoBody, 'assigneeId' | 'dueDate' | 'priority'>;
  /** Why it could not be added; `null` while it is being sent. */
  readonly error: string | null;
  /** When it was last sent, ISO 8601. */
  readonly sendingAt: string;
  /** The tab that sends it. */
  readonly tab: string;
}

const INTERRUPTED =
  'The page was closed before the server responded. The to-do may have been added: check before trying again.';

const lists = new Map<string, Additions>();

/** Returns the to-dos that a user is adding to a Hub, shared by all views. */
export function additionsOf(userId: string, hubId: string): Additions {
  const prefix = storageKey('draft', userId, `additions.${hubId}.`);
  const additions = lists.get(prefix) ?? new Additions(prefix);
  lists.set(prefix, additions);
  return additions;
}

/**
 * To-dos that are being added or could not be added, oldest first. They are kept in the browser until they are added or
 * discarded, and all tabs show them.
 */
export class Additions {
  readonly #prefix: string;
  readonly #all: Signal<readonly Addition[]>;
  readonly all: ReadonlySignal<readonly Addition[]>;

  constructor(prefix: string) {
    this.#prefix = prefix;
    const stored = storageKeysFrom(prefix).flatMap((name) => readAddition(readStored(name)) ?? []);
    this.#all = signal(stored.map((addition) => this.#checked(addition)).sort(byTime));
    this.all = this.#all;
    addEventListener('storage', ({ key, newValue }) => {
      if (!key?.startsWith(prefix)) return;
      const addition = readAddition(newValue);
      this.#show(key.slice(prefix.length), addition && this.#checked(addition));
    });
  }

  /** Notes that a to-do is being sent from now on. */
  send({ id, title, fields, files = [] }: Pick<Addition, 'id' | 'title' | 'fields' | 'files'>): void {
    this.keep({ id, title, fields, files, error: null, sendingAt: new Date().toISOString(), tab: TAB_ID });
  }

  fail(id: string, error: string): void {
    const addition = this.#all.peek().find((each) => each.id === id);
    if (addition) this.keep({ ...addition, error });
  }

  drop(id: string): void {
    this.#show(id, null);
    removeStored(this.#prefix + id);
  }

  keep(addition: Addition): void {
    this.#show(addition.id, addition);
    store(this.#prefix + addition.id, JSON.stringify(addition));
  }

  #show(id: string, addition: Addition | null): void {
    const others = this.#all.peek().filter((other) => other.id !== id);
    this.#all.value = addition ? [...others, addition].sort(byTime) : others;
  }

  /** Marks an addition as failed if this tab was sending it before a reload, or if another tab takes too long. */
  #checked(addition: Addition): Addition {
    const { id, error, sendingAt, tab } = addition;
    const restMs = Date.parse(sendingAt) + ABANDONED_MS - Date.now();
    if (error !== null) return addition;
    if (tab === TAB_ID || !(restMs > 0)) return { ...addition, error: INTERRUPTED };
    setTimeout(() => {
      const now = this.#all.peek().find((each) => each.id === id);
      if (now?.error === null && now.sendingAt === sendingAt) this.keep({ ...now, error: INTERRUPTED });
    }, restMs);
    return addition;
  }
}

function byTime(one: Addition, other: Addition): number {
  return one.sendingAt.localeCompare(other.sendingAt);
}

function readAddition(json: string | null): Addition | null {
  try {
    const value = JSON.parse(json ?? 'null') as Partial<Record<keyof Addition, unknown>> | null;
    const isAddition =
      ['id', 'title', 'sendingAt', 'tab'].every((name) => typeof value?.[name as keyof Addition] === 'string') &&
      (value?.error === null || typeof value?.error === 'string');
    // Until 2026-11-26 it had no fields.
    return isAddition ? { ...(value as Addition), fields: value.fields ?? {} } : null;
  } catch {
    return null;
  }
}
