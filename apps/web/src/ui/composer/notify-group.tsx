import { ConfirmDialog } from '../forms/confirm.tsx';

interface NotifyGroupProps {
  /** `@hub` or `@here`. */
  group: string;
  members: number;
  onSend: () => void;
  onClose: () => void;
}

/** Confirms a message that notifies many members. */
export function NotifyGroup({ group, members, onSend, onClose }: NotifyGroupProps) {
  const all = group === '@hub';
  return (
    <ConfirmDialog
      title={all ? `Notify all ${members} members?` : 'Notify everyone who is here?'}
      description={
        all
          ? '@hub mentions every member of this Hub.'
          : `@here mentions those of the ${members} members of this Hub who have a page open.`
      }
      submitLabel="Send"
      onAct={async () => onSend()}
      onClose={onClose}
    />
  );
}
