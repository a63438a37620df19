import type { WorkspaceTopic } from '@hub/contract';
import type { AuditAction } from '../audit-store.ts';

/** By the noun before the point; what is not here changes no list that others look at but the audit log. */
const TOPICS: Readonly<Record<string, readonly WorkspaceTopic[]>> = {
  hub: ['hubs'],
  member: ['hubs', 'people'],
  key: ['keys'],
  posts: ['keys'],
  person: ['people'],
  invitation: ['people'],
  workspace: ['workspace'],
};

/** What somebody who looks at the workspace has to load anew after this deed. Every deed is in the audit log, so none is missed. */
export function topicsOf(action: AuditAction): readonly WorkspaceTopic[] {
  return TOPICS[action.slice(0, action.indexOf('.'))] ?? ['audit'];
}
