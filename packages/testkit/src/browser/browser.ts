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

const WAIT_MS = 20_000;

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

interface OpenPage {
  page: Page;
  context: BrowserContext;
}

/** By `isWhole`. */
const browsers = new Map<boolean, Browser>();
/** Emptied pages that the next session can use, by browser and kind. */
const idlePages = new WeakMap<Browser, Map<string, OpenPage[]>>();
/** The URL of each context's server. Playwright's `baseURL` cannot change, and many tests start their own server. */
const serverUrls = new WeakMap<BrowserContext, string>();

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
    const idle = [...pagesOf(browser).values()].flat().map(({ context }) => context);
    const open = browser.contexts().filter((context) => !idle.includes(context));
    await Promise.all(open.map((context) => context.close()));
  };
  return browser;
}

function pagesOf(browser: Browser): Map<string, OpenPage[]> {
  const pages = idlePages.get(browser) ?? new Map<string, OpenPage[]>();
  idlePages.set(browser, pages);
  return pages;
}

export interface SessionOptions {
  caller?: UserCaller;
  look?: Look | undefined;
  locale?: string;
  /** Whether the service worker runs. */
  isInstalled?: boolean;
}

/**
 * Opens a page with its own cookies and storage, signed in as `caller` if given. `context.close()` empties the page
 * and keeps it for the next session of the same kind, since a new page takes more than twice the time.
 */
export async function testSession(
  browser: Browser,
  hub: TestHub,
  { caller, look = WIDE, locale = 'en-GB', isInstalled = false }: SessionOptions = {},
): Promise<TestSession> {
  const { width, height, scheme, isTouch = width < 500 } = look;
  const { page, context } = isInstalled
    ? await openPage(browser, { locale, isTouch, isInstalled })
    : await reusablePage(browser, { locale, isTouch });
  serverUrls.set(context, hub.url);
  await page.setViewportSize({ width, height });
  // Wide pages do not move, so that no test waits for it; those for a finger do.
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: isTouch ? null : 'reduce', forcedColors: null });
  if (caller) await context.addCookies([cookieOf(caller, hub)]);
  // Shorter than the timeout of the test, so that the error names the missing element and the next test gets its
  // browser.
  context.setDefaultTimeout(WAIT_MS);
  page.setDefaultTimeout(WAIT_MS);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  return { page, context, problems };
}

interface PageKind {
  locale: string;
  isTouch: boolean;
  isInstalled?: boolean;
}

async function openPage(browser: Browser, { locale, isTouch, isInstalled = false }: PageKind): Promise<OpenPage> {
  const context = await browser.newContext({
    hasTouch: isTouch,
    isMobile: isTouch,
    locale,
    timezoneId: 'Europe/Berlin',
    // Requests made by a service worker bypass the routes that tests set up.
    serviceWorkers: isInstalled ? 'allow' : 'block',
  });
  context.on('page', (page) => {
    const onServer = (path: string) => new URL(path, serverUrls.get(context)).href;
    const { goto, waitForURL } = page;
    page.goto = (path, options) => goto.call(page, onServer(path), options);
    page.waitForURL = (url, options) =>
      waitForURL.call(page, typeof url === 'string' && url.startsWith('/') ? onServer(url) : url, options);
  });
  return { page: await context.newPage(), context };
}

async function reusablePage(browser: Browser, kind: PageKind): Promise<OpenPage> {
  const name = JSON.stringify(kind);
  const idle = pagesOf(browser).get(name) ?? [];
  pagesOf(browser).set(name, idle);
  const reused = idle.pop();
  if (reused) return reused;
  const { page, context } = await openPage(browser, kind);
  const isChanged = lastingChanges(page);
  const { close } = context;
  context.close = async (options) => {
    const isEmpty =
      !isChanged() &&
      !page.isClosed() &&
      (await empty(page).then(
        () => true,
        () => false,
      ));
    if (isEmpty) idle.push({ page, context });
    else await close.call(context, options);
  };
  return { page, context };
}

/** Returns whether a test has changed the page or its context in a way that cannot be taken back. */
function lastingChanges(page: Page): () => boolean {
  const context = page.context();
  let isChanged = false;
  const watch = <Owner extends object>(owner: Owner, methods: (keyof Owner & string)[]) => {
    for (const method of methods) {
      const original = owner[method];
      if (typeof original !== 'function') throw new Error(`${method} is not a method`);
      const watched = (...given: unknown[]) => {
        isChanged = true;
        return original.apply(owner, given);
      };
      Object.assign(owner, { [method]: watched });
    }
  };
  watch(page, ['addInitScript', 'routeWebSocket']);
  watch(context, ['addInitScript', 'routeWebSocket', 'newCDPSession']);
  watch(context.clock, ['install', 'setFixedTime', 'setSystemTime', 'pauseAt']);
  return () => isChanged;
}

async function empty(page: Page): Promise<void> {
  const context = page.context();
  await Promise.all(context.pages().map((other) => (other === page ? null : other.close())));
  for (const event of ['console', 'dialog', 'framenavigated', 'pageerror', 'request'] as const)
    await page.removeAllListeners(event);
  await context.setOffline(false);
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // Another page of the same server, which runs nothing: the app may still write while it is left.
  await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto('/');
  await page.evaluate(async () => {
    localStorage.clear();
    sessionStorage.clear();
    for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name);
  });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.mouse.move(0, 0);
  await context.clearCookies();
  await context.clearPermissions();
}

/** Resolves once a dialog is open and its animation has ended: colors change during the animation. */
export async function settled(page: Page): Promise<void> {
  await page.locator('dialog[open]').waitFor();
  await page.evaluate(async () => {
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });
}

export function cookieOf({ headers }: UserCaller, { url }: TestHub) {
  const [name = '', value = ''] = (headers.cookie ?? '').split('=');
  return { name, value, url };
}
