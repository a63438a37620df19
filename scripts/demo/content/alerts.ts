import { dayAt, dueToday, lines, type Setup } from '../setup.ts';

export async function fillAlerts(setup: Setup): Promise<void> {
  const certificate = await setup.todo('uptime-probe', {
    title: 'Renew the certificate for the status page',
    content: 'Expires in 9 days. The steps are in the *Certificates* note.',
    priority: 'HIGH',
    dueDate: dayAt(-2, 12),
  });
  await setup.changeTodo('mara', certificate, { assignee: 'jonas' });
  const down = await setup.post(
    'uptime-probe',
    '🔴 **status.workshop.example** is down from *Frankfurt*: connection refused, 3 checks in a row.',
  );
  await setup.reply('jonas', down, 'On it.');
  const up = await setup.post('uptime-probe', '🟢 **status.workshop.example** is back up. It was down for 4 min 10 s.');
  await setup.react('🎉', up, 'mara', 'ines');
  await setup.reply(
    'jonas',
    down,
    'The disk on the old machine was full of logs. I moved them off and turned on log rotation.',
  );
  await setup.convert('jonas', down, 'note', 'Status page outage: cause and fix');
  await setup.markRead('mara', 'alerts');
  await setup.post(
    'log-sentry',
    lines(
      '**New error** in `shop-worker`: 14 times in 10 minutes',
      '',
      '```',
      'TypeError: Cannot read properties of undefined (reading "width")',
      '    at sizeOf (worker/poster/size.ts:41:22)',
      '    at renderPreview (worker/poster/preview.ts:18:9)',
      '    at process (worker/queue.ts:77:13)',
      '```',
      '',
      'First seen in 4.17.1. Affects posters without a frame.',
    ),
  );
  await setup.post('uptime-probe', [
    { type: 'header', data: { text: 'Uptime, last 7 days', level: 3 } },
    {
      type: 'list',
      data: {
        style: 'unordered',
        items: [
          { content: '<b>shop</b> 100%', items: [] },
          { content: '<b>api</b> 99.99%', items: [{ content: 'Monday 03:12, 48 s', items: [] }] },
          { content: '<b>status</b> 99.93%', items: [] },
        ],
      },
    },
  ]);
  await setup.note('uptime-probe', {
    title: 'Certificates',
    content: lines(
      '| certificate | expires | renewal |',
      '|---|---|---|',
      '| shop | in 71 days | automatic |',
      '| api | in 71 days | automatic |',
      '| status | in 9 days | **manual** |',
    ),
  });
  await setup.writeTodo(
    'ines',
    'alerts',
    { title: 'Automate certificate renewal for the status page', priority: 'MEDIUM', dueDate: dayAt(12, 23, 59) },
    'ines',
  );
  await setup.writeTodo(
    'tomas',
    'alerts',
    { title: 'Fix preview crash for posters without a frame', priority: 'HIGH', dueDate: dueToday(16) },
    'mara',
  );
}
