import { AuditEntry, Page, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { readListQuery } from '../http/read-query.ts';
import { filter, pageParameters, workspaceOperation } from '../http/workspace-operation.ts';
import { listAuditEntries } from './list-audit-entries.ts';

export function auditRoutes(deps: Deps) {
  return new Elysia({ name: 'audit', prefix: `${WORKSPACE_API_PATH}/audit` }).get(
    '',
    ({ request }) => listAuditEntries(deps, readListQuery(request, ['hubId'])),
    workspaceOperation({
      operationId: 'listAuditEntries',
      summary: 'Read the audit log',
      parameters: [...pageParameters, filter('hubId', 'Only what concerns this Hub.')],
      status: 200,
      answer: Page(AuditEntry),
    }),
  );
}
