import { dayAt, laterToday, lines, type Stage } from '../stage.ts';

export async function fillReleases(stage: Stage): Promise<void> {
  const notes = await stage.post(
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
  await stage.react('🚀', notes, 'mara', 'priya', 'tomas', 'jonas');
  await stage.react('❤️', notes, 'ines');
  await stage.reply('jonas', notes, 'Five sizes, at last. Customers have asked for A5 since spring.');
  const tell = await stage.todo('release-notes', {
    title: 'Tell customers about saved searches',
    priority: 'MEDIUM',
    dueDate: laterToday(14),
  });
  await stage.changeTodo('mara', tell, { assignee: 'mara' });
  await stage.writeTodo(
    'priya',
    'releases',
    { title: 'Pictures of the five sizes side by side', priority: 'LOW', dueDate: dayAt(5, 23, 59) },
    'priya',
  );
  await stage.writeTodo(
    'mara',
    'releases',
    { title: 'Decide what goes into 4.18', priority: 'HIGH', dueDate: dayAt(20, 10) },
    'mara',
  );
  await stage.markRead('mara', 'releases');
  await stage.note('release-notes', {
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
