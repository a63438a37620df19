import { dayAt, laterToday, lines, type Setup } from '../setup.ts';

export async function fillAlerts(setup: Setup): Promise<void> {
  const certificate = await setup.todo('uptime-probe', {
    title: 'Renew the certificate of the status page',
    content: 'It is valid for 9 days more. The one who renews it finds the steps in the note *Certificates*.',
    priority: 'HIGH',
    dueDate: dayAt(-2, 12),
  });
  await setup.changeTodo('mara', certificate, { assignee: 'jonas' });
  const down = await setup.post(
    'uptime-probe',
    '🔴 **status.workshop.example** does not answer from *Frankfurt*: connection refused, 3 times in a row.',
  );
  await setup.reply('jonas', down, 'On it.');
  const up = await setup.post(
    'uptime-probe',
    '🟢 **status.workshop.example** answers again. It was away for 4 min 10 s.',
  );
  await setup.react('🎉', up, 'mara', 'ines');
  await setup.reply(
    'jonas',
    down,
    'The disk of the old machine was full of logs. I have moved them, and the rotation is on now.',
  );
  await setup.convert('jonas', down, 'note', 'The status page was away: why, and what we changed');
  await setup.markRead('mara', 'alerts');
  await setup.post(
    'log-sentry',
    lines(
      '**New error** in `shop-worker`, 14 times within 10 minutes:',
      '',
      '```',
      'TypeError: Cannot read properties of undefined (reading "width")',
      '    at sizeOf (worker/poster/size.ts:41:22)',
      '    at renderPreview (worker/poster/preview.ts:18:9)',
      '    at process (worker/queue.ts:77:13)',
      '```',
      '',
      'First seen with version 4.17.1, for posters without a frame.',
    ),
  );
  await setup.post('uptime-probe', [
    { type: 'header', data: { text: 'Uptime of the last seven days', level: 3 } },
    {
      type: 'list',
      data: {
        style: 'unordered',
        items: [
          { content: '<b>shop</b> 100 %', items: [] },
          { content: '<b>api</b> 99.99 %', items: [{ content: 'Monday 03:12, 48 s', items: [] }] },
          { content: '<b>status</b> 99.93 %', items: [] },
        ],
      },
    },
  ]);
  await setup.note('uptime-probe', {
    title: 'Certificates',
    content: lines(
      '| name | valid until | renewed by |',
      '|---|---|---|',
      '| shop | in 71 days | itself |',
      '| api | in 71 days | itself |',
      '| status | in 9 days | **hand** |',
    ),
  });
  await setup.writeTodo(
    'ines',
    'alerts',
    { title: 'Let the status page renew its certificate by itself', priority: 'MEDIUM', dueDate: dayAt(12, 23, 59) },
    'ines',
  );
  await setup.writeTodo(
    'tomas',
    'alerts',
    { title: 'Posters without a frame: ask for the size in one place', priority: 'HIGH', dueDate: laterToday(16) },
    'mara',
  );
}
