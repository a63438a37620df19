import type { SeededKey } from './seed-keys.ts';
import type { SeededUsers } from './seed-users.ts';
import type { World } from './world.ts';

const ACTIONS = ['key.issued', 'key.rotated', 'key.revoked', 'key.blocked', 'hub.renamed', 'member.added'] as const;
/** A rare action that happened long ago. */
const RARE_ACTION = 'hub.exported';

interface AuditToSeed {
  hubIds: readonly string[];
  keys: readonly SeededKey[];
  users: SeededUsers;
  count: number;
}

/** All entries are from the last minute, since IDs must increase. Their exact time does not matter here. */
export function seedAudit(world: World, { keys, users, count }: AuditToSeed): void {
  for (let n = 0; n < count; n += 1) {
    const key = keys[n % keys.length] as SeededKey;
    const actor = n % 5_000 === 3 ? users.ada : users.admin;
    world.insert('audit_entries', {
      id: world.newId('aud'),
      at: world.now,
      actor_kind: 'person',
      actor_id: actor.id,
      actor_name: actor.name,
      address: '192.0.2.7',
      action: n % 50_000 === 11 ? RARE_ACTION : (ACTIONS[n % ACTIONS.length] ?? ''),
      hub_id: key.hubId,
      target_id: key.id,
      target_name: key.name,
      details: '{}',
    });
  }
}
