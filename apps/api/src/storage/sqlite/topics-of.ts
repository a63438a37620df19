import type { WorkspaceTopic } from '@hub/contract';
import type { AuditAction } from '../audit-store.ts';

/** Topics by the first part of an action's name. Other actions change no shared list except the audit log. */
const TOPICS: Readonly<Record<string, readonly WorkspaceTopic[]>> = {
  hub: ['hubs'],
  member: ['hubs', 'people'],
  key: ['keys'],
  posts: ['keys'],
  person: ['people'],
  invitation: ['people'],
  workspace: ['workspace'],
};

/**
 * Returns the lists of the workspace to reload after this action. Every action is in the audit log, so none is missed.
 */
export function topicsOf(action: AuditAction): readonly WorkspaceTopic[] {
  return TOPICS[action.slice(0, action.indexOf('.'))] ?? ['audit'];
}
