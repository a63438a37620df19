import { lines, type Setup } from './setup.ts';

/** Pause between two scenarios, in milliseconds. */
const MIN_MS = 2_000;
const MAX_MS = 7_000;

type Scenario = (setup: Setup) => Promise<void>;

let build = 2;
let order = 48_120;

/** The scenarios, which run one after another in a loop. */
const SCENARIOS: readonly Scenario[] = [
  async (setup) => {
    await setup.post('log-sentry', `\`shop-worker\`: queue length ${between(40, 160)} (normally 12)`);
  },
  async (setup) => {
    build += 1;
    const id = await setup.post(
      'deploy-pipeline',
      `**shop 4.17.${build}** deployed in ${between(4, 6)} min ${between(10, 59)} s`,
    );
    await setup.react('🚀', id, 'priya');
  },
  async (setup) => {
    await setup.post(
      'contact-form',
      lines('**Question** from *Mikkel*:', '', '> Does the moon map also come in blue?'),
    );
  },
  async (setup) => {
    const id = await setup.post(
      'uptime-probe',
      `🟡 **api.workshop.example** responded in ${between(800, 1_900)} ms from *Singapore* (normally 240 ms)`,
    );
    await setup.react('👀', id, 'jonas');
    await setup.reply('jonas', id, 'Only from Singapore. I’m on it.');
  },
  async (setup) => {
    await setup.writeMessage(
      'tomas',
      'deploys',
      `Same in this trace: ${between(280, 340)} ms in \`price_rules\`. I have an idea.`,
    );
  },
  async (setup) => {
    order += between(1, 9);
    await setup.post(
      'page-speed',
      `Order **${order}** completed in ${between(290, 420)} ms, from cart to confirmation.`,
    );
  },
  async (setup) => {
    await setup.todo('canary-watch', { title: `Check memory usage on machine ${between(1, 6)}`, priority: 'MEDIUM' });
  },
  async (setup) => {
    const id = await setup.writeMessage('ines', 'team', 'Kettle’s on. Anyone want tea?');
    await setup.react('🫖', id, 'mara', 'priya');
  },
  async (setup) => {
    await setup.post('backup-nightly', `Snapshot of \`shop\`: ${between(20, 90)} MB since the last one, verified`);
  },
  async (setup) => {
    const id = await setup.writeTodo(
      'jonas',
      'alerts',
      { title: `Clean up logs on machine ${between(1, 6)}` },
      'jonas',
    );
    await setup.changeTodo('jonas', id, { status: 'done' });
  },
  async (setup) => {
    const id = await setup.post(
      'release-notes',
      lines('**Merged for 4.18**', '', `- Gift wrapping, part ${between(1, 4)} of 4`),
    );
    await setup.reply('priya', id, 'The card is still missing. I’ll add it tomorrow.');
  },
  async (setup) => {
    await setup.writeMessage('priya', 'website', 'Cropping the /wood images: oak is done, walnut is next.');
  },
];

/** Runs the scenarios until `stop` is aborted. Keeps going when one fails, for example while the server is down. */
export async function keepArriving(setup: Setup, stop: AbortSignal): Promise<void> {
  for (let turn = 0; !stop.aborted; turn += 1) {
    await pause(between(MIN_MS, MAX_MS), stop);
    if (stop.aborted) return;
    await SCENARIOS[turn % SCENARIOS.length]?.(setup).catch((error: unknown) => {
      if (!stop.aborted) console.error(error instanceof Error ? error.message : error);
    });
  }
}

/** Returns a random integer from `min` to `max`, inclusive. */
function between(min: number, max: number): number {
  return min + Math.floor(Math.random() * (max - min + 1));
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
