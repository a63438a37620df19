import type { Item } from '@hub/contract';
import type { RefObject } from 'preact';
import { useWorkspace } from '../../data/live/workspace.ts';
import type { ItemText } from '../../data/unsent/save-text.ts';
import { changedLines } from '../../lib/merge-lines.ts';
import { shortTime } from '../../lib/time/format.ts';
import { now } from '../../lib/time/now.ts';
import { Button } from '../button.tsx';

interface ConflictBannerProps {
  box: RefObject<HTMLDivElement | null>;
  item: Item;
  /** The version that the user began to edit. */
  base: ItemText;
  /** The text of the item now. */
  present: ItemText;
  /** Null if both changed the same lines. */
  onMerge: (() => void) | null;
  onMine: () => void;
  onTheirs: () => void;
}

/** Shown when another member saved a change first: what they changed, and what the user can do. */
export function ConflictBanner({ box, item, base, present, onMerge, onMine, onTheirs }: ConflictBannerProps) {
  const { me } = useWorkspace();
  const { editedAt } = item;
  const editor = item.editedBy ?? item.author;
  const name = editor.id === me.value.id ? 'You' : editor.name;
  return (
    <div class="banner is-warn" role="alert" ref={box} tabIndex={-1}>
      <div class="grow">
        <strong>
          <bdi>{name}</bdi> changed this while you were editing
        </strong>
        {editedAt !== null && `, ${shortTime(editedAt, now.value)}`}:
        <blockquote class="written-text changes">
          {present.title !== base.title && <Change removed={base.title} added={present.title} />}
          {present.content !== base.content && <Change {...changedLines(base.content, present.content)} />}
        </blockquote>
        <div class="actions">
          {onMerge && <Button look="is-small" label="Merge both versions" onClick={onMerge} />}
          <Button look="is-small" label="Keep only my version" onClick={onMine} />
          <Button look="is-small is-bare" label="Discard my version" onClick={onTheirs} />
        </div>
      </div>
    </div>
  );
}

function Change({ removed, added }: { removed: string; added: string }) {
  return (
    <>
      {removed !== '' && <del>{removed}</del>}
      {added !== '' && <ins>{added}</ins>}
    </>
  );
}
