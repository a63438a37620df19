import type { Holding, Holdings, User } from '@hub/contract';
import { path, request } from '../../api/request.ts';
import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { useFresh } from '../use-fresh.ts';
import { countOf } from './holdings-text.ts';

/** What stays when somebody goes, Hub by Hub, with the ways to hand it on. */
export function HoldingsDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { id, name, disabledAt } = user;
  const load = () => request<Holdings>('GET', path`/people/${id}/holdings`);
  const { state, reload } = useFresh(load, ['people', 'keys', 'hubs'], id);
  const isGone = disabledAt !== null;
  return (
    <Dialog
      title={isGone ? `What ${name} left behind` : `What hangs on ${name}`}
      lead={
        isGone
          ? 'Keys go on working: rotate them, so that somebody who is here vouches for them. To-dos wait until somebody takes them over.'
          : 'It all stays if the account is disabled.'
      }
      onClose={onClose}
      actions={
        <button class="btn" type="button" onClick={onClose}>
          Close
        </button>
      }
    >
      {state.status === 'loading' && <Loading />}
      {state.status === 'failed' && <ErrorNotice text={state.text} onAgain={reload} />}
      {state.status === 'ready' && state.value.items.length === 0 && <p>Nothing: no Hub, no key and no open to-do.</p>}
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
        <span class="help">{isMember ? 'Belongs to it' : 'Does not belong to it any more'}</span>
      </span>
      <span class="links">
        {keys > 0 && <a href={`/settings/keys?hub=${hubId}&issuer=${personId}`}>{countOf(keys, 'key')}</a>}
        {openTodos > 0 &&
          (canRead ? (
            <a href={`/hubs/${hubId}/todos?assignee=${personId}`}>{countOf(openTodos, 'open to-do')}</a>
          ) : (
            <a href={`/settings/hubs?hub=${hubId}`} title="You do not belong to this Hub: add yourself to see them">
              {countOf(openTodos, 'open to-do')}, once you belong to it
            </a>
          ))}
      </span>
    </li>
  );
}
