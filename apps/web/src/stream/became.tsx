import SquareCheckBig from 'icon:square-check-big';
import StickyNote from 'icon:sticky-note';
import type { Message } from '@hub/contract';
import { withPanel } from '../router/location.ts';
import { useWorkspace } from '../workspace/workspace.ts';

/** What a message was turned into. */
export function Became({ kind, id }: NonNullable<Message['conversion']>) {
  const made = useWorkspace().items.get(id)?.value;
  const title = made && made.kind !== 'message' ? made.title : null;
  const state = made?.kind === 'todo' ? made.status : null;
  return (
    <div class="under">
      <a class="became" href={withPanel(id)}>
        {kind === 'todo' ? <SquareCheckBig /> : <StickyNote />}
        <span class="t">{title ?? (kind === 'todo' ? 'Became a to-do' : 'Became a note')}</span>
        {state !== null && <span class="m">{state}</span>}
      </a>
    </div>
  );
}
