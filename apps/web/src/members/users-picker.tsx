import Check from 'icon:check';
import type { UserRef } from '@hub/contract';
import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import { Avatar } from '../avatars/avatar.tsx';
import { placeBy } from '../ui/menu.tsx';
import { usePopover } from '../ui/use-popover.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { matchingMembers } from './matching-users.ts';
import { useMembers } from './members.ts';

/** One of the choices that are no person: "Anyone", "Nobody". */
export interface OtherChoice {
  value: string | null;
  label: string;
}

interface MembersPickerProps extends PickerProps {
  hubId: string;
}

interface MemberPickerProps extends PickerProps {
  /** Whom one can choose of. */
  users: readonly UserRef[];
  /** What is said instead of people: that there is nobody, or why they did not load. */
  text: string;
}

interface PickerProps {
  /** What one chooses: "Assignee". */
  label: string;
  /** What is chosen: the id of a person, or the value of another choice. */
  chosen: string | null;
  others: readonly OtherChoice[];
  onChoose: (value: string | null, user: UserRef | null) => void;
  onClose: () => void;
  /** What opened it: it stands by it, and the focus goes back to it. */
  opener: HTMLElement;
}

const NOBODY: readonly UserRef[] = [];

interface Choice {
  value: string | null;
  label: string;
  user: UserRef | null;
}

/** The members of a Hub to choose one of. */
export function MembersPicker({ hubId, ...picker }: MembersPickerProps) {
  const members = useMembers(hubId);
  const users = members.status === 'ready' ? members.users : NOBODY;
  const text = members.status === 'failed' ? members.text : 'Nobody in this Hub has such a name.';
  return <MemberPicker {...picker} users={users} text={members.status === 'loading' ? '' : text} />;
}

/** People to choose one of: letters find, arrows move, Enter chooses, Escape closes. */
export function MemberPicker({
  users,
  text: noneText,
  label,
  chosen,
  others,
  onChoose,
  onClose,
  opener,
}: MemberPickerProps) {
  const { me } = useWorkspace();
  const id = useId();
  const box = usePopover<HTMLDivElement>({ opener, onClose });
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const choices = useMemo<readonly Choice[]>(() => {
    const found = matchingMembers(users, text, me.value.id);
    const rest = text.trim() === '' ? others.map((other) => ({ ...other, user: null })) : [];
    return [...rest, ...found.map((user) => ({ value: user.id, label: user.name, user }))];
  }, [users, text, others, me.value.id]);

  useEffect(() => {
    box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  useEffect(() => {
    // It is higher once its people are there.
    if (box.current) placeBy(box.current, opener);
  }, [users]);

  const choose = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    onChoose(choice.value, choice.user && { id: choice.user.id, name: choice.user.name });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === 'ArrowDown') setActive(Math.min(active + 1, choices.length - 1));
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0));
    else if (event.key === 'Enter') choose(choices[active]);
    else if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else return;
    event.preventDefault();
  };

  return (
    <div class="picker" popover="auto" ref={box} onKeyDown={onKeyDown}>
      <input
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={choices[active] ? `${id}-${active}` : undefined}
        placeholder="Find a person"
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setActive(0);
        }}
      />
      <div class="options" role="listbox" id={id} aria-label={label}>
        {choices.map(({ value, label: name, user }, n) => (
          <div
            key={value ?? ''}
            id={`${id}-${n}`}
            role="option"
            tabIndex={-1}
            aria-selected={n === active}
            onPointerMove={() => setActive(n)}
            onClick={() => choose(choices[n])}
          >
            {user ? (
              <Avatar {...user} kind="person" size="s" />
            ) : (
              <span class="avatar is-s is-none" aria-hidden="true" />
            )}
            <span class="name">
              <bdi>{name}</bdi>
              {user?.id === me.value.id && <span class="you"> (you)</span>}
            </span>
            {value === chosen && <Check />}
            {value === chosen && <span class="sr">, chosen</span>}
          </div>
        ))}
      </div>
      <p class="picker-state" role="status">
        {choices.length === 0 && noneText}
      </p>
    </div>
  );
}
