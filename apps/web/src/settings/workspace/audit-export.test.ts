import { expect, test } from 'bun:test';
import { csvOf } from './audit-export.ts';

test('a table for spreadsheets: quoted where it must be, and nothing in it is run', () => {
  const csv = csvOf([
    {
      id: 'aud_1',
      at: '2026-11-12T05:20:11.000Z',
      actor: { kind: 'person', id: 'usr_1', name: 'Lindqvist, "Mara"' },
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
      `2026-11-12T05:20:11.000Z,person,usr_1,"Lindqvist, ""Mara""",,key.revoked,hub_1,key_1,'=cmd(),"{""a"":1}"\r\n`,
  );
});
