import { dayAt, dueToday, lines, type Setup } from '../setup.ts';

export async function fillReleases(setup: Setup): Promise<void> {
  const notes = await setup.post(
    'release-notes',
    lines(
      '# shop 4.17',
      '',
      '**New**',
      '- Customers keep their cart when they sign in',
      '- Saved searches, with an email when something new matches',
      '- Posters come in ~~three~~ five sizes',
      '',
      '**Fixed**',
      '- A voucher could be used twice with two quick clicks',
      '- The wood prints page jumped while images were loading',
      '',
      'Full changelog: https://workshop.example/changes/4.17',
    ),
  );
  await setup.react('🚀', notes, 'mara', 'priya', 'tomas', 'jonas');
  await setup.react('❤️', notes, 'ines');
  await setup.reply('jonas', notes, 'Five sizes, finally! Customers have been asking for A5 since spring.');
  const announcement = await setup.todo('release-notes', {
    title: 'Announce saved searches to customers',
    priority: 'MEDIUM',
    dueDate: dueToday(14),
  });
  await setup.changeTodo('mara', announcement, { assignee: 'mara' });
  await setup.writeTodo(
    'priya',
    'releases',
    { title: 'Photo of all five sizes side by side', priority: 'LOW', dueDate: dayAt(5, 23, 59) },
    'priya',
  );
  await setup.writeTodo(
    'mara',
    'releases',
    { title: 'Decide on the scope of 4.18', priority: 'HIGH', dueDate: dayAt(20, 10) },
    'mara',
  );
  await setup.markRead('mara', 'releases');
  await setup.note('release-notes', {
    title: 'Planned for 4.18',
    content: lines(
      '- Gift wrapping, with a card',
      '- Prices in Swedish kronor',
      '- The worker logs *why* it failed to render an image',
      '',
      'All of this may still change.',
    ),
  });
}
