import type { Role, User } from '@hub/contract';
import { useState } from 'preact/hooks';
import { path, request } from '../../api/request.ts';
import { toast } from '../../ui/toast.tsx';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { RoleChoice } from './role-choice.tsx';
import { ROLE_LABELS } from './users-list.ts';

interface RoleDialogProps {
  user: User;
  onChanged: () => Promise<void>;
  onClose: () => void;
}

export function RoleDialog({ user: { id, name, role: present }, onChanged, onClose }: RoleDialogProps) {
  const [role, setRole] = useState<Role>(present);
  const change = async () => {
    if (role === present)
      throw new Error(`${name} is ${ROLE_LABELS[present].toLowerCase()} already. Choose another role.`);
    await request<User>('PATCH', path`/people/${id}`, { body: { role } });
    await onChanged();
    toast(`${name} is ${ROLE_LABELS[role].toLowerCase()} now.`);
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
