import type { Item, Priority, TodoStatus, WireKind } from '@hub/contract';
import { bodyOf, digestOf, hintOf } from './item-text.ts';

/** The last known state of an item, for later comparison and for naming it. */
export interface Snapshot {
  kind: WireKind;
  author: string;
  /** Whether a key posted it; the author's name then ends with the key's name. */
  isOfKey: boolean;
  hint: string;
  digest: string;
  isDeleted: boolean;
  parentId: string | null;
  /** The IDs of the users who reacted, by emoji. */
  reactions: ReadonlyMap<string, readonly string[]>;
  conversionId: string | null;
  status: TodoStatus | null;
  assignee: string | null;
  dueDate: string | null;
  priority: Priority | null;
}

/** The maximum number of remembered items. The least recently seen item is dropped first. */
const MAX_ITEMS = 5_000;
const HINT_CHARACTERS = 200;

/** Remembers the state of recently seen items. */
export class ItemMemory {
  readonly #snapshots = new Map<string, Snapshot>();

  get(id: string): Snapshot | undefined {
    return this.#snapshots.get(id);
  }

  /** Stores an item and returns its previous state. Keeps the text of a deleted item, so that it can be named. */
  put(item: Item): Snapshot | undefined {
    const before = this.#snapshots.get(item.id);
    const snapshot = snapshotOf(item);
    this.#snapshots.delete(item.id);
    this.#snapshots.set(item.id, snapshot.isDeleted && before ? { ...before, isDeleted: true } : snapshot);
    const [oldest] = this.#snapshots.keys();
    if (this.#snapshots.size > MAX_ITEMS && oldest !== undefined) this.#snapshots.delete(oldest);
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

/** `Ada Lovelace`, or `Hub, via ci` for posts made with a key. */
export function authorName({ author, key }: Pick<Item, 'author' | 'key'>): string {
  return key === null ? author.name : `${author.name}, via ${key.name}`;
}
