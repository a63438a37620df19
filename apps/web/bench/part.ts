import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { BenchServer } from './server.ts';
import type { Workspace } from './workspace.ts';

/** The environment in which a measurement runs. */
export interface Bench {
  browser: Browser;
  server: BenchServer;
  workspace: Workspace;
  /** The number of items in the first Hub. */
  items: number;
  seconds: number;
}

/** Opens a page as a signed-in user, with an empty cache. */
export async function open({ browser, server, workspace }: Bench): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 800 } });
  const [name = '', value = ''] = (workspace.user.headers.cookie ?? '').split('=');
  await context.addCookies([{ name, value, url: server.url }]);
  return { page: await context.newPage(), context };
}

export const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
