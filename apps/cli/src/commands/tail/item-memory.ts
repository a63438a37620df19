import type { Item, Priority, TodoStatus, WireKind } from '@hub/contract';
import { bodyOf, digestOf, hintOf } from './item-text.ts';

/** What is kept of an item, to tell later what has changed of it and to name it. */
export interface Snapshot {
  kind: WireKind;
  author: string;
  /** Whether a key has posted it, which the author's name then says at its end. */
  isOfKey: boolean;
  hint: string;
  digest: string;
  isDeleted: boolean;
  parentId: string | null;
  /** Who reacted, by emoji. */
  reactions: ReadonlyMap<string, readonly string[]>;
  conversionId: string | null;
  status: TodoStatus | null;
  assignee: string | null;
  dueDate: string | null;
  priority: Priority | null;
}

/** As many are remembered; the longest unheard of is forgotten first. */
const MAX = 5_000;
const HINT_CHARACTERS = 200;

/** The items that were told of lately, as they were then. */
export class ItemMemory {
  readonly #snapshots = new Map<string, Snapshot>();

  get(id: string): Snapshot | undefined {
    return this.#snapshots.get(id);
  }

  /** Returns what it was before. What a deleted item said is kept: that is how it can still be named. */
  put(item: Item): Snapshot | undefined {
    const before = this.#snapshots.get(item.id);
    const snapshot = snapshotOf(item);
    this.#snapshots.delete(item.id);
    this.#snapshots.set(item.id, snapshot.isDeleted && before ? { ...before, isDeleted: true } : snapshot);
    const [oldest] = this.#snapshots.keys();
    if (this.#snapshots.size > MAX && oldest !== undefined) this.#snapshots.delete(oldest);
    return before;
  }
}

export function snapshotOf(item: Item): Snapshot {
  const todo = item.kind === 'todo' ? item : undefined;
  const message = item.kind === 'message' ? item : undefined;
  return {
    kind: item.kind,
    author: authorName(item),
    isOfKey: item.key !== null,
    hint: hintOf(item, bodyOf(item)).slice(0, HINT_CHARACTERS),
    digest: digestOf(item),
    isDeleted: item.deletedAt !== null,
    parentId: message?.parentId ?? null,
    reactions: new Map(message?.reactions.map(({ emoji, personIds }) => [emoji, personIds])),
    conversionId: message?.conversion?.id ?? null,
    status: todo?.status ?? null,
    assignee: todo?.assignee?.name ?? null,
    dueDate: todo?.dueDate ?? null,
    priority: todo?.priority ?? null,
  };
}

/** `Ada Lovelace`, or `Hub, via ci` of what a key has posted. */
export function authorName({ author, key }: Pick<Item, 'author' | 'key'>): string {
  return key === null ? author.name : `${author.name}, via ${key.name}`;
}
