import { useComputed } from '@preact/signals';
import { useWorkspace } from '../../data/live/workspace.ts';
import { hasEditDraft } from '../../data/unsent/drafts.ts';
import { storedChanges } from '../../data/unsent/unsaved-text.ts';

/** Shown at an item whose edit was closed without saving. It opens the edit again. */
export function UnsavedEdit({ id, onOpen }: { id: string; onOpen: () => void }) {
  const { me } = useWorkspace();
  const isKept = useComputed(() => {
    void storedChanges.value;
    return hasEditDraft(me.value.id, id);
  }).value;
  return isKept ? (
    <button class="expand" type="button" onClick={onOpen}>
      Unsaved edit
    </button>
  ) : null;
}
