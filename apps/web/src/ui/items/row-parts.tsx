import { useComputed } from '@preact/signals';
import { SquareCheckBig, StickyNote } from 'icons';
import { useWorkspace } from '../../data/live/workspace.ts';
import { editDraftKey, storageKey, storedChanges } from '../../data/unsent/unsaved-text.ts';
import { withPanel } from '../../lib/router/location.ts';
import { readStored } from '../../lib/stored.ts';

interface BadgeProps {
  id: string;
  kind: 'todo' | 'note';
  /** Its kind while it is unknown. */
  title?: string;
  state?: string;
  isDone?: boolean;
}

/** A link from a message to what it was converted to. */
export function Badge({ id, kind, title, state, isDone = false }: BadgeProps) {
  return (
    <div class="under">
      <a class={isDone ? 'conversion is-done' : 'conversion'} href={withPanel(id)}>
        {kind === 'todo' ? <SquareCheckBig /> : <StickyNote />}
        <span class="sr">Converted to a {kind === 'todo' ? 'to-do' : 'note'}: </span>
        <bdi class="t cut">{title ?? (kind === 'todo' ? 'To-do' : 'Note')}</bdi>
        {state && <span class="m cut">{state}</span>}
      </a>
    </div>
  );
}

/** Shown at an item whose edit was closed without saving. It opens the edit again. */
export function UnsavedEdit({ id, onOpen }: { id: string; onOpen: () => void }) {
  const { me } = useWorkspace();
  const isKept = useComputed(() => {
    void storedChanges.value;
    return Boolean(readStored(storageKey('draft', me.value.id, editDraftKey(id))));
  }).value;
  return isKept ? (
    <button class="expand" type="button" onClick={onOpen}>
      Unsaved edit
    </button>
  ) : null;
}
