import { SquareCheckBig, StickyNote } from 'icons';
import { withPanel } from '../../lib/router/location.ts';

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
