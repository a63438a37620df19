import type { UserRef } from '@hub/contract';
import { Check } from 'icons';
import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { matchingUsers } from '../../data/members/matching-users.ts';
import { useMembers } from '../../data/members/members.ts';
import { Avatar } from '../avatars/avatar.tsx';
import type { Opened } from '../opener.tsx';
import { usePopover } from '../use-popover.ts';

/** A choice that is not a user: "Anyone", "Unassigned". */
interface OtherChoice {
  value: string | null;
  label: string;
}

interface HubMemberPickerProps extends PickerProps {
  hubId: string;
}

interface UserPickerProps extends PickerProps {
  users: readonly UserRef[];
  /** The text for an empty list: no matches, or an error message. */
  text: string;
}

interface PickerProps extends Opened {
  label: string;
  /** The chosen value: the id of a user, or the value of another choice. */
  chosen: string | null;
  others: readonly OtherChoice[];
  onChoose: (value: string | null, user: UserRef | null) => void;
}

const NOBODY: readonly UserRef[] = [];

interface Choice {
  value: string | null;
  label: string;
  user: UserRef | null;
}

/** Picks one of the members of a Hub. */
export function HubMemberPicker({ hubId, ...picker }: HubMemberPickerProps) {
  const members = useMembers(hubId);
  const users = members.status === 'ready' ? members.value : NOBODY;
  const text = members.status === 'failed' ? members.text : 'No matching members';
  return <UserPicker {...picker} users={users} text={members.status === 'loading' ? '' : text} />;
}

/** Picks one of several users: typing filters, arrows move, Enter chooses, Escape closes. */
export function UserPicker(props: UserPickerProps) {
  const { users, text: noneText, label, chosen, others, onChoose, onClose, opener } = props;
  const { me } = useWorkspace();
  const id = useId();
  const box = usePopover<HTMLDivElement>({ opener, onClose });
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const choices = useMemo<readonly Choice[]>(() => {
    const matches = matchingUsers(users, text, me.value.id);
    const rest = text.trim() === '' ? others.map((other) => ({ ...other, user: null })) : [];
    return [...rest, ...matches.map((user) => ({ value: user.id, label: user.name, user }))];
  }, [users, text, others, me.value.id]);

  useEffect(() => {
    box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);

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
        placeholder="Find a member"
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setActive(0);
        }}
      />
      <div role="listbox" id={id} aria-label={label}>
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
            {user ? <Avatar {...user} kind="user" size="s" /> : <span class="avatar is-s is-none" aria-hidden="true" />}
            <span class="name grow cut">
              <bdi>{name}</bdi>
              {user?.id === me.value.id && <span class="you"> (you)</span>}
            </span>
            {value === chosen && <Check />}
            {value === chosen && <span class="sr">, selected</span>}
          </div>
        ))}
      </div>
      <p class="picker-state" role="status">
        {choices.length === 0 && noneText}
      </p>
    </div>
  );
}
