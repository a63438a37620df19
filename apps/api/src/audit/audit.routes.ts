import { AuditEntry, Page, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { readListQuery } from '../http/read-query.ts';
import { workspaceOperation } from '../http/workspace-operation.ts';
import { listAuditEntries } from './list-audit-entries.ts';

export function auditRoutes(deps: Deps) {
  return new Elysia({ name: 'audit', prefix: `${WORKSPACE_API_PATH}/audit` }).get(
    '',
    ({ request }) => listAuditEntries(deps, readListQuery(request, ['hubId'])),
    { response: Page(AuditEntry), detail: workspaceOperation('listAuditEntries', 'Read the audit log') },
  );
}
