import { Users } from 'icons';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Avatar } from '../avatars/avatar.tsx';
import { positionNear } from '../use-popover.ts';
import type { Completion } from './use-completion.ts';

/** The suggested members or emoji. The text area keeps the focus, and its arrow keys move the selection in this list. */
export function CompletionList({ id, completion }: { id: string; completion: Completion }) {
  const { label, suggestions, chosen, choose } = completion;
  const list = useRef<HTMLDivElement>(null);
  // In the top layer, since a scroll container around the text would clip it.
  useLayoutEffect(() => {
    const element = list.current;
    if (!element?.parentElement) return;
    if (!element.matches(':popover-open')) element.showPopover();
    positionNear(element, element.parentElement);
  }, [suggestions.length]);
  // The text moves when the row of formats opens.
  useLayoutEffect(() => {
    const [element, form] = [list.current, list.current?.closest('form')];
    if (!element?.parentElement || !form) return;
    const { parentElement } = element;
    const sizes = new ResizeObserver(() => positionNear(element, parentElement));
    sizes.observe(form);
    return () => sizes.disconnect();
  }, []);
  return (
    <div class="completion" role="listbox" id={id} aria-label={label} popover="manual" ref={list}>
      {suggestions.map((suggestion, n) => (
        <div
          key={suggestion.id}
          class="completion-row"
          role="option"
          id={`${id}-${n}`}
          aria-selected={n === chosen}
          tabIndex={-1}
          onMouseDown={(event) => {
            event.preventDefault();
            choose(suggestion);
          }}
        >
          {suggestion.id.startsWith('@') ? (
            <Users size="m" />
          ) : suggestion.emoji === undefined ? (
            <Avatar id={suggestion.id} name={suggestion.name} kind="user" size="s" />
          ) : (
            <span class="emoji" aria-hidden="true">
              {suggestion.emoji}
            </span>
          )}
          <bdi>{suggestion.name}</bdi>
          {suggestion.detail && <span class="sub cut">{suggestion.detail}</span>}
        </div>
      ))}
    </div>
  );
}
