import { createHash } from 'node:crypto';
import type { Item, Priority, TodoStatus, WireKind } from '@hub/contract';
import { type Line, textOf } from '../../runtime/output.ts';
import { blocksLines, markdownLines } from '../../runtime/post-lines.ts';
import { plainLine } from '../../runtime/terminal-text.ts';

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
    hint: hintOf(item).slice(0, HINT_CHARACTERS),
    digest: digestOf(item),
    isDeleted: item.deletedAt !== null,
    parentId: message?.parentId ?? null,
    reactions: new Map(message?.reactions.map(({ emoji, userIds }) => [emoji, userIds])),
    conversionId: message?.conversion?.id ?? null,
    status: todo?.status ?? null,
    assignee: todo?.assignee?.name ?? null,
    dueDate: todo?.dueDate ?? null,
    priority: todo?.priority ?? null,
  };
}

/** `Ada Lovelace`, or `Hub, via ci` for posts made with a key. */
function authorName({ author, key }: Pick<Item, 'author' | 'key'>): string {
  return key === null ? author.name : `${author.name}, via ${key.name}`;
}

/** A change to an item. */
export type Change =
  | { kind: 'edited' }
  | { kind: 'reacted' | 'unreacted'; emoji: string; userId: string }
  | { kind: 'converted'; to: 'todo' | 'note'; id: string }
  | { kind: 'finished'; by: string | null }
  | { kind: 'reopened' }
  | { kind: 'assigned'; to: string | null }
  | { kind: 'due'; at: string | null }
  | { kind: 'priority'; to: Priority | null };

/**
 * Compares an item with its last snapshot, since events contain only its current state. A new reply is not a change to
 * its parent: it has its own event.
 */
export function changesOf(before: Snapshot, item: Item): Change[] {
  const now = snapshotOf(item);
  const changes: Change[] = [];
  if (now.digest !== before.digest) changes.push({ kind: 'edited' });
  if (item.kind === 'message') {
    changes.push(...reactionChanges(before.reactions, now.reactions));
    const { conversion } = item;
    if (conversion && conversion.id !== before.conversionId) {
      changes.push({ kind: 'converted', to: conversion.kind, id: conversion.id });
    }
  }
  if (item.kind !== 'todo') return changes;
  if (now.status !== before.status) {
    const by = item.finishedBy?.name ?? null;
    changes.push(item.status === 'done' ? { kind: 'finished', by } : { kind: 'reopened' });
  }
  if (now.assignee !== before.assignee) changes.push({ kind: 'assigned', to: now.assignee });
  if (now.dueDate !== before.dueDate) changes.push({ kind: 'due', at: now.dueDate });
  if (now.priority !== before.priority) changes.push({ kind: 'priority', to: now.priority });
  return changes;
}

function* reactionChanges(before: Snapshot['reactions'], now: Snapshot['reactions']): Iterable<Change> {
  for (const emoji of new Set([...before.keys(), ...now.keys()])) {
    const [those, these] = [before.get(emoji) ?? [], now.get(emoji) ?? []];
    for (const userId of these) if (!those.includes(userId)) yield { kind: 'reacted', emoji, userId };
    for (const userId of those) if (!these.includes(userId)) yield { kind: 'unreacted', emoji, userId };
  }
}

/** Returns the text of an item without its title; no lines if it is empty. `columns` limits its width, 0 does not. */
export function bodyOf(item: Item, columns = 0): Line[] {
  if (item.kind === 'message' && item.blocks) return blocksLines(item.blocks, columns);
  return markdownLines((item.kind === 'message' ? item.text : item.content) ?? '', columns);
}

const ADDRESSES = / \(https?:[^\s)]*\)/g;
const FRAMES = /[│─═┌┬┐├┼┤└┴┘•]/g;

/** Returns a short name for an item: its title, else its first line that is not blank, without frames and addresses. */
export function hintOf(item: Item): string {
  const title = item.kind === 'message' ? null : item.title;
  const lines = title === null ? bodyOf(item).map((line) => textOf(line).replaceAll(FRAMES, ' ')) : [title];
  const first = lines.find((line) => line.trim() !== '') ?? '';
  return plainLine(first).replaceAll(ADDRESSES, '').replaceAll(/ {2,}/g, ' ').trim();
}

/** Returns a hash that changes when the text of the same item changes. */
function digestOf(item: Item): string {
  const content = item.kind === 'message' ? [item.text, item.blocks] : [item.title, item.content];
  return createHash('md5').update(JSON.stringify(content)).digest('base64');
}
