import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { TestHub } from '../../api/src/testing/start-test-hub.ts';
import type { UserCaller } from '../../api/src/testing/users.ts';

const CHROMIUM = Bun.env.CHROMIUM ?? '/usr/bin/chromium';
/** Of the same source, without windows and notices: it takes half as much of the processor. */
const SHELL = '/usr/bin/chromium-headless-shell';
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const WAIT_MS = 10_000;

export interface Look {
  width: number;
  height: number;
  scheme: 'light' | 'dark';
}

export const WIDE: Look = { width: 1280, height: 800, scheme: 'light' };
export const PHONE: Look = { width: 360, height: 740, scheme: 'light' };

/** A page of somebody, and what went wrong in it. */
export interface TestSession {
  page: Page;
  context: BrowserContext;
  /** Errors of the page and of its console, the browser's refusals by the policy of the page among them. */
  problems: string[];
}

/** One Chromium for the tests of a file: its shell where that is installed, unless the tests need the whole of it, or CHROMIUM names one. */
export async function startBrowser({ isWhole = false } = {}): Promise<Browser> {
  const executablePath = isWhole || Bun.env.CHROMIUM || !existsSync(SHELL) ? CHROMIUM : SHELL;
  return chromium.launch({ executablePath, headless: true, args: ARGUMENTS });
}

interface TestSessionOptions {
  caller?: UserCaller;
  look?: Look;
  locale?: string;
  /** With its service worker. */
  isInstalled?: boolean;
}

/** `isInstalled`: with the service worker. A browser of its own, as far as cookies and storage go; signed in as `caller`, if one is given. */
export async function testSession(
  browser: Browser,
  hub: TestHub,
  { caller, look = WIDE, locale = 'en-GB', isInstalled = false }: TestSessionOptions = {},
): Promise<TestSession> {
  const { width, height, scheme } = look;
  const isPhone = width < 500;
  const context = await browser.newContext({
    baseURL: hub.url,
    viewport: { width, height },
    colorScheme: scheme,
    hasTouch: isPhone,
    isMobile: isPhone,
    locale,
    timezoneId: 'Europe/Berlin',
    // What it fetches does not pass the routes that tests put in the way.
    serviceWorkers: isInstalled ? 'allow' : 'block',
  });
  if (caller) await context.addCookies([cookieOf(caller, hub)]);
  // Sooner than the test itself gives up: then it says what was waited for, and the next one has its browser.
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  return { page, context, problems };
}

/** Resolves once a dialog stands there: while it is rising it is not yet of its colours. */
export async function settled(page: Page): Promise<void> {
  await page.locator('dialog[open]').waitFor();
  await page.evaluate(async () => {
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });
}

function cookieOf({ headers }: UserCaller, { url }: TestHub) {
  const [name = '', value = ''] = (headers.cookie ?? '').split('=');
  return { name, value, url };
}
