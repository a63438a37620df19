import type { UserRef } from '@hub/contract';
import { useWorkspace } from '../../data/live/workspace.ts';
import { useMembers } from '../../data/members/members.ts';
import { matchingUsers } from '../../lib/matching.ts';
import { Avatar } from '../avatars/avatar.tsx';
import { type Opened, Opener, type OpenerProps } from '../button.tsx';
import { Picker, type PickerChoice } from '../picker.tsx';

interface UserPickerProps extends PickerProps {
  users: readonly UserRef[];
  /** The text for an empty list: no matches, or an error message. */
  text: string;
}

interface PickerProps extends Opened {
  label: string;
  /** The chosen value: the id of a user, or the value of another choice. */
  chosen: string | null;
  /** Choices that are not users: "Anyone", "Unassigned". */
  others: readonly PickerChoice[];
  onChoose: (value: string | null, user: UserRef | null) => void;
}

const NOBODY: readonly UserRef[] = [];

interface AssigneeChoiceProps
  extends Pick<PickerProps, 'chosen' | 'others' | 'onChoose'>,
    Pick<OpenerProps, 'class' | 'children'> {
  hubId: string;
}

export const NO_ASSIGNEE = [{ value: null, label: 'Unassigned' }] as const;

/** A button that opens the members of a Hub, to choose an assignee. */
export function AssigneeChoice({ class: name, children, ...picker }: AssigneeChoiceProps) {
  return (
    <Opener class={name} renderPopover={(opened) => <HubMemberPicker {...opened} {...picker} label="Assignee" />}>
      {children}
    </Opener>
  );
}

function HubMemberPicker({ hubId, ...picker }: PickerProps & { hubId: string }) {
  const members = useMembers(hubId);
  const users = members.status === 'ready' ? members.value : NOBODY;
  const text = members.status === 'failed' ? members.text : 'No matching members';
  return <UserPicker {...picker} users={users} text={members.status === 'loading' ? '' : text} />;
}

export function UserPicker({ users, others, onChoose, ...picker }: UserPickerProps) {
  const myId = useWorkspace().me.value.id;
  const find = (text: string): PickerChoice[] => [
    ...(text.trim() === '' ? others : []),
    ...matchingUsers(users, text, myId).map(({ id, name }) => ({
      ...{ value: id, label: name, icon: <Avatar id={id} name={name} kind="user" size="s" /> },
      ...(id === myId && { detail: '(you)' }),
    })),
  ];
  const choose = (value: string | null) => {
    const user = users.find(({ id }) => id === value);
    onChoose(value, user ? { id: user.id, name: user.name } : null);
  };
  return <Picker {...picker} placeholder="Find a member" find={find} onChoose={choose} />;
}
