import type { Holding, User } from '@hub/contract';
import { request } from '../../data/request.ts';
import { useResource } from '../../data/use-resource.ts';
import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { countOf } from './holdings-text.ts';

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
      {state.status === 'loading' && <Loading />}
      {state.status === 'failed' && <ErrorNotice text={state.text} onRetry={reload} />}
      {state.status === 'ready' && state.value.items.length === 0 && <p>No Hubs, keys or open to-dos.</p>}
      {state.status === 'ready' && state.value.items.length > 0 && (
        <ul class="sessions">
          {state.value.items.map((holding) => (
            <HoldingRow key={holding.hubId} holding={holding} personId={id} />
          ))}
        </ul>
      )}
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
