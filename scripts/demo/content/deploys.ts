import { dayAt, laterToday, lines, type Setup } from '../setup.ts';

export async function fillDeploys(setup: Setup): Promise<void> {
  await setup.post(
    'deploy-pipeline',
    lines(
      '**shop 4.17.0** is live on all six machines.',
      '',
      '| step | took | |',
      '|---|--:|---|',
      '| build | 1 min 48 s | ✅ |',
      '| tests | 3 min 02 s | ✅ 1,204 passed |',
      '| switch | 14 s | ✅ |',
      '',
      'Commit `8c1f2d9` by Priya: *Keep the basket when somebody signs in*',
    ),
  );
  const freeze = await setup.say(
    'mara',
    'deploys',
    'Main is frozen from 16:00 until the release is out. Only fixes, please ask first.',
  );
  await setup.react('👍', freeze, 'tomas', 'priya', 'jonas');
  const failed = await setup.post(
    'deploy-pipeline',
    lines(
      '**shop 4.17.1** was not deployed: 2 of 1,207 tests failed.',
      '',
      '```ts',
      'test("a voucher is used once", async () => {',
      '  const order = await checkout(basket, { voucher: "SPRING" });',
      '  expect(order.discount).toBe(500);',
      '  // Expected: 500, received: 0',
      '});',
      '```',
      '',
      '- [x] built',
      '- [ ] tested',
      '- [ ] switched',
    ),
  );
  await setup.reply(
    'priya',
    failed,
    'That is mine. The voucher table has a new column, and the fixture does not know it yet.',
  );
  await setup.reply('priya', failed, 'Fixed in `b02e77a`, the pipeline runs again.');
  await setup.reply(
    'tomas',
    failed,
    'Thanks! Next time the migration could carry its fixture along, I will write down how.',
  );
  await setup.react('🙏', failed, 'tomas', 'mara');
  await setup.markRead('mara', 'deploys');
  await setup.post(
    'deploy-pipeline',
    '**shop 4.17.1** is live on all six machines after 5 min 20 s. Commit `b02e77a` by Priya.',
  );

  const slow = await setup.post('canary-watch', [
    { type: 'header', data: { text: 'Checkout p95 is 612 ms, twice the usual', level: 3 } },
    {
      type: 'paragraph',
      data: {
        text: 'Since the switch to <b>4.17.1</b>, on all machines alike. Errors are as usual: <mark>0.02 %</mark>.',
      },
    },
    {
      type: 'table',
      data: {
        withHeadings: true,
        content: [
          ['route', 'before', 'now'],
          ['POST /checkout', '304 ms', '<b>612 ms</b>'],
          ['GET /basket', '41 ms', '44 ms'],
          ['GET /poster/:id', '28 ms', '29 ms'],
        ],
      },
    },
    {
      type: 'warning',
      data: { title: 'Not rolled back by itself', message: 'The limit for that is 900 ms over 5 minutes.' },
    },
  ]);
  await setup.react('👀', slow, 'tomas', 'ines');
  await setup.reply(
    'tomas',
    slow,
    'Looking. The trace shows 300 ms in `price_rules`, and that was never there before.',
  );
  await setup.reply(
    'ines',
    slow,
    'The cache is empty after every switch. Has been so for a year, but the table was small then.',
  );
  await setup.reply(
    'tomas',
    slow,
    'So a deploy starts with a cold cache. @Mara can it wait until tomorrow, or do you want to roll back?',
  );
  await setup.reply(
    'mara',
    slow,
    'It gets better by itself, so let it run. But please find out **why** before the sale on Friday.',
  );
  const why = await setup.convert('mara', slow, 'todo', 'Find out why checkout p95 doubled');
  await setup.changeTodo('mara', why, {
    assignee: 'tomas',
    priority: 'URGENT',
    dueDate: laterToday(18),
    content: lines(
      'Done when the cause is known and a deploy no longer starts with a cold `price_rules` cache.',
      '',
      '- [x] Find the slow span',
      '- [x] Explain the cache misses',
      '- [ ] Warm the cache before the switch',
    ),
  });
  await addTodos(setup);
  await setup.writeNote('tomas', 'deploys', {
    title: 'How to roll back',
    content: lines(
      'A rollback is a switch to the version before, which every machine still has.',
      '',
      '1. `pipeline rollback shop` shows what it would do.',
      '2. With `--now` it does it, **one machine after the other**, and stops at the first that is not well.',
      '3. Say so here, with the reason.',
      '',
      '> Migrations are not rolled back. Each has to work with the version before it.',
    ),
  });
}

async function addTodos(setup: Setup): Promise<void> {
  await setup.writeTodo(
    'tomas',
    'deploys',
    { title: 'Warm the price cache before a deploy switches', priority: 'MEDIUM', dueDate: dayAt(1, 23, 59) },
    'tomas',
  );
  await setup.writeTodo(
    'mara',
    'deploys',
    { title: 'Remove the 4.16 feature switches', priority: 'LOW', dueDate: dayAt(0, 23, 59) },
    'priya',
  );
  await setup.todo('deploy-pipeline', {
    title: 'Rotate the pipeline’s key on the old build machine, it still uses the previous one',
    priority: 'HIGH',
    dueDate: dayAt(2, 12),
  });
  await setup.writeTodo(
    'jonas',
    'deploys',
    { title: 'Write down how to roll back one service alone', priority: 'LOW' },
    'jonas',
  );
  await setup.writeTodo('ines', 'deploys', { title: 'Decide whether canaries should post when all is well' });
  const frozen = await setup.writeTodo(
    'mara',
    'deploys',
    { title: 'Freeze main for the release', priority: 'MEDIUM' },
    'mara',
  );
  await setup.changeTodo('mara', frozen, { status: 'done' });
  const fixture = await setup.writeTodo(
    'priya',
    'deploys',
    { title: 'Teach the fixture the voucher column', priority: 'HIGH' },
    'priya',
  );
  await setup.changeTodo('priya', fixture, { status: 'done' });
}
