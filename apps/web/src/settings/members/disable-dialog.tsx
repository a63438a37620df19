import type { User } from '@hub/contract';
import { request } from '../../data/request.ts';
import { useResource } from '../../data/use-resource.ts';
import { toast } from '../../ui/toast.tsx';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { countOf, type HoldingsTotal, totalOf } from './holdings-text.ts';

interface DisableDialogProps {
  user: User;
  /** `isMuchLeft`: the user still has keys or open to-dos. */
  onDisabled: (isMuchLeft: boolean) => Promise<void>;
  onClose: () => void;
}

export function DisableDialog({ user: { id, name }, onDisabled, onClose }: DisableDialogProps) {
  const load = (signal: AbortSignal) => request('GET /people/{personId}/holdings', { personId: id, signal });
  const { state, value } = useResource(load, { key: id, topics: [] });
  const total = value ? totalOf(value) : null;
  return (
    <ConfirmDialog
      title={`Disable ${name}?`}
      lead={`${name} is signed out immediately, and their access tokens and open links stop working. Their posts stay. You can enable the account again.`}
      act="Disable account"
      isBad
      onAct={async () => {
        await request('POST /people/{personId}/deactivation', { personId: id });
        toast(`${name} disabled.`);
      }}
      onDone={() => void onDisabled(total !== null && total.keys + total.openTodos > 0)}
      onClose={onClose}
    >
      {total && <RemainingItems name={name} total={total} />}
      {state.status === 'failed' && <p class="help">Couldn’t load their keys and to-dos. {state.text}</p>}
    </ConfirmDialog>
  );
}

/** Lists what stays assigned to a disabled user. */
function RemainingItems({ name, total: { keys, openTodos, hubs } }: { name: string; total: HoldingsTotal }) {
  if (keys + openTodos + hubs === 0) return <p class="help">{name} has no keys, open to-dos or Hubs.</p>;
  return (
    <ul class="holdings">
      {keys > 0 && (
        <li>
          <b>{countOf(keys, 'key')}</b> issued by {name}:{' '}
          {keys === 1 ? 'it keeps working and is flagged' : 'they keep working and are flagged'}.
        </li>
      )}
      {openTodos > 0 && (
        <li>
          <b>{countOf(openTodos, 'open to-do')}</b>: assigned to {name} until someone takes{' '}
          {openTodos === 1 ? 'it' : 'them'} over.
        </li>
      )}
      {hubs > 0 && (
        <li>
          <b>{countOf(hubs, 'Hub')}</b>: {hubs === 1 ? 'the membership is' : 'the memberships are'} kept in case you
          enable the account.
        </li>
      )}
    </ul>
  );
}
