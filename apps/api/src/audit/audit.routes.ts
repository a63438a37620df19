import { AuditEntry, Page, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { readChoice, readListQuery } from '../http/read-query.ts';
import { choice, filter, pageParameters, workspaceOperation } from '../http/workspace-operation.ts';
import { AUDIT_ACTIONS } from '../store/store.ts';
import { listAuditEntries } from './list-audit-entries.ts';

export function auditRoutes(deps: Deps) {
  return new Elysia({ name: 'audit', prefix: `${WORKSPACE_API_PATH}/audit` }).get(
    '',
    ({ request }) => {
      const { action, ...query } = readListQuery(request, ['hubId', 'actorId', 'targetId', 'action']);
      return listAuditEntries(deps, { ...query, action: readChoice('action', action, AUDIT_ACTIONS) });
    },
    workspaceOperation({
      operationId: 'listAuditEntries',
      summary: 'Read the audit log',
      description:
        'Newest first. With a filter a page may hold fewer entries than `limit`, or none, while `next` leads on to older ones.',
      parameters: [
        ...pageParameters,
        filter('hubId', 'Only what concerns this Hub.'),
        filter('actorId', 'Only what this person, or this key, did.'),
        filter('targetId', 'Only what was done to this key, person or Hub. With `hubId` it is found sooner.'),
        choice('action', 'Only what was done so.', AUDIT_ACTIONS),
      ],
      status: 200,
      answer: Page(AuditEntry),
      refusals: [404],
    }),
  );
}
