import type { Item, Priority } from '@hub/contract';
import { type Snapshot, snapshotOf } from './item-memory.ts';

/** A change to an item. */
export type Change =
  | { kind: 'edited' }
  | { kind: 'reacted' | 'unreacted'; emoji: string; personId: string }
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
    for (const personId of these) if (!those.includes(personId)) yield { kind: 'reacted', emoji, personId };
    for (const personId of those) if (!these.includes(personId)) yield { kind: 'unreacted', emoji, personId };
  }
}
