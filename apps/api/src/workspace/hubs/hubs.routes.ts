import type { Deps } from '../../access/deps.ts';
import { serve } from '../../http/operations/serve.ts';
import { changeHub, createHub, deleteHub, restoreHub } from './change-hub.ts';
import { visibleHub } from './hub-rights.ts';
import { markRead } from './mark-read.ts';
import { addMember, listMembers, removeMember, setFavorite } from './members.ts';
import { countHub, hubForCaller, listHubs, previewRetention } from './show-hubs.ts';

export function hubsRoutes(deps: Deps) {
  return serve({
    'GET /hubs': ({ caller, query: { state = 'live', membership, include, ...page } }) =>
      listHubs(deps, caller, {
        ...page,
        filter: state,
        isOwnOnly: membership === 'mine',
        hasCounts: include === 'counts',
      }),
    'POST /hubs': ({ caller, body }) => createHub(deps, caller, body),
    'GET /hubs/{hubId}': async ({ caller, params }) =>
      hubForCaller(deps, caller, await visibleHub(deps.store, caller, params.hubId)),
    'GET /hubs/{hubId}/counts': ({ caller, params }) => countHub(deps, caller, params.hubId),
    'PATCH /hubs/{hubId}': ({ caller, params, body }) => changeHub(deps, caller, params.hubId, body),
    'DELETE /hubs/{hubId}': ({ caller, params }) => deleteHub(deps, caller, params.hubId),
    'POST /hubs/{hubId}/restoration': ({ caller, params }) => restoreHub(deps, caller, params.hubId),
    'GET /hubs/{hubId}/retention-preview': ({ params, query }) =>
      previewRetention(deps, params.hubId, query.retentionDays),
    'PUT /hubs/{hubId}/read': ({ caller, params, body }) => markRead(deps, caller, { ...params, ...body }),
    'PUT /hubs/{hubId}/favorite': ({ caller, params }) => setFavorite(deps, caller, params.hubId, true),
    'DELETE /hubs/{hubId}/favorite': ({ caller, params }) => setFavorite(deps, caller, params.hubId, false),
    'GET /hubs/{hubId}/members': ({ caller, params, query }) => listMembers(deps, caller, { ...query, ...params }),
    'POST /hubs/{hubId}/members': ({ caller, params, body }) => addMember(deps, caller, params.hubId, body.userId),
    'DELETE /hubs/{hubId}/members/{userId}': ({ caller, params }) => removeMember(deps, caller, params),
  });
}
