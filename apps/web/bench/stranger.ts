import type { Browser, Page } from 'playwright-core';
import { type BenchServer, startServer } from './server.ts';
import { PACES, SimulatedUser } from './user-input.ts';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };

/**
 * Measures how long a new user takes when acting at a human pace: from the setup link until a CI script's post is on
 * the screen, and, on a phone, until a leaked key is rejected.
 */
export async function measureStranger(browser: Browser): Promise<string[]> {
  const all = await Promise.all(Object.entries(PACES).map((pace) => measureAt(browser, pace)));
  return all.flat();
}

async function measureAt(browser: Browser, [text, pace]: [string, number]): Promise<string[]> {
  await using server = await startServer();
  const { key, storageState, line } = await reachFirstPost(browser, { server, pace });
  return [`${text}:`, line, await revokeLeakedKey(browser, { server, pace, key, storageState })];
}

async function reachFirstPost(browser: Browser, { server, pace }: { server: BenchServer; pace: number }) {
  const context = await browser.newContext({ baseURL: server.url, viewport: WIDE });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  const { link } = await server.admin.request('POST /setup-link');
  const user = new SimulatedUser(page, pace);
  await page.goto(link);
  await user.type('name', page.getByLabel('Your name'), 'Mara Lindqvist');
  await user.type('e-mail', page.getByLabel('E-mail'), 'mara@example.org');
  await user.type('password', page.getByLabel('Password', { exact: true }), 'paper and ink');
  await user.type('first Hub', page.getByLabel('First Hub'), 'Deploys');
  await user.press('Set up', page.getByRole('button', { name: 'Set up' }));
  await user.press('Issue a key', page.getByRole('button', { name: 'Issue a key' }).first());
  await user.type('key name', page.getByRole('dialog').getByLabel('Name'), 'ci');
  await user.press('Issue key', page.getByRole('dialog').locator('button[type="submit"]'));
  const dialog = page.getByRole('dialog', { name: /^Copy the key/u });
  await user.press('Copy key', dialog.getByRole('button', { name: 'Copy key' }));
  const key = await clipboard(page);
  await user.pasteElsewhere('paste it as a CI secret');
  // The first code block reads the key at a terminal, which a CI script does not need.
  await user.press('Copy the code', dialog.getByRole('button', { name: 'Copy the code' }).last());
  const script = await clipboard(page);
  await user.pasteElsewhere('paste it into the CI script');
  await user.press('Done', dialog.getByRole('button', { name: 'Done' }));
  const ran = Bun.spawn(['bash', '-euc', script], {
    env: { ...Bun.env, HUB_API_KEY: key },
    stdin: 'ignore',
    stdout: 'ignore',
  });
  await page.locator('.msg').first().waitFor();
  const { seconds, actions } = user;
  if ((await ran.exited) !== 0) throw new Error('The CI script failed');
  const storageState = await context.storageState();
  await context.close();
  return {
    key,
    storageState,
    line: report('from the setup link to a post of a CI script on the screen', seconds, actions),
  };
}

interface Leak {
  server: BenchServer;
  pace: number;
  key: string;
  storageState: Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>;
}

/** Revokes a leaked key on a phone, starting at one of its posts. */
async function revokeLeakedKey(browser: Browser, { server, pace, key, storageState }: Leak): Promise<string> {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    storageState,
  });
  const page = await context.newPage();
  await page.goto('/stream');
  const user = new SimulatedUser(page, pace);
  await user.press('key name', page.locator('.entry').getByRole('link', { name: 'ci' }).first());
  await user.press('Revoke key', page.getByRole('button', { name: /^Revoke/u }).first());
  await user.hold('hold', page.getByRole('dialog').getByRole('button', { name: /^Hold/u }), () =>
    untilRejected(server, key),
  );
  const { seconds, actions } = user;
  await context.close();
  return report('from a post of a leaked key to its rejection, at 360 pixels', seconds, actions);
}

async function untilRejected(server: BenchServer, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  // An empty body posts nothing, but gets a 400 while the key still works.
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
