import { dayAt, laterToday, lines, type Setup } from '../setup.ts';

export async function fillReleases(setup: Setup): Promise<void> {
  const notes = await setup.post(
    'release-notes',
    lines(
      '# shop 4.17',
      '',
      '**New**',
      '- Baskets are kept when somebody signs in',
      '- Saved searches, with a message when something new fits',
      '- Posters can be ordered ~~in three~~ in five sizes',
      '',
      '**Mended**',
      '- A voucher could be used twice if one was very quick',
      '- The page for prints on wood jumped while its pictures came',
      '',
      'All changes: https://workshop.example/changes/4.17',
    ),
  );
  await setup.react('🚀', notes, 'mara', 'priya', 'tomas', 'jonas');
  await setup.react('❤️', notes, 'ines');
  await setup.reply('jonas', notes, 'Five sizes, at last. Customers have asked for A5 since spring.');
  const report = await setup.todo('release-notes', {
    title: 'Tell customers about saved searches',
    priority: 'MEDIUM',
    dueDate: laterToday(14),
  });
  await setup.changeTodo('mara', report, { assignee: 'mara' });
  await setup.writeTodo(
    'priya',
    'releases',
    { title: 'Pictures of the five sizes side by side', priority: 'LOW', dueDate: dayAt(5, 23, 59) },
    'priya',
  );
  await setup.writeTodo(
    'mara',
    'releases',
    { title: 'Decide what goes into 4.18', priority: 'HIGH', dueDate: dayAt(20, 10) },
    'mara',
  );
  await setup.markRead('mara', 'releases');
  await setup.note('release-notes', {
    title: 'What is in 4.18 so far',
    content: lines(
      '- Gift wrapping, with a card',
      '- Prices in Swedish kronor',
      '- The worker says *why* it gave a picture up',
      '',
      'Nothing of it is promised.',
    ),
  });
}
