import { expect, test } from 'bun:test';
import type { AuditEntry } from '@hub/contract';
import { actionText } from './audit-actions.ts';

function textOf(entry: Partial<AuditEntry>, hubName?: string): string {
  const whole: AuditEntry = {
    id: 'aud_1',
    at: '2026-11-12T05:20:11.000Z',
    actor: { kind: 'user', id: 'usr_1', name: 'Mara' },
    address: '10.0.2.8',
    action: 'key.revoked',
    hubId: 'hub_1',
    targetId: 'key_1',
    targetName: 'deploy-pipeline',
    details: {},
    ...entry,
  };
  return actionText(whole, hubName)
    .map((piece) => (typeof piece === 'string' ? piece : piece.name))
    .join('');
}

test('describes each action as a sentence', () => {
  expect(textOf({})).toBe('Revoked deploy-pipeline');
  expect(textOf({ details: { successorId: 'key_2' } })).toBe('Revoked the old key of deploy-pipeline');
  expect(
    textOf({ action: 'key.issued', details: { scopes: ['messages:create', 'todos:create'], expiresAt: null } }),
  ).toBe('Issued deploy-pipeline for messages and to-dos, with no expiry');
  expect(textOf({ action: 'key.replaced' })).toBe('Replaced deploy-pipeline; the old key stopped working immediately');
  expect(textOf({ action: 'posts.removed', details: { count: 1_200 } })).toContain('Removed 1');
  expect(textOf({ action: 'hub.renamed', details: { from: 'Releases', to: 'Deploys' } })).toBe(
    'Renamed the Hub Releases to Deploys',
  );
  expect(textOf({ action: 'hub.changed', details: { retentionDays: null } })).toEndWith('items are kept forever');
  expect(textOf({ action: 'item.deleted', details: { kind: 'todo' } })).toBe('Deleted a to-do');
  expect(textOf({ action: 'item.restored', details: { kind: 'note' } })).toBe('Restored a note');
});

test('describes changed settings with their old and new values', () => {
  const from = { name: 'Hub', membersManageKeys: true, longestKeyLifetimeDays: null };
  const to = { name: 'Hub', membersManageKeys: false, longestKeyLifetimeDays: 90 };
  expect(textOf({ action: 'workspace.changed', details: { from, to } })).toBe(
    'Changed the workspace: who can manage keys from members and admins to admins only, the maximum key lifetime from no limit to 90 days',
  );
});

test('puts the Hub after the target', () => {
  expect(textOf({}, 'Deploys')).toBe('Revoked deploy-pipeline in Deploys');
  expect(textOf({ action: 'key.replaced' }, 'Deploys')).toBe(
    'Replaced deploy-pipeline in Deploys; the old key stopped working immediately',
  );
  expect(textOf({ action: 'item.deleted', details: { kind: 'note' } }, 'Deploys')).toBe('Deleted a note in Deploys');
  expect(textOf({ action: 'member.added', targetName: 'Jonas' }, 'Deploys')).toBe('Added Jonas to Deploys');
  expect(textOf({ action: 'member.removed', targetId: 'usr_1' }, 'Deploys')).toBe('Left Deploys');
});

test('says who invited a member', () => {
  expect(textOf({ action: 'member.removed', targetId: 'usr_2', targetName: 'Jonas' })).toBe('Removed Jonas');
  expect(textOf({ action: 'member.added', targetName: 'Jonas', details: { invitedBy: { name: 'Mara' } } })).toBe(
    'Added Jonas, invited by Mara',
  );
});

test('shows unknown actions by name, and leaves out missing details', () => {
  expect(textOf({ action: 'moon.landed', targetName: 'Eagle' })).toBe('moon.landed: Eagle');
  expect(textOf({ action: 'key.rotated', details: {} })).toBe('Rotated deploy-pipeline');
  expect(textOf({ action: 'key.revoked', targetName: null })).toBe('Revoked key_1');
});
