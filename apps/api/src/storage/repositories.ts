import type { AuditRepository } from './audit.ts';
import type { AvatarRepository } from './avatars.ts';
import type { EventRepository } from './events.ts';
import type { HubRepository } from './hubs.ts';
import type { ItemRepository } from './item-changes.ts';
import type { KeyRepository } from './keys.ts';
import type { LinkReads, LinkRepository } from './links.ts';
import type { MembershipRepository } from './memberships.ts';
import type { MentionRepository } from './mentions.ts';
import type { NotificationRepository } from './notifications.ts';
import type { PruneRepository } from './prune.ts';
import type { RemovalRepository } from './removals.ts';
import type { SessionReads, SessionRepository, TokenRepository } from './sessions-and-tokens.ts';
import type { UserRepository } from './users.ts';
import type { WorkspaceRepository } from './workspace.ts';

/**
 * Reads and writes of a transaction, in one small repository for each noun. They hold no rules: who may do
 * something, and whether it makes sense, is decided by the use case before it writes.
 */
export interface Repositories {
  readonly audit: AuditRepository;
  readonly avatars: AvatarRepository;
  readonly events: EventRepository;
  readonly hubs: HubRepository;
  readonly items: ItemRepository;
  readonly keys: KeyRepository;
  readonly links: LinkRepository;
  readonly memberships: MembershipRepository;
  readonly mentions: MentionRepository;
  readonly notifications: NotificationRepository;
  readonly pruning: PruneRepository;
  readonly removals: RemovalRepository;
  readonly sessions: SessionRepository;
  readonly tokens: TokenRepository;
  readonly users: UserRepository & SessionReads & LinkReads;
  readonly workspace: WorkspaceRepository;
}
