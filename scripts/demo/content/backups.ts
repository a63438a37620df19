import { dayAt, lines, type Setup } from '../setup.ts';

export async function fillBackups(setup: Setup): Promise<void> {
  for (const [size, seconds] of [
    ['3.1 GB', 41],
    ['3.1 GB', 43],
    ['3.2 GB', 42],
  ] as const) {
    await setup.post(
      'backup-nightly',
      `Backup of \`shop\`: ${size} in ${seconds} s, verified, copied to the second site.`,
    );
  }
  const drill = await setup.post('restore-drill', [
    { type: 'header', data: { text: 'Restore rehearsal: passed', level: 3 } },
    {
      type: 'checklist',
      data: {
        items: [
          { text: 'Copy fetched from the second site', checked: true },
          { text: 'Restored into an empty folder', checked: true },
          { text: 'Newest order is there', checked: true },
          { text: 'Somebody has looked at it', checked: false },
        ],
      },
    },
    {
      type: 'quote',
      data: {
        text: 'A backup that was never restored is a hope.',
        caption: 'the wall in our kitchen',
        alignment: 'left',
      },
    },
  ]);
  await setup.react('✅', drill, 'ines', 'mara');
  await setup.reply('ines', drill, 'I have looked at it: 48,112 orders, the last one from 02:59. Good.');
  const note = await setup.note('restore-drill', {
    title: 'Restoring from last night’s copy',
    content: lines(
      'Stop the server, put the copy into the data folder, start it again.',
      '',
      'The first line of the log names the newest post in the copy; compare it with what the team remembers **before** you let anyone in.',
    ),
  });
  await setup.editNote(
    'ines',
    note,
    lines(
      '## When',
      '',
      'The machine is gone, or somebody has deleted what should be there.',
      '',
      '## How',
      '',
      '1. Stop the server.',
      '2. Put the copy into an **empty** data folder: `hubctl restore copy.hub`',
      '3. Start it again.',
      '',
      'The first line of the log names the newest post in the copy; compare it with what the team remembers before you let anyone in.',
    ),
  );
  await setup.markRead('mara', 'backups');
  await setup.todo('restore-drill', {
    title: 'Rehearse the restore with the new backup format',
    priority: 'HIGH',
    dueDate: dayAt(1, 17),
  });
  await setup.writeTodo(
    'ines',
    'backups',
    { title: 'Order two more disks for the second site', priority: 'MEDIUM', dueDate: dayAt(6, 23, 59) },
    'mara',
  );
  await setup.rotate('ines', 'backup-nightly');
  await setup.post('backup-nightly', 'Backup of `shop`: 3.2 GB in 44 s, verified, copied to the second site.');
}
