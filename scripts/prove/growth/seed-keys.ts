import { KEY_PREFIX } from '@hub/contract';
import { newToken } from '@hub/testkit';
import { hashOf, type SeededUser, type World, word } from './seed-users.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const USAGE_DAYS = 30;
/** A tenth of the keys are in the first Hub, and a few percent are no longer valid. */
const FIRST_HUB_SHARE = 0.1;
const REMOVALS = 250;
/** Keys are issued only in this first fraction of the workspace's history, since posts need keys. */
export const KEYS_UNTIL_SHARE = 0.05;

export type KeyState = 'active' | 'revoked' | 'expired' | 'rotated';

export interface SeededKey {
  readonly id: string;
  readonly hubId: string;
  readonly name: string;
  readonly token: string;
  readonly state: KeyState;
}

interface KeysToSeed {
  count: number;
  hubIds: readonly string[];
  issuer: SeededUser;
}

export function seedKeys(world: World, { count, hubIds, issuer }: KeysToSeed): SeededKey[] {
  const keys = Array.from({ length: count }, (_, n) => {
    world.goTo((n / count) * KEYS_UNTIL_SHARE);
    const hubId = hubIds[n < count * FIRST_HUB_SHARE ? 0 : n % hubIds.length] ?? '';
    return addKey(world, { n, hubId, issuer });
  });
  for (const { id } of keys.slice(0, 2_000)) addDays(world, id);
  const [first] = keys;
  if (first) for (let n = 0; n < REMOVALS; n += 1) addRemoval(world, first);
  return keys;
}

function addKey(world: World, { n, hubId, issuer }: { n: number; hubId: string; issuer: SeededUser }): SeededKey {
  const token = newToken(world.random, KEY_PREFIX);
  const state = stateOf(n);
  const id = world.newId('key');
  const name = `${word(n)} deploys`;
  world.insert('api_keys', {
    id,
    hub_id: hubId,
    name,
    token_hash: hashOf(token),
    last_four: token.slice(-4),
    scopes: 'messages:create notes:create todos:create',
    generation: 1,
    created_at: world.now,
    created_by_kind: 'user',
    created_by_id: issuer.id,
    created_by_name: issuer.name,
    expires_at: state === 'expired' ? world.now + DAY_MS : null,
    overlap_ends_at: state === 'rotated' ? world.now + DAY_MS : null,
    revoked_at: state === 'revoked' ? world.now + DAY_MS : null,
    last_used_at: world.now,
    last_used_address: '192.0.2.7',
  });
  return { id, hubId, name, token, state };
}

/** Only about ten keys are rotated, to check that keys in a rare state are found as quickly as others. */
function stateOf(n: number): KeyState {
  if (n % 10_000 === 9) return 'rotated';
  if (n % 100 === 7) return 'revoked';
  return n % 100 === 8 ? 'expired' : 'active';
}

function addDays(world: World, keyId: string): void {
  const today = Math.floor(world.span.until / DAY_MS);
  for (let day = today - USAGE_DAYS; day < today; day += 1) {
    world.insert('key_days', { key_id: keyId, day, requests: 50, posts: 40 });
  }
}

function addRemoval(world: World, { id, hubId }: SeededKey): void {
  world.insert('removals', {
    id: world.newId('rmv'),
    key_id: id,
    hub_id: hubId,
    count: 0,
    removed_at: world.now,
    undone_at: world.now,
  });
}
