import { dayAt, lines, type Setup } from '../setup.ts';

export async function fillTeamRoom(setup: Setup): Promise<void> {
  const welcome = await setup.writeMessage(
    'mara',
    'team',
    lines(
      'Good morning! Starting today, our tools post here:',
      '',
      '- each one into **its own Hub**',
      '- everything together in the *Stream*',
      '- and anything that needs doing becomes a to-do',
      '',
      'Please reply in threads so we can find things again.',
    ),
  );
  await setup.react('👋', welcome, 'tomas', 'priya', 'jonas', 'ines');
  await setup.reply('jonas', welcome, 'Finally. I had 212 pipeline emails in my inbox this morning.');
  await setup.reply(
    'ines',
    welcome,
    '212? I had zero, thanks to a filter. Which is how I missed the one that mattered.',
  );
  await setup.react('😅', welcome, 'jonas', 'priya');
  const lunch = await setup.writeMessage(
    'jonas',
    'team',
    'Lunch at the Lebanese place at 12:30? They have the lentil soup today.',
  );
  await setup.react('🍲', lunch, 'priya', 'mara', 'ines');
  await setup.reply('tomas', lunch, 'I’ll join you a bit later, I want to get through this trace first.');
  await setup.markRead('mara', 'team');
  const sale = await setup.writeMessage(
    'mara',
    'team',
    'The sale starts Friday at 8:00. @Tomás and @Jonas, can you be in by 7?',
  );
  await setup.reply('jonas', sale, 'Yep, I’ll be there.');
  await setup.reply('tomas', sale, 'Me too. I’ll bring coffee.');
  await setup.writeNote('mara', 'team', {
    title: 'Friday’s sale',
    content: lines(
      '| when | what | who |',
      '|---|---|---|',
      '| Thu 16:00 | Code freeze | Mara |',
      '| Fri 07:00 | On call | Tomás, Jonas |',
      '| Fri 07:45 | Prices go live | Priya |',
      '| Fri 08:00 | Newsletter goes out | Mara |',
      '',
      'If checkout is slower than **900 ms** for five minutes, turn off recommendations first: `shop flag recommendations off`',
    ),
  });
  await setup.writeTodo(
    'mara',
    'team',
    { title: 'Write the newsletter for the sale', priority: 'URGENT', dueDate: dayAt(1, 12) },
    'mara',
  );
  await setup.writeTodo('jonas', 'team', { title: 'Get a second monitor for the desk by the plants', priority: 'LOW' });
  await setup.writeMessage(
    'ines',
    'team',
    'The new printer is here, and it’s *quiet*. I didn’t know printers could be quiet.',
  );
  await setup.writeMessage('priya', 'team', 'Has anyone seen the box with the A2 tubes?');
}
