import { lines, type Setup } from './setup.ts';

/** A pause between two of them, in milliseconds. */
const SHORTEST_MS = 2_000;
const MAX_MS = 7_000;

type Scenario = (setup: Setup) => Promise<void>;

let build = 2;
let order = 48_120;

/** What goes on happening, one after the other, and from the beginning again. */
const SCENARIOS: readonly Scenario[] = [
  async (setup) => {
    await setup.post('log-sentry', `\`shop-worker\`: the queue is ${between(40, 160)} long, usual are 12.`);
  },
  async (setup) => {
    build += 1;
    const id = await setup.post(
      'deploy-pipeline',
      `**shop 4.17.${build}** is live after ${between(4, 6)} min ${between(10, 59)} s.`,
    );
    await setup.react('🚀', id, 'priya');
  },
  async (setup) => {
    await setup.post(
      'contact-form',
      lines('**Question** from *Mikkel*:', '', '> Can I have the moon map in blue, too?'),
    );
  },
  async (setup) => {
    const id = await setup.post(
      'uptime-probe',
      `🟡 **api.workshop.example** took ${between(800, 1_900)} ms to answer from *Singapore*.`,
    );
    await setup.react('👀', id, 'jonas');
    await setup.reply('jonas', id, 'Only from there. I watch it.');
  },
  async (setup) => {
    await setup.say(
      'tomas',
      'deploys',
      `The trace says it again: ${between(280, 340)} ms in \`price_rules\`. I have an idea.`,
    );
  },
  async (setup) => {
    order += between(1, 9);
    await setup.post(
      'page-speed',
      `Order **${order}** went through in ${between(290, 420)} ms, from basket to thanks.`,
    );
  },
  async (setup) => {
    await setup.todo('canary-watch', { title: `Look at the memory of machine ${between(1, 6)}`, priority: 'MEDIUM' });
  },
  async (setup) => {
    const id = await setup.say('ines', 'team', 'I have put the kettle on. Who wants tea?');
    await setup.react('🫖', id, 'mara', 'priya');
  },
  async (setup) => {
    await setup.post('backup-nightly', `Snapshot of \`shop\`: ${between(20, 90)} MB since the last one, verified.`);
  },
  async (setup) => {
    const id = await setup.writeTodo(
      'jonas',
      'alerts',
      { title: `Clean up the logs of machine ${between(1, 6)}` },
      'jonas',
    );
    await setup.changeTodo('jonas', id, { status: 'done' });
  },
  async (setup) => {
    const id = await setup.post(
      'release-notes',
      lines('**Merged for 4.18**', '', `- Gift wrapping, part ${between(1, 4)} of 4`),
    );
    await setup.reply('priya', id, 'The card is still missing, it comes tomorrow.');
  },
  async (setup) => {
    await setup.say('priya', 'website', 'The pictures of /wood are cut. Oak is done, walnut is next.');
  },
];

/** Lets posts arrive until it is told to stop. A server that is away for a moment does not end it. */
export async function keepArriving(setup: Setup, stop: AbortSignal): Promise<void> {
  for (let turn = 0; !stop.aborted; turn += 1) {
    await pause(between(SHORTEST_MS, MAX_MS), stop);
    if (stop.aborted) return;
    await SCENARIOS[turn % SCENARIOS.length]?.(setup).catch((error: unknown) => {
      if (!stop.aborted) console.error(error instanceof Error ? error.message : error);
    });
  }
}

function between(least: number, most: number): number {
  return least + Math.floor(Math.random() * (most - least + 1));
}

function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    stop.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
