import { dayAt, dueToday, lines, type Setup } from '../setup.ts';

export async function fillDeploys(setup: Setup): Promise<void> {
  await setup.post(
    'deploy-pipeline',
    lines(
      '**shop 4.17.0** deployed to all 6 machines',
      '',
      '| step | duration | result |',
      '|---|--:|---|',
      '| build | 1 min 48 s | ✅ |',
      '| tests | 3 min 02 s | ✅ 1,204 passed |',
      '| rollout | 14 s | ✅ |',
      '',
      'Commit `8c1f2d9` by Priya: *Keep the cart when a customer signs in*',
    ),
  );
  const freeze = await setup.writeMessage(
    'mara',
    'deploys',
    'Heads up: main is frozen from 16:00 until the release is out. Fixes only, and please ask first.',
  );
  await setup.react('👍', freeze, 'tomas', 'priya', 'jonas');
  const failed = await setup.post(
    'deploy-pipeline',
    lines(
      '**shop 4.17.1** not deployed: 2 of 1,207 tests failed',
      '',
      '```ts',
      'test("applies a voucher once", async () => {',
      '  const order = await checkout(cart, { voucher: "SPRING" });',
      '  expect(order.discount).toBe(500);',
      '  // Expected: 500, received: 0',
      '});',
      '```',
      '',
      '- [x] Build',
      '- [ ] Tests',
      '- [ ] Rollout',
    ),
  );
  await setup.reply('priya', failed, 'That’s me. I added a column to the voucher table and forgot the fixture.');
  await setup.reply('priya', failed, 'Fixed in `b02e77a`. The pipeline is running again.');
  await setup.reply(
    'tomas',
    failed,
    'Thanks! Next time the migration could update the fixture too. I’ll write up how.',
  );
  await setup.react('🙏', failed, 'tomas', 'mara');
  await setup.markRead('mara', 'deploys');
  await setup.post(
    'deploy-pipeline',
    '**shop 4.17.1** deployed to all 6 machines in 5 min 20 s. Commit `b02e77a` by Priya.',
  );

  const slow = await setup.post('canary-watch', [
    { type: 'header', data: { text: 'Checkout p95 is 612 ms (normally 304 ms)', level: 3 } },
    {
      type: 'paragraph',
      data: { text: 'Since <b>4.17.1</b> was deployed, on all machines. Error rate is normal: <mark>0.02%</mark>.' },
    },
    {
      type: 'table',
      data: {
        withHeadings: true,
        content: [
          ['route', 'before', 'now'],
          ['POST /checkout', '304 ms', '<b>612 ms</b>'],
          ['GET /cart', '41 ms', '44 ms'],
          ['GET /poster/:id', '28 ms', '29 ms'],
        ],
      },
    },
    {
      type: 'warning',
      data: { title: 'Not rolled back automatically', message: 'The threshold is 900 ms over 5 minutes.' },
    },
  ]);
  await setup.react('👀', slow, 'tomas', 'ines');
  await setup.reply('tomas', slow, 'Looking. The trace shows 300 ms in `price_rules`. That’s new.');
  await setup.reply(
    'ines',
    slow,
    'The cache is empty after every deploy. It always has been, but the table used to be small.',
  );
  await setup.reply(
    'tomas',
    slow,
    'So every deploy starts with a cold cache. @Mara can this wait until tomorrow, or should we roll back?',
  );
  await setup.reply(
    'mara',
    slow,
    'It recovers on its own, so let’s keep it. But please find out **why** before Friday’s sale.',
  );
  const cause = await setup.convert('mara', slow, 'todo', 'Find out why checkout p95 doubled');
  await setup.changeTodo('mara', cause, {
    assignee: 'tomas',
    priority: 'URGENT',
    dueDate: dueToday(18),
    content: lines(
      'Done when we know the cause and a deploy no longer starts with a cold `price_rules` cache.',
      '',
      '- [x] Find the slow span',
      '- [x] Explain the cache misses',
      '- [ ] Warm the cache before the rollout',
    ),
  });
  await addTodos(setup);
  await setup.writeNote('tomas', 'deploys', {
    title: 'How to roll back',
    content: lines(
      'A rollback deploys the previous version, which is still on every machine.',
      '',
      '1. Run `pipeline rollback shop` for a dry run.',
      '2. Add `--now` to do it for real. It goes **one machine at a time** and stops at the first unhealthy one.',
      '3. Post here what you did and why.',
      '',
      '> Migrations are not rolled back, so each one has to work with the previous version.',
    ),
  });
}

async function addTodos(setup: Setup): Promise<void> {
  await setup.writeTodo(
    'tomas',
    'deploys',
    { title: 'Warm the price cache before each rollout', priority: 'MEDIUM', dueDate: dayAt(1, 23, 59) },
    'tomas',
  );
  await setup.writeTodo(
    'mara',
    'deploys',
    { title: 'Remove the 4.16 feature flags', priority: 'LOW', dueDate: dayAt(0, 23, 59) },
    'priya',
  );
  await setup.todo('deploy-pipeline', {
    title: 'Update the API key on the old build machine: it still uses the previous one',
    priority: 'HIGH',
    dueDate: dayAt(2, 12),
  });
  await setup.writeTodo(
    'jonas',
    'deploys',
    { title: 'Document how to roll back a single service', priority: 'LOW' },
    'jonas',
  );
  await setup.writeTodo('ines', 'deploys', { title: 'Decide whether canaries should post when everything is fine' });
  const freeze = await setup.writeTodo(
    'mara',
    'deploys',
    { title: 'Freeze main for the release', priority: 'MEDIUM' },
    'mara',
  );
  await setup.changeTodo('mara', freeze, { status: 'done' });
  const fixture = await setup.writeTodo(
    'priya',
    'deploys',
    { title: 'Add the voucher column to the fixture', priority: 'HIGH' },
    'priya',
  );
  await setup.changeTodo('priya', fixture, { status: 'done' });
}
