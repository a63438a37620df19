import type { Role, User } from '@hub/contract';
import { useState } from 'preact/hooks';
import { request } from '../../data/request.ts';
import { toast } from '../../ui/toast.tsx';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { RoleChoice } from './role-choice.tsx';
import { ROLE_LABELS } from './users-list.ts';

interface RoleDialogProps {
  user: User;
  onChanged: () => Promise<void>;
  onClose: () => void;
}

export function RoleDialog({ user: { id, name, role: current }, onChanged, onClose }: RoleDialogProps) {
  const [role, setRole] = useState<Role>(current);
  const change = async () => {
    if (role === current) throw new Error(`${name} already has the role ${ROLE_LABELS[current]}. Choose another one.`);
    await request('PATCH /people/{personId}', { personId: id, body: { role } });
    await onChanged();
    toast(`${name} now has the role ${ROLE_LABELS[role]}.`);
  };
  return (
    <ConfirmDialog
      title={`Change role of ${name}`}
      lead="The change applies immediately, and unused password reset links for this account stop working."
      act="Change role"
      onAct={change}
      onClose={onClose}
    >
      <RoleChoice chosen={role} onChoose={setRole} />
    </ConfirmDialog>
  );
}
