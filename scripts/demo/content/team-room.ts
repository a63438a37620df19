import { dayAt, lines, type Stage } from '../stage.ts';

export async function fillTeamRoom(stage: Stage): Promise<void> {
  const welcome = await stage.say(
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
  await stage.react('👋', welcome, 'tomas', 'priya', 'jonas', 'ines');
  await stage.reply('jonas', welcome, 'At last. My mail had 212 messages of the pipeline this morning.');
  await stage.reply('ines', welcome, '212? I had none. I had a filter. Which is why I missed the one that mattered.');
  await stage.react('😅', welcome, 'jonas', 'priya');
  const lunch = await stage.say(
    'jonas',
    'team',
    'Lunch at the Lebanese place at half past twelve? They have the lentil soup today.',
  );
  await stage.react('🍲', lunch, 'priya', 'mara', 'ines');
  await stage.reply('tomas', lunch, 'Later, I want to see the end of this trace first.');
  await stage.markRead('mara', 'team');
  const sale = await stage.say(
    'mara',
    'team',
    'The sale begins on Friday at 8:00. @Tomás and @Jonas, are you there from seven on?',
  );
  await stage.reply('jonas', sale, 'I am.');
  await stage.reply('tomas', sale, 'Me too, with coffee.');
  await stage.writeNote('mara', 'team', {
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
  await stage.writeTodo(
    'mara',
    'team',
    { title: 'Write the mail for the sale', priority: 'URGENT', dueDate: dayAt(1, 12) },
    'mara',
  );
  await stage.writeTodo('jonas', 'team', { title: 'A second screen for the corner with the plants', priority: 'LOW' });
  await stage.say('ines', 'team', 'The new printer is here. It is *quiet*. I did not know that printers can be quiet.');
  await stage.say('priya', 'team', 'Has somebody seen the box with the A2 tubes?');
}
