import { dayAt, lines, type Setup } from '../setup.ts';

export async function fillTeamRoom(setup: Setup): Promise<void> {
  const welcome = await setup.say(
    'mara',
    'team',
    lines(
      'Good morning! From today on our programs post where we talk:',
      '',
      '- each into **its own Hub**,',
      '- everything together in the *Stream*,',
      '- and what has to be done becomes a to-do.',
      '',
      'Answer under a post, not beside it, then we find it again.',
    ),
  );
  await setup.react('👋', welcome, 'tomas', 'priya', 'jonas', 'ines');
  await setup.reply('jonas', welcome, 'At last. My mail had 212 messages of the pipeline this morning.');
  await setup.reply('ines', welcome, '212? I had none. I had a filter. Which is why I missed the one that mattered.');
  await setup.react('😅', welcome, 'jonas', 'priya');
  const lunch = await setup.say(
    'jonas',
    'team',
    'Lunch at the Lebanese place at half past twelve? They have the lentil soup today.',
  );
  await setup.react('🍲', lunch, 'priya', 'mara', 'ines');
  await setup.reply('tomas', lunch, 'Later, I want to see the end of this trace first.');
  await setup.markRead('mara', 'team');
  const sale = await setup.say(
    'mara',
    'team',
    'The sale begins on Friday at 8:00. @Tomás and @Jonas, are you there from seven on?',
  );
  await setup.reply('jonas', sale, 'I am.');
  await setup.reply('tomas', sale, 'Me too, with coffee.');
  await setup.writeNote('mara', 'team', {
    title: 'The sale on Friday',
    content: lines(
      '| when | what | who |',
      '|---|---|---|',
      '| Thu 16:00 | main is frozen | Mara |',
      '| Fri 07:00 | both are here | Tomás, Jonas |',
      '| Fri 07:45 | prices go live | Priya |',
      '| Fri 08:00 | the mail goes out | Mara |',
      '',
      'If checkout is slower than **900 ms** for five minutes, we switch the recommendations off first: `shop flag recommendations off`.',
    ),
  });
  await setup.writeTodo(
    'mara',
    'team',
    { title: 'Write the mail for the sale', priority: 'URGENT', dueDate: dayAt(1, 12) },
    'mara',
  );
  await setup.writeTodo('jonas', 'team', { title: 'A second screen for the corner with the plants', priority: 'LOW' });
  await setup.say('ines', 'team', 'The new printer is here. It is *quiet*. I did not know that printers can be quiet.');
  await setup.say('priya', 'team', 'Has somebody seen the box with the A2 tubes?');
}
