import { useLayoutEffect, useRef } from 'preact/hooks';
import { Avatar } from '../avatars/avatar.tsx';
import { placeBy } from '../ui/menu.tsx';
import type { NameCompletion } from './use-name-completion.ts';

/** Whose name may be meant. The text keeps the focus; its keys move here. */
export function NameList({ id, completion }: { id: string; completion: NameCompletion }) {
  const { users, chosen, choose } = completion;
  const list = useRef<HTMLDivElement>(null);
  // Over everything: what scrolls around the text would cut it off.
  useLayoutEffect(() => {
    const element = list.current;
    if (!element?.parentElement) return;
    if (!element.matches(':popover-open')) element.showPopover();
    placeBy(element, element.parentElement);
  }, [users.length]);
  if (users.length === 0) return null;
  return (
    <div class="names" role="listbox" id={id} aria-label="Members" popover="manual" ref={list}>
      {users.map((member, n) => (
        <div
          key={member.id}
          class="name-row"
          role="option"
          id={`${id}-${n}`}
          aria-selected={n === chosen}
          tabIndex={-1}
          onMouseDown={(event) => {
            event.preventDefault();
            choose(member);
          }}
        >
          <Avatar id={member.id} name={member.name} kind="person" size="s" />
          <bdi>{member.name}</bdi>
          <span class="sub">{member.email}</span>
        </div>
      ))}
    </div>
  );
}
