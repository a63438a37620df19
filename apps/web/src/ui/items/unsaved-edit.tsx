import { useComputed } from '@preact/signals';
import { useWorkspace } from '../../data/live/workspace.ts';
import { editDraftKey, storageKey, storedChanges } from '../../data/unsent/unsaved-text.ts';
import { readStored } from '../../lib/stored.ts';

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
