import type { Holding, Holdings, User } from '@hub/contract';
import { useResource } from '../../../data/live/use-resource.ts';
import { useWorkspace } from '../../../data/live/workspace.ts';
import { request } from '../../../data/request.ts';
import { countOf } from '../../../lib/count-text.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ConfirmDialog } from '../../../ui/forms/form-dialog.tsx';
import { Loaded } from '../../../ui/forms/page-body.tsx';
import { toast } from '../../../ui/toast.tsx';

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

interface HoldingsTotal {
  hubs: number;
  keys: number;
  openTodos: number;
}

function totalOf({ items }: Holdings): HoldingsTotal {
  return {
    hubs: items.filter(({ isMember }) => isMember).length,
    keys: items.reduce((sum, { keys }) => sum + keys, 0),
    openTodos: items.reduce((sum, { openTodos }) => sum + openTodos, 0),
  };
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

/** Lists a user's keys and open to-dos by Hub, with links to reassign them. */
export function HoldingsDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { id, name, disabledAt } = user;
  const load = (signal: AbortSignal) => request('GET /people/{personId}/holdings', { personId: id, signal });
  const { state, reload } = useResource(load, { key: id, topics: ['people', 'keys', 'hubs'] });
  const isGone = disabledAt !== null;
  return (
    <Dialog
      title={`${name}’s keys and to-dos`}
      lead={
        isGone
          ? 'Keys keep working: rotate them so that an active member is responsible for them. To-dos stay open until someone takes them over.'
          : 'All of it stays if you disable the account.'
      }
      onClose={onClose}
      actions={
        <button class="btn" type="button" onClick={onClose}>
          Close
        </button>
      }
    >
      <Loaded state={state} onRetry={reload}>
        {({ items }) =>
          items.length === 0 ? (
            <p>No Hubs, keys or open to-dos.</p>
          ) : (
            <ul class="sessions">
              {items.map((holding) => (
                <HoldingRow key={holding.hubId} holding={holding} personId={id} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  );
}

function HoldingRow({ holding, personId }: { holding: Holding; personId: string }) {
  const { hubs } = useWorkspace();
  const { hubId, hubName, isMember, keys, openTodos } = holding;
  const canRead = hubs.find(hubId)?.isMember ?? false;
  return (
    <li>
      <span>
        <b>{hubName}</b>
        <span class="help">{isMember ? 'Member' : 'No longer a member'}</span>
      </span>
      <span class="links">
        {keys > 0 && <a href={`/settings/keys?hub=${hubId}&issuer=${personId}`}>{countOf(keys, 'key')}</a>}
        {openTodos > 0 &&
          (canRead ? (
            <a href={`/hubs/${hubId}/todos?assignee=${personId}`}>{countOf(openTodos, 'open to-do')}</a>
          ) : (
            <a href={`/settings/hubs?hub=${hubId}`} title="You’re not a member of this Hub. Add yourself to see them.">
              {countOf(openTodos, 'open to-do')} (join this Hub to see)
            </a>
          ))}
      </span>
    </li>
  );
}
