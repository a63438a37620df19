import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { BenchServer } from './server.ts';
import type { Workspace } from './workspace.ts';

/** What a measurement works with. */
export interface Bench {
  browser: Browser;
  server: BenchServer;
  workspace: Workspace;
  /** In the first Hub. */
  items: number;
  seconds: number;
}

/** A browser in which somebody is signed in, and which has nothing in its cache. */
export async function open({ browser, server, workspace }: Bench): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 800 } });
  const [name = '', value = ''] = workspace.cookie.split('=');
  await context.addCookies([{ name, value, url: server.url }]);
  return { page: await context.newPage(), context };
}

/** The value that so much of all are at most as large as. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}

export const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
