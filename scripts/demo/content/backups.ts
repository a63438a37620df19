import { dayAt, lines, type Setup } from '../setup.ts';

export async function fillBackups(setup: Setup): Promise<void> {
  for (const [size, seconds] of [
    ['3.1 GB', 41],
    ['3.1 GB', 43],
    ['3.2 GB', 42],
  ] as const) {
    await setup.post('backup-nightly', `Backup of \`shop\`: ${size} in ${seconds} s, verified, copied offsite.`);
  }
  const drill = await setup.post('restore-drill', [
    { type: 'header', data: { text: 'Restore drill passed', level: 3 } },
    {
      type: 'checklist',
      data: {
        items: [
          { text: 'Offsite copy downloaded', checked: true },
          { text: 'Restored into an empty folder', checked: true },
          { text: 'Latest order found', checked: true },
          { text: 'Checked by a human', checked: false },
        ],
      },
    },
    {
      type: 'quote',
      data: {
        text: 'Nobody wants backups. Everybody wants restores.',
        caption: 'poster in our kitchen',
        alignment: 'left',
      },
    },
  ]);
  await setup.react('✅', drill, 'ines', 'mara');
  await setup.reply('ines', drill, 'Checked it: 48,112 orders, the last one from 02:59. Looks good.');
  const note = await setup.note('restore-drill', {
    title: 'Restoring last night’s backup',
    content: lines(
      'Stop the server, put the backup into the data folder, start the server.',
      '',
      'The log says which post is the newest one in the backup. Check that it’s what you expect **before** you let anyone back in.',
    ),
  });
  await setup.editNote(
    'ines',
    note,
    lines(
      '## When',
      '',
      'The machine is gone, or something was deleted that we need back.',
      '',
      '## How',
      '',
      '1. Stop the server.',
      '2. Restore the backup into an **empty** data folder: `hubctl restore copy.hub`',
      '3. Start the server.',
      '',
      'The log says which post is the newest one in the backup. Check that it’s what you expect before you let anyone back in.',
    ),
  );
  await setup.markRead('mara', 'backups');
  await setup.todo('restore-drill', {
    title: 'Run a restore drill with the new backup format',
    priority: 'HIGH',
    dueDate: dayAt(1, 17),
  });
  await setup.writeTodo(
    'ines',
    'backups',
    { title: 'Order two more disks for offsite backups', priority: 'MEDIUM', dueDate: dayAt(6, 23, 59) },
    'mara',
  );
  await setup.rotate('ines', 'backup-nightly');
  await setup.post('backup-nightly', 'Backup of `shop`: 3.2 GB in 44 s, verified, copied offsite.');
}
