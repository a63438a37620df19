import type { Person, Role } from '@hub/contract';
import { useState } from 'preact/hooks';
import { path, request } from '../../api/request.ts';
import { toast } from '../../ui/toast.tsx';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { ROLE_WORDS } from './people-list.ts';
import { RoleChoice } from './role-choice.tsx';

interface RoleDialogProps {
  person: Person;
  onChanged: () => Promise<void>;
  onClose: () => void;
}

export function RoleDialog({ person: { id, name, role: present }, onChanged, onClose }: RoleDialogProps) {
  const [role, setRole] = useState<Role>(present);
  const change = async () => {
    if (role === present)
      throw new Error(`${name} is ${ROLE_WORDS[present].toLowerCase()} already. Choose another role.`);
    await request<Person>('PATCH', path`/people/${id}`, { body: { role } });
    await onChanged();
    toast(`${name} is ${ROLE_WORDS[role].toLowerCase()} now.`);
  };
  return (
    <ConfirmDialog
      title={`Role of ${name}`}
      lead="It counts at once. Reset links for the account end with it."
      keep="Cancel"
      act="Change the role"
      onAct={change}
      onClose={onClose}
    >
      <RoleChoice chosen={role} onChoose={setRole} />
    </ConfirmDialog>
  );
}
