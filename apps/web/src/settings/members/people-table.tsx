import type { Person } from '@hub/contract';
import { useState } from 'preact/hooks';
import { useWorkspace } from '../../workspace/workspace.ts';
import { AS_HEAD, AS_ROW, AS_ROWS, AS_TABLE } from '../table-roles.ts';
import { useRowFocus } from '../use-row-focus.ts';
import { DisableDialog } from './disable-dialog.tsx';
import { EnableDialog } from './enable-dialog.tsx';
import { HoldingsDialog } from './holdings-dialog.tsx';
import { isOnlyOwner } from './people-list.ts';
import { type Deed, PersonRow } from './person-row.tsx';
import { ResetDialog } from './reset-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';

interface PeopleTableProps {
  people: readonly Person[];
  all: readonly Person[];
  onChanged: () => Promise<void>;
}

/** People, and what is being done to one of them, which goes on when that one is not among them any more. */
export function PeopleTable({ people, all, onChanged }: PeopleTableProps) {
  const [deed, setDeed] = useState<{ name: Deed; person: Person } | null>(null);
  const onClose = () => setDeed(null);
  useRowFocus({ subject: deed?.person ?? null, isOpen: deed !== null, list: people });
  return (
    <>
      {people.length > 0 && <Rows people={people} all={all} onDeed={(name, person) => setDeed({ name, person })} />}
      {deed?.name === 'role' && <RoleDialog person={deed.person} onChanged={onChanged} onClose={onClose} />}
      {deed?.name === 'reset' && <ResetDialog person={deed.person} onClose={onClose} />}
      {deed?.name === 'disable' && (
        <DisableDialog
          person={deed.person}
          onDisabled={async (isMuchLeft) => {
            await onChanged();
            setDeed(isMuchLeft ? { name: 'holdings', person: { ...deed.person, disabledAt: '' } } : null);
          }}
          onClose={onClose}
        />
      )}
      {deed?.name === 'enable' && <EnableDialog person={deed.person} onChanged={onChanged} onClose={onClose} />}
      {deed?.name === 'holdings' && <HoldingsDialog person={deed.person} onClose={onClose} />}
    </>
  );
}

interface RowsProps extends Pick<PeopleTableProps, 'people' | 'all'> {
  onDeed: (name: Deed, person: Person) => void;
}

function Rows({ people, all, onDeed }: RowsProps) {
  const isAdmin = useWorkspace().me.value.role !== 'member';
  return (
    <>
      <h2 class="hub-head">
        People <span class="num">{people.length}</span>
      </h2>
      <table class="keys people" {...AS_TABLE} aria-label="People">
        <colgroup>
          <col />
          <col class="c-state" />
          {isAdmin && <col class="c-used" />}
          {isAdmin && <col class="c-act" />}
        </colgroup>
        <thead {...AS_ROWS}>
          <tr {...AS_ROW}>
            <th {...AS_HEAD}>
              <span class="sr">Person</span>
            </th>
            <th {...AS_HEAD}>Role</th>
            {isAdmin && <th {...AS_HEAD}>Last seen</th>}
            {isAdmin && (
              <th {...AS_HEAD}>
                <span class="sr">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody {...AS_ROWS}>
          {people.map((person) => (
            <PersonRow
              key={person.id}
              person={person}
              isOnlyOwner={isOnlyOwner(all, person)}
              onDeed={(name) => onDeed(name, person)}
            />
          ))}
        </tbody>
      </table>
    </>
  );
}
