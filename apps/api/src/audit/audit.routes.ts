import { ACTOR_KINDS, AUDIT_ACTIONS, AuditEntry, Page, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import type { PageRequest } from '../core/paging.ts';
import { isoTime } from '../core/time.ts';
import { readChoice, readInstant, readListQuery } from '../http/read-query.ts';
import { findHub } from '../hubs/hub-rights.ts';
import type { AuditFilter } from '../storage/audit-store.ts';
import {
  choice,
  filter,
  instantParameter,
  pageParameters,
  workspaceOperation,
} from '../workspace-api/workspace-operation.ts';

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
        'Newest first. With a filter, a page can have fewer entries than `limit`, or none, while `next` still leads to older ones.',
      parameters: [
        ...pageParameters,
        filter('hubId', 'Only entries about this Hub.'),
        filter('targetId', 'Only entries with this target: the id of a key, a user, a Hub or another object.'),
        choice('actorKind', 'Only actions of this kind of actor.', ACTOR_KINDS),
        filter('actorId', 'Only actions of this user or key.'),
        choice('action', 'Only this action.', AUDIT_ACTIONS),
        filter('from', 'At or after this time.', instantParameter),
        filter('to', 'Before this time.', instantParameter),
      ],
      response: Page(AuditEntry),
      errors: [404],
    }),
  );
}

/**
 * Returns a page of the audit log, newest first. With filters, a page can have fewer entries than requested, or none,
 * even though older matches follow after `next`: each request reads only a bounded part of a growing log.
 */
async function listAuditEntries({ store }: Deps, query: PageRequest & AuditFilter) {
  // Entries outlive their Hub, so the Hub may be deleted. An unknown id is a mistake.
  if (query.hubId !== undefined) await findHub(store, query.hubId);
  const { entries, next } = await store.audit.search(query);
  return { items: entries.map((entry) => ({ ...entry, at: isoTime(entry.at) })), next };
}
