import { expect, test } from 'bun:test';
import type { AuditEntry } from '@hub/contract';
import { actionText } from './audit-actions.ts';

function said(entry: Partial<AuditEntry>, hubName?: string): string {
  const whole: AuditEntry = {
    id: 'aud_1',
    at: '2026-11-12T05:20:11.000Z',
    actor: { kind: 'person', id: 'usr_1', name: 'Mara' },
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

test('each deed is a sentence', () => {
  expect(said({})).toBe('Revoked deploy-pipeline');
  expect(said({ details: { successorId: 'key_2' } })).toBe('Ended the old key of deploy-pipeline');
  expect(
    said({ action: 'key.issued', details: { scopes: ['messages:create', 'todos:create'], expiresAt: null } }),
  ).toBe('Issued deploy-pipeline for messages and to-dos, which never expires');
  expect(said({ action: 'key.replaced' })).toBe('Replaced deploy-pipeline; the previous key stopped at once');
  expect(said({ action: 'posts.removed', details: { count: 1_200 } })).toContain('Removed 1');
  expect(said({ action: 'hub.renamed', details: { from: 'Releases', to: 'Deploys' } })).toBe(
    'Renamed the Hub Releases to Deploys',
  );
  expect(said({ action: 'hub.changed', details: { retentionDays: null } })).toEndWith('it keeps its items for ever');
  expect(said({ action: 'item.edited', details: { kind: 'message', author: 'Ada' } })).toBe('Edited a message by Ada');
  expect(said({ action: 'item.deleted', details: { kind: 'todo' } })).toBe('Deleted a to-do');
});

test('what was changed is said with what it was before', () => {
  const from = { name: 'Hub', membersManageKeys: true, longestKeyLifetimeDays: null };
  const to = { name: 'Hub', membersManageKeys: false, longestKeyLifetimeDays: 90 };
  expect(said({ action: 'workspace.changed', details: { from, to } })).toBe(
    'Changed the workspace: who manages keys from members and admins to admins alone, the longest lifetime of keys from no limit to 90 days',
  );
});

test('the Hub stands behind what something was done to', () => {
  expect(said({}, 'Deploys')).toBe('Revoked deploy-pipeline in Deploys');
  expect(said({ action: 'key.replaced' }, 'Deploys')).toBe(
    'Replaced deploy-pipeline in Deploys; the previous key stopped at once',
  );
  expect(said({ action: 'item.deleted', details: { kind: 'note' } }, 'Deploys')).toBe('Deleted a note in Deploys');
  expect(said({ action: 'member.added', targetName: 'Jonas' }, 'Deploys')).toBe('Added Jonas to Deploys');
  expect(said({ action: 'member.removed', targetId: 'usr_1' }, 'Deploys')).toBe('Left Deploys');
});

test('an invitation says by whom', () => {
  expect(said({ action: 'member.removed', targetId: 'usr_2', targetName: 'Jonas' })).toBe('Removed Jonas');
  expect(said({ action: 'member.added', targetName: 'Jonas', details: { invitedBy: { name: 'Mara' } } })).toBe(
    'Added Jonas, invited by Mara',
  );
});

test('what is not known is shown as it is, and what is not there is left out', () => {
  expect(said({ action: 'moon.landed', targetName: 'Eagle' })).toBe('moon.landed: Eagle');
  expect(said({ action: 'key.rotated', details: {} })).toBe('Rotated deploy-pipeline');
  expect(said({ action: 'key.revoked', targetName: null })).toBe('Revoked key_1');
});
