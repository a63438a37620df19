import { dayAt, lines, type Setup } from '../setup.ts';

export async function fillWebsite(setup: Setup): Promise<void> {
  await setup.post(
    'contact-form',
    lines(
      '**Question** from *Lena B.*:',
      '',
      '> Do you print on recycled paper, and does it cost extra? I need forty posters for a school.',
    ),
  );
  const school = await setup.writeMessage(
    'priya',
    'website',
    'Forty for a school, love it. I’ll get back to her. @Tomás do we have a discount for schools?',
  );
  await setup.reply('tomas', school, 'Not in the shop, but I can set up a voucher in five minutes.');
  await setup.reply('priya', school, '`SCHOOL-40`, 15% off, until the end of the month?');
  await setup.reply('tomas', school, 'Done ✅');
  await setup.react('🏫', school, 'mara');
  await setup.markRead('mara', 'website');
  await setup.post('page-speed', [
    { type: 'paragraph', data: { text: 'Weekly report on our most visited pages:' } },
    {
      type: 'table',
      data: {
        withHeadings: true,
        content: [
          ['page', 'first paint', 'size'],
          ['/', '0.8 s', '212 KB'],
          ['/posters', '1.1 s', '480 KB'],
          ['/wood', '<b>2.9 s</b>', '<b>3.4 MB</b>'],
        ],
      },
    },
    { type: 'delimiter', data: {} },
    { type: 'paragraph', data: { text: '<i>/wood</i> sends full-size images to phones.' } },
  ]);
  const images = await setup.writeTodo('priya', 'website', {
    title: 'Serve the /wood images in three sizes',
    content: lines(
      'The markup is ready:',
      '',
      '```html',
      '<img srcset="oak-480.avif 480w, oak-960.avif 960w" sizes="50vw" alt="Oak">',
      '```',
    ),
    priority: 'MEDIUM',
    dueDate: dayAt(3, 23, 59),
  });
  await setup.changeTodo('mara', images, { assignee: 'priya' });
  await setup.todo('contact-form', {
    title: 'Reply to Lena B. about forty posters',
    priority: 'HIGH',
    dueDate: dayAt(-1, 17),
  });
  await setup.post(
    'contact-form',
    lines('**Feedback** from *Karim*:', '', '> The night sky map now hangs over our bed. Thank you!'),
  );
  await setup.post(
    'contact-form',
    lines('**Complaint** from *A. Novák*:', '', '> My poster arrived with a creased corner. Order 48097.'),
  );
}
