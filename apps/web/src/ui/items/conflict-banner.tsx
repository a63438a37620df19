import type { Item } from '@hub/contract';
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { hasSameFiles, type ItemText } from '../../data/unsent/save-text.ts';
import { countText } from '../../lib/count-text.ts';
import { changedLines, type LineChange, mergeTexts } from '../../lib/merge-texts.ts';
import { now, shortTime } from '../../lib/time/format.ts';
import { Button } from '../button.tsx';

interface ConflictBannerProps {
  box: RefObject<HTMLDivElement | null>;
  item: Item;
  /** The version that the user began to edit. */
  base: ItemText;
  mine: ItemText;
  present: ItemText;
  /** Called with the text to continue with. The user looks at it before saving it over the newer version. */
  onChoose: (text: ItemText) => void;
  onTheirs: () => void;
}

/** Shown when another member saved a change first: what they changed, and what the user can do. */
export function ConflictBanner({ box, item, base, mine, present, onChoose, onTheirs }: ConflictBannerProps) {
  const { me } = useWorkspace();
  const { editedAt } = item;
  const editor = item.editedBy ?? item.author;
  const isOwn = editor.id === me.value.id;
  useLayoutEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
    // The button with the focus was removed or disabled: keep the focus nearby.
    if (document.activeElement?.matches('body, :disabled')) box.current?.focus();
  }, []);
  // The banner renders with each character that the user types. There can be thousands of lines.
  const changes = useMemo(
    () => changedLines(base.content, present.content).map((change, index) => <Change key={index} {...change} />),
    [base.content, present.content],
  );
  const merged = useMemo(
    () => mergeTexts(base.content, mine.content, present.content),
    [base.content, mine.content, present.content],
  );
  const isTitleClean = [base.title, present.title].includes(mine.title) || present.title === base.title;
  const title = mine.title === base.title ? present.title : mine.title;
  const { files = [] } = hasSameFiles(mine, base) ? present : mine;
  const isClean = merged.isClean && isTitleClean;
  return (
    <div class="banner is-warn" role="alert" ref={box} tabIndex={-1}>
      <div class="grow">
        <strong>
          <bdi>{isOwn ? 'You' : editor.name}</bdi> changed this{isOwn && ' elsewhere'} while you were editing
        </strong>
        {editedAt !== null && `, ${shortTime(editedAt, now.value)}`}:
        <blockquote class="written-text changes">
          {present.title !== base.title && <Change removed={linesOf(base.title)} added={linesOf(present.title)} />}
          <div>{changes}</div>
        </blockquote>
        <div class="actions">
          <Button
            variant="is-small"
            label={isClean ? 'Merge both versions' : 'Edit both versions'}
            onClick={() => onChoose({ title, content: merged.text, files })}
          />
          <Button variant="is-small" label="Keep only my version" onClick={() => onChoose(mine)} />
          <Button variant="is-small is-bare" label="Discard my version" onClick={onTheirs} />
        </div>
      </div>
    </div>
  );
}

function linesOf(title: string): string[] {
  return title === '' ? [] : [title];
}

/** The page would freeze for a second with all lines of a long text that another member replaced. */
const MAX_LINES = 1000;

function Change({ removed, added }: LineChange) {
  return (
    <div class="change">
      {removed.length > 0 && (
        <del>
          <Lines lines={removed} />
        </del>
      )}
      {added.length > 0 && (
        <ins>
          <Lines lines={added} />
        </ins>
      )}
    </div>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  const more = lines.length - MAX_LINES;
  return (
    <>
      {lines.slice(0, MAX_LINES).map((line, index) => (
        <span key={index}>{line}</span>
      ))}
      {more > 0 && <em>and {countText(more, 'more line')}</em>}
    </>
  );
}
