import type { ApiKey } from './keys.ts';

export const NOW = Date.parse('2026-03-20T12:00:00.000Z');
const DAY_MS = 86_400_000;

/** Returns the instant this many days from now; negative numbers are in the past. */
export const daysFromNow = (days: number): string => new Date(NOW + days * DAY_MS).toISOString();

/** Returns an active key without findings. */
export function testKey(over: Partial<ApiKey> = {}): ApiKey {
  return {
    ...{ id: 'key_1', hubId: 'hub_1', hubName: 'Deploys', isHubDeleted: false, name: 'canary-watch', link: null },
    ...{ description: null, hint: 'hub_live_…R3ew', generation: 1, predecessorId: null, successorId: null },
    ...{ createdAt: daysFromNow(-60), expiresAt: daysFromNow(200), overlapEndsAt: null, blockedUntil: null },
    ...{ revokedAt: null, lastUsedAt: daysFromNow(-1), lastUsedAddress: '192.0.2.1', requestCount: 50, postCount: 50 },
    scopes: ['messages:create'],
    state: 'active',
    createdBy: { kind: 'user', id: 'per_1', name: 'Mara Lindqvist' },
    unusedScopes: [],
    isIssuerGone: false,
    ...over,
  };
}
