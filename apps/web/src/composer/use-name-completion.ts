import type { Member } from '@hub/contract';
import { useMemo, useState } from 'preact/hooks';
import { activeMembers } from '../members/members.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { edit } from './edit-area.ts';
import { matchingNames, nameQuery } from './name-query.ts';

const NOBODY: readonly Member[] = [];

interface Area {
  current: HTMLTextAreaElement | null;
}

export interface NameCompletion {
  /** The suggested members; empty while no mention is being typed. */
  users: readonly Member[];
  chosen: number;
  choose: (member: Member) => void;
  /** Must be called after each change to the text or the caret. */
  look: () => void;
  close: () => void;
  /** Returns whether the list handled the key. */
  handleKey: (event: KeyboardEvent) => boolean;
}

/** Completes `@name` with the members of the Hub; suggests nothing without a Hub. */
export function useNameCompletion(area: Area, hubId: string | undefined): NameCompletion {
  const workspace = useWorkspace();
  const [asked, setAsked] = useState<{ from: number; query: string } | null>(null);
  const [chosen, setChosen] = useState(0);
  /** The index of the `@` whose list was closed. */
  const [closedAt, setClosedAt] = useState(-1);
  const isOpen = hubId !== undefined && asked !== null && asked.from !== closedAt;
  const members = isOpen ? activeMembers(workspace, hubId).value : NOBODY;
  const users = useMemo(() => (asked ? matchingNames(members, asked.query) : []), [members, asked?.query]);

  const look = () => {
    const { value = '', selectionStart = 0, selectionEnd = 0 } = area.current ?? {};
    const found = selectionStart === selectionEnd ? nameQuery(value, selectionStart) : null;
    if (found?.from === asked?.from && found?.query === asked?.query) return;
    setAsked(found);
    setChosen(0);
    if (found === null) setClosedAt(-1);
  };
  const choose = ({ name }: Member) => {
    if (!area.current || !asked) return;
    const insert = `@${name} `;
    const end = asked.from + insert.length;
    edit(area.current, { from: asked.from, to: area.current.selectionEnd, insert, start: end, end });
    setAsked(null);
  };
  const close = () => setClosedAt(asked?.from ?? -1);
  const handleKey = ({ key }: KeyboardEvent): boolean => {
    if (users.length === 0) return false;
    const member = users[chosen];
    if (key === 'ArrowDown') setChosen((chosen + 1) % users.length);
    else if (key === 'ArrowUp') setChosen((chosen - 1 + users.length) % users.length);
    else if ((key === 'Enter' || key === 'Tab') && member) choose(member);
    else if (key === 'Escape') close();
    else return false;
    return true;
  };
  return { users, chosen, choose, look, close, handleKey };
}
