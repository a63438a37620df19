import { useLayoutEffect, useRef } from 'preact/hooks';
import { Avatar } from '../avatars/avatar.tsx';
import { positionNear } from '../ui/menu.tsx';
import type { NameCompletion } from './use-name-completion.ts';

/** The suggested members. The text area keeps the focus, and its arrow keys move the selection in this list. */
export function NameList({ id, completion }: { id: string; completion: NameCompletion }) {
  const { users, chosen, choose } = completion;
  const list = useRef<HTMLDivElement>(null);
  // In the top layer, since a scroll container around the text would clip it.
  useLayoutEffect(() => {
    const element = list.current;
    if (!element?.parentElement) return;
    if (!element.matches(':popover-open')) element.showPopover();
    positionNear(element, element.parentElement);
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
