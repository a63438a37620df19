import type { Browser, Page } from 'playwright-core';
import { type BenchServer, startServer } from './server.ts';
import { Hand, PACES } from './user-input.ts';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };

/**
 * How long a stranger takes, by a clock and at a person's pace: from the set-up link to a post of a CI script on the screen, and,
 * on a telephone, until a key that leaked is refused.
 */
export async function measureStranger(browser: Browser): Promise<string[]> {
  const all = await Promise.all(Object.entries(PACES).map((pace) => measureAt(browser, pace)));
  return all.flat();
}

async function measureAt(browser: Browser, [text, pace]: [string, number]): Promise<string[]> {
  await using server = await startServer();
  const { key, storageState, line } = await toTheFirstPost(browser, { server, pace });
  return [`${text}:`, line, await stopTheLeak(browser, { server, pace, key, storageState })];
}

async function toTheFirstPost(browser: Browser, { server, pace }: { server: BenchServer; pace: number }) {
  const context = await browser.newContext({ baseURL: server.url, viewport: WIDE });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  const { link } = await server.admin<{ link: string }>('POST', '/setup-link', {});
  const hand = new Hand(page, pace);
  await page.goto(link);
  await hand.type('one’s name', page.getByLabel('Your name'), 'Mara Lindqvist');
  await hand.type('e-mail', page.getByLabel('E-mail'), 'mara@example.org');
  await hand.type('password', page.getByLabel('Password', { exact: true }), 'paper and ink');
  await hand.type('name of the workspace', page.getByLabel('Name of the workspace'), 'Workshop');
  await hand.type('first Hub', page.getByLabel('First Hub'), 'Deploys');
  await hand.press('Set up', page.getByRole('button', { name: 'Set up' }));
  await hand.press('Issue a key', page.getByRole('button', { name: 'Issue a key' }).first());
  await hand.type('name of the key', page.getByRole('dialog').getByLabel('Name'), 'ci');
  await hand.press('Issue the key', page.getByRole('dialog').locator('button[type="submit"]'));
  const dialog = page.getByRole('dialog', { name: /^Copy the key/u });
  await hand.press('Copy the key', dialog.getByRole('button', { name: 'Copy the key' }));
  const key = await clipboard(page);
  await hand.pasteElsewhere('paste it as a secret of the CI');
  await hand.press('Copy the code', dialog.getByRole('button', { name: 'Copy the code' }));
  const script = await clipboard(page);
  await hand.pasteElsewhere('paste that into the script of the CI');
  await hand.press('Done', dialog.getByRole('button', { name: 'Done' }));
  const ran = Bun.spawn(['bash', '-euc', script], {
    env: { ...Bun.env, HUB_API_KEY: key },
    stdin: 'ignore',
    stdout: 'ignore',
  });
  await page.locator('.msg').first().waitFor();
  const { seconds, actions } = hand;
  if ((await ran.exited) !== 0) throw new Error('The script of the CI failed');
  const storageState = await context.storageState();
  await context.close();
  return {
    key,
    storageState,
    line: report('from the set-up link to a post of a CI script on the screen', seconds, actions),
  };
}

interface Leak {
  server: BenchServer;
  pace: number;
  key: string;
  storageState: Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>;
}

/** From a post of that key, on a telephone. */
async function stopTheLeak(browser: Browser, { server, pace, key, storageState }: Leak): Promise<string> {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    storageState,
  });
  const page = await context.newPage();
  await page.goto('/stream');
  const hand = new Hand(page, pace);
  await hand.press('name of the key', page.locator('.entry').getByRole('link', { name: 'ci' }).first());
  await hand.press('Revoke this key', page.getByRole('button', { name: /^Revoke/u }).first());
  await hand.hold('hold', page.getByRole('dialog').getByRole('button', { name: /^Hold/u }), () =>
    untilRejected(server, key),
  );
  const { seconds, actions } = hand;
  await context.close();
  return report('a leaked key refused, from a post of it at 360 pixels', seconds, actions);
}

async function untilRejected(server: BenchServer, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  // An empty body posts nothing: 400 as long as the key works.
  while (
    (await fetch(`${server.url}/api/public/v1/messages`, { method: 'POST', headers, body: '{}' })).status !== 401
  ) {
    await Bun.sleep(100);
  }
}

const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

function report(what: string, seconds: number, actions: readonly string[]): string {
  return `  ${what}: ${seconds.toFixed(0)} s, ${actions.length} steps (${actions.join(', ')})`;
}
