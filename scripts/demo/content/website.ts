import { dayAt, lines, type Setup } from '../setup.ts';

export async function fillWebsite(setup: Setup): Promise<void> {
  await setup.post(
    'contact-form',
    lines(
      '**Question** from *Lena B.*:',
      '',
      '> Do you print on recycled paper, and does it cost more? I need forty posters for a school.',
    ),
  );
  const school = await setup.say(
    'priya',
    'website',
    'Forty for a school, how nice. I answer her. @Tomás is there a discount for schools?',
  );
  await setup.reply('tomas', school, 'Not in the shop. We could make a voucher, that takes me five minutes.');
  await setup.reply('priya', school, 'Then `SCHOOL-40`, 15 %, until the end of the month?');
  await setup.reply('tomas', school, 'Done ✅');
  await setup.react('🏫', school, 'mara');
  await setup.markRead('mara', 'website');
  await setup.post('page-speed', [
    { type: 'paragraph', data: { text: 'Weekly look at the pages that are opened most:' } },
    {
      type: 'table',
      data: {
        withHeadings: true,
        content: [
          ['page', 'paints after', 'weighs'],
          ['/', '0.8 s', '212 KB'],
          ['/posters', '1.1 s', '480 KB'],
          ['/wood', '<b>2.9 s</b>', '<b>3.4 MB</b>'],
        ],
      },
    },
    { type: 'delimiter', data: {} },
    { type: 'paragraph', data: { text: '<i>/wood</i> sends its pictures in full size to phones.' } },
  ]);
  const avatars = await setup.writeTodo('priya', 'website', {
    title: 'Send the pictures of /wood in three sizes',
    content: lines(
      'The tag is there already:',
      '',
      '```html',
      '<img srcset="oak-480.avif 480w, oak-960.avif 960w" sizes="50vw" alt="Oak">',
      '```',
    ),
    priority: 'MEDIUM',
    dueDate: dayAt(3, 23, 59),
  });
  await setup.changeTodo('mara', avatars, { assignee: 'priya' });
  await setup.todo('contact-form', {
    title: 'Answer Lena B. about forty posters',
    priority: 'HIGH',
    dueDate: dayAt(-1, 17),
  });
  await setup.post(
    'contact-form',
    lines('**Praise** from *Karim*:', '', '> The map of the night sky hangs over our bed now. Thank you!'),
  );
  await setup.post(
    'contact-form',
    lines('**Complaint** from *A. Novák*:', '', '> My poster has a crease in one corner. Order 48097.'),
  );
}
