/**
 * Takes the screenshots for the README (docs/pictures/*.png) from `bun run demo`. Requires Chromium
 * (`CHROMIUM` sets its path).
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { toPalette } from './to-palette.ts';

const ROOT = resolve(import.meta.dir, '../../..');
const FOLDER = join(ROOT, 'docs/pictures');
const MAX_BYTES = 150_000;

interface Screenshot {
  name: string;
  look: BrowserContextOptions;
  /** Opens the page to capture. */
  open: (page: Page) => Promise<void>;
}

const openHub = async (page: Page, name: string) => {
  await page.locator('.side .nav-row', { hasText: name }).click();
  await page.locator('.feed:not(.is-unplaced) .msg').first().waitFor();
};
const WIDE = { width: 1280, height: 800 };

const SCREENSHOTS: Screenshot[] = [
  {
    name: 'hub-light',
    look: { viewport: WIDE, colorScheme: 'light' },
    open: async (page) => {
      await openHub(page, 'Deploys');
      await page.locator('.thread-link, .feed a[href*="open="]').last().click();
      await page.locator('#panel .msg').first().waitFor();
    },
  },
  {
    name: 'stream-dark',
    look: { viewport: WIDE, colorScheme: 'dark' },
    open: async (page) => {
      await page.goto('/stream?unread=true');
      await page.locator('.entry').first().waitFor();
    },
  },
  {
    name: 'keys-light',
    look: { viewport: WIDE, colorScheme: 'light' },
    open: async (page) => {
      await page.goto('/settings/keys');
      await page.locator('.keys [role="row"]').nth(1).waitFor();
    },
  },
  {
    name: 'hub-phone',
    look: { viewport: { width: 360, height: 740 }, colorScheme: 'light', isMobile: true, hasTouch: true },
    open: async (page) => {
      await page.locator('.bar .menu-open').click();
      await openHub(page, 'Team room');
    },
  },
];

/** Starts the demo. Returns its URL and an account to sign in with. */
async function startDemo() {
  const demo = Bun.spawn([process.execPath, join(ROOT, 'scripts/demo.ts'), '--quiet'], { stdout: 'pipe' });
  let output = '';
  for await (const chunk of demo.stdout.pipeThrough(new TextDecoderStream())) {
    output += chunk;
    if (output.includes('Ctrl-C')) break;
  }
  const [, url] = / running at (\S+)/.exec(output) ?? [];
  const [, email, password] = /^ {2}(\S+@\S+)\s+(\S.*?) {2,}/m.exec(output) ?? [];
  if (!url || !email || !password) throw new Error(`Unexpected output of the demo: ${output}`);
  return {
    url,
    email,
    password,
    stop: async () => {
      demo.kill('SIGTERM');
      await demo.exited;
    },
  };
}

async function take(
  browser: Browser,
  { url, email, password }: Awaited<ReturnType<typeof startDemo>>,
  each: Screenshot,
) {
  const context = await browser.newContext({ ...each.look, baseURL: url, locale: 'en-GB', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto('/');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.locator('.entry').first().waitFor();
  await each.open(page);
  await page.mouse.move(0, 0);
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
  const png = toPalette(await page.screenshot({ caret: 'hide' }));
  await context.close();
  const path = join(FOLDER, `${each.name}.png`);
  await Bun.write(path, png);
  console.log(`${path}: ${Math.ceil(png.length / 1_000)} kB`);
  if (png.length > MAX_BYTES) throw new Error(`${path} is larger than ${MAX_BYTES} bytes`);
}

mkdirSync(FOLDER, { recursive: true });
const demo = await startDemo();
const browser = await chromium.launch({ executablePath: Bun.env.CHROMIUM ?? '/usr/bin/chromium' });
try {
  for (const screenshot of SCREENSHOTS) await take(browser, demo, screenshot);
} finally {
  await browser.close();
  await demo.stop();
}
