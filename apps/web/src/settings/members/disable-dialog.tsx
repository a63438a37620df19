import type { Holdings, User } from '@hub/contract';
import { path, request } from '../../api/request.ts';
import { toast } from '../../ui/toast.tsx';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { useFresh } from '../use-fresh.ts';
import { countOf, type HoldingsTotal, totalOf } from './holdings-text.ts';

interface DisableDialogProps {
  user: User;
  /** `isMuchLeft`: somebody has to see to something now. */
  onDisabled: (isMuchLeft: boolean) => Promise<void>;
  onClose: () => void;
}

export function DisableDialog({ user: { id, name }, onDisabled, onClose }: DisableDialogProps) {
  const { state } = useFresh(() => request<Holdings>('GET', path`/people/${id}/holdings`), [], id);
  const total = state.status === 'ready' ? totalOf(state.value) : null;
  return (
    <ConfirmDialog
      title={`Disable ${name}?`}
      lead={`${name} is locked out at once: sessions, access tokens and live views end within a second, and open links for the account with them. What ${name} wrote stays. You can enable the account again.`}
      keep="Keep the account"
      act="Disable now"
      isBad
      onAct={async () => {
        await request<User>('POST', path`/people/${id}/deactivation`);
        toast(`${name} is disabled.`);
      }}
      onDone={() => void onDisabled(total !== null && total.keys + total.openTodos > 0)}
      onClose={onClose}
    >
      {total && <LeftBehind name={name} total={total} />}
      {state.status === 'failed' && <p class="help">What would be left behind did not load. {state.text}</p>}
    </ConfirmDialog>
  );
}

/** Only what there is. */
function LeftBehind({ name, total: { keys, openTodos, hubs } }: { name: string; total: HoldingsTotal }) {
  if (keys + openTodos + hubs === 0) return <p class="help">{name} leaves nothing behind that needs anybody.</p>;
  return (
    <ul class="holdings">
      {keys > 0 && (
        <li>
          <b>{countOf(keys, 'key')}</b> issued by {name}: {keys === 1 ? 'it goes' : 'they go'} on working, flagged.
        </li>
      )}
      {openTodos > 0 && (
        <li>
          <b>{countOf(openTodos, 'open to-do')}</b>: assigned to {name} until somebody takes{' '}
          {openTodos === 1 ? 'it' : 'them'} over.
        </li>
      )}
      {hubs > 0 && (
        <li>
          <b>{countOf(hubs, 'Hub')}</b>: {hubs === 1 ? 'the membership stays' : 'the memberships stay'}, for the day on
          which the account is enabled.
        </li>
      )}
    </ul>
  );
}
