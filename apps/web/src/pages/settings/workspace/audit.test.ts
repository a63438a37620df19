import { describe, expect, test } from 'bun:test';
import type { AuditEntry } from '@hub/contract';
import { actionText } from './audit-actions.ts';
import { csvOf } from './audit-export.ts';
import { queryOf, readFilter } from './audit-filter.ts';

describe('an audit entry', () => {
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

  test.each<[Partial<AuditEntry>, string]>([
    [{}, 'Revoked deploy-pipeline'],
    [{ details: { successorId: 'key_2' } }, 'Revoked the old key of deploy-pipeline'],
    [
      { action: 'key.issued', details: { scopes: ['messages:create', 'todos:create'], expiresAt: null } },
      'Issued deploy-pipeline for messages and to-dos, with no expiry',
    ],
    [{ action: 'key.replaced' }, 'Replaced deploy-pipeline; the old key stopped working immediately'],
    [{ action: 'hub.renamed', details: { from: 'Releases', to: 'Deploys' } }, 'Renamed the Hub Releases to Deploys'],
    [{ action: 'item.deleted', details: { kind: 'todo' } }, 'Deleted a to-do'],
    [{ action: 'item.restored', details: { kind: 'note' } }, 'Restored a note'],
    // Unknown actions, and missing details.
    [{ action: 'moon.landed', targetName: 'Eagle' }, 'moon.landed: Eagle'],
    [{ action: 'key.rotated', details: {} }, 'Rotated deploy-pipeline'],
    [{ action: 'key.revoked', targetName: null }, 'Revoked key_1'],
  ])('%j is described as "%s"', (entry, text) => expect(textOf(entry)).toBe(text));

  test('of removed posts has their count, and of a retention period what it means', () => {
    expect(textOf({ action: 'posts.removed', details: { count: 1_200 } })).toContain('Removed 1');
    expect(textOf({ action: 'hub.changed', details: { retentionDays: null } })).toEndWith('items are kept forever');
  });
});

describe('the export', () => {
  test('quotes CSV cells where needed, and neutralizes formulas', () => {
    const csv = csvOf([
      {
        id: 'aud_1',
        at: '2026-11-12T05:20:11.000Z',
        actor: { kind: 'user', id: 'usr_1', name: 'Lindqvist, "Mara"' },
        address: null,
        action: 'key.revoked',
        hubId: 'hub_1',
        targetId: 'key_1',
        targetName: '=cmd()',
        details: { a: 1 },
      },
    ]);
    expect(csv).toBe(
      'at,actorKind,actorId,actorName,address,action,hubId,targetId,targetName,details\r\n' +
        `2026-11-12T05:20:11.000Z,user,usr_1,"Lindqvist, ""Mara""",,key.revoked,hub_1,key_1,'=cmd(),"{""a"":1}"\r\n`,
    );
  });
});

describe('the filter', () => {
  const read = (query: string) => readFilter(new URLSearchParams(query));

  test('queries users by id and other actors by kind, and ends a date range at the start of the following day', () => {
    expect(queryOf(read('who=server'))).toMatchObject({ actorKind: 'server', actorId: null });
    expect(queryOf(read('who=usr_1'))).toMatchObject({ actorKind: null, actorId: 'usr_1' });
    const { from, to } = queryOf(read('from=2026-11-30&to=2026-11-30'));
    expect(from).toBe(new Date(2026, 10, 30).toISOString());
    expect(to).toBe(new Date(2026, 11, 1).toISOString());
  });

  test('ignores dates in the URL that do not exist', () => {
    for (const day of ['whenever', '2026-99-99', '2026-02-31']) {
      expect(read(`from=${day}&to=2026-01-01`)).toMatchObject({ from: null, to: '2026-01-01' });
    }
  });
});
