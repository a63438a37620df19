import { expect, test } from 'bun:test';
import { csvOf, exportedText } from './audit-export.ts';

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

test('says how many entries were exported, and whether the file is limited to the newest', () => {
  expect([0, 1, 2].map((count) => exportedText(count, true))).toEqual([
    '0 entries exported.',
    '1 entry exported.',
    '2 entries exported.',
  ]);
  expect(exportedText(5_000, false)).toStartWith('Exported the newest 5,000 entries, the most a file can hold.');
});
