import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { TestHub } from '../in-process/test-hub.ts';
import type { UserCaller } from '../in-process/users.ts';

const CHROMIUM = Bun.env.CHROMIUM ?? '/usr/bin/chromium';
/** The same engine without windows and notifications. It needs half the processor time. */
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

const SAVE_DATA = `Object.defineProperty(NetworkInformation.prototype, 'saveData', { get: () => true })`;

const WAIT_MS = 45_000;

export interface Look {
  width: number;
  height: number;
  scheme: 'light' | 'dark';
  /** Whether a finger is the pointer. Default: only on a phone. */
  isTouch?: boolean;
}

export const WIDE: Look = { width: 1280, height: 800, scheme: 'light' };
export const PHONE: Look = { width: 360, height: 740, scheme: 'light' };
export const TABLET: Look = { width: 768, height: 1024, scheme: 'light', isTouch: true };

/** A page of a user, and the errors that it logged. */
export interface TestSession {
  page: Page;
  context: BrowserContext;
  /** Errors from the page and its console, including violations of the content security policy. */
  problems: string[];
}

/** By `isWhole`. */
const browsers = new Map<boolean, Browser>();

/** Starts Chromium: the headless shell if it is installed, unless `isWhole` or CHROMIUM ask for another executable. */
export async function startBrowser({ isWhole = false } = {}): Promise<Browser> {
  const executablePath = isWhole || Bun.env.CHROMIUM || !existsSync(SHELL) ? CHROMIUM : SHELL;
  return chromium.launch({ executablePath, headless: true, args: ARGUMENTS });
}

/** Returns the Chromium that all test files of this process share. `close()` closes the sessions that are still open. */
export async function testBrowser({ isWhole = false } = {}): Promise<Browser> {
  const shared = browsers.get(isWhole);
  if (shared?.isConnected()) return shared;
  const browser = await startBrowser({ isWhole });
  browsers.set(isWhole, browser);
  browser.close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  };
  return browser;
}

export interface SessionOptions {
  caller?: UserCaller;
  look?: Look | undefined;
  locale?: string;
  /** Whether the service worker runs. */
  isInstalled?: boolean;
  /** Whether pages load code ahead after some seconds, which takes a second of processor time. */
  loadsAhead?: boolean;
}

/** Opens a page with its own cookies and storage, signed in as `caller` if given. */
export async function testSession(
  browser: Browser,
  hub: TestHub,
  { caller, look = WIDE, locale = 'en-GB', isInstalled = false, loadsAhead = false }: SessionOptions = {},
): Promise<TestSession> {
  const { width, height, scheme, isTouch = width < 500 } = look;
  const context = await browser.newContext({
    baseURL: hub.url,
    hasTouch: isTouch,
    isMobile: isTouch,
    locale,
    timezoneId: 'Europe/Berlin',
    viewport: { width, height },
    colorScheme: scheme,
    // Wide pages do not move, so that no test waits for it; those for a finger do.
    reducedMotion: isTouch ? null : 'reduce',
    // Requests made by a service worker bypass the routes that tests set up.
    serviceWorkers: isInstalled ? 'allow' : 'block',
  });
  // Shorter than the timeout of the test, so that the error names the missing element.
  context.setDefaultTimeout(WAIT_MS);
  if (!loadsAhead) await context.addInitScript(SAVE_DATA);
  if (caller) await context.addCookies([cookieOf(caller, hub)]);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  return { page, context, problems };
}

export function cookieOf({ headers }: UserCaller, { url }: TestHub) {
  const [name = '', value = ''] = (headers.cookie ?? '').split('=');
  return { name, value, url };
}
