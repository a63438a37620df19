import { ACTOR_KINDS, AuditEntry, Page, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { readChoice, readInstant, readListQuery } from '../http/read-query.ts';
import { choice, filter, instantParameter, pageParameters, workspaceOperation } from '../http/workspace-operation.ts';
import { AUDIT_ACTIONS } from '../store/audit-store.ts';
import { listAuditEntries } from './list-audit-entries.ts';

export function auditRoutes(deps: Deps) {
  return new Elysia({ name: 'audit', prefix: `${WORKSPACE_API_PATH}/audit` }).get(
    '',
    ({ request }) => {
      const { action, actorKind, from, to, ...query } = readListQuery(request, [
        'hubId',
        'targetId',
        'actorKind',
        'actorId',
        'action',
        'from',
        'to',
      ]);
      return listAuditEntries(deps, {
        ...query,
        action: readChoice('action', action, AUDIT_ACTIONS),
        actorKind: readChoice('actorKind', actorKind, ACTOR_KINDS),
        from: readInstant('from', from),
        to: readInstant('to', to),
      });
    },
    workspaceOperation({
      operationId: 'listAuditEntries',
      summary: 'Read the audit log',
      description:
        'Newest first. With a filter a page may hold fewer entries than `limit`, or none, while `next` leads on to older ones.',
      parameters: [
        ...pageParameters,
        filter('hubId', 'Only what concerns this Hub.'),
        filter(
          'targetId',
          'Only what was done to this: the id of a key, a person, a Hub or whatever else entries name.',
        ),
        choice('actorKind', 'Only what such did.', ACTOR_KINDS),
        filter('actorId', 'Only what this person, or this key, did.'),
        choice('action', 'Only what was done so.', AUDIT_ACTIONS),
        filter('from', 'Not before this instant.', instantParameter),
        filter('to', 'Before this instant.', instantParameter),
      ],
      status: 200,
      response: Page(AuditEntry),
      errors: [404],
    }),
  );
}
