/**
 * `bun apps/web/screenshots/draw-icons.ts`: draws the icons of the installed app as PNG, in ../src/app-icons. They are
 * kept in the repository, since builds have no browser. Run it when the product logo changes. `CHROMIUM` sets the path
 * of the browser.
 */
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const FOLDER = join(import.meta.dir, '../src/app-icons');
const INK = '#201f1c';
/** The same shapes as in icons/mark.tsx, in a 24 × 24 box. */
const MARK = [
  '<circle cx="12" cy="12" r="3.5" fill="CORE" stroke="none"/>',
  '<path d="M12 2.5v3.2M20.2 16.75l-2.75-1.6M3.8 16.75l2.75-1.6M18.9 7.1a8.5 8.5 0 0 1 1.5 3.7M14.9 20a8.5 8.5 0 0 1-5.8 0M3.6 10.8a8.5 8.5 0 0 1 1.5-3.7"/>',
].join('');

interface Drawing {
  name: string;
  size: number;
  /** The corner radius of the background as a fraction of the size; `null` for no background. */
  corner: number | null;
  /** The fraction of the size that the mark fills. Only the middle 80% of a maskable icon is sure to be visible. */
  fill: number;
  core?: string;
}

const DRAWINGS: readonly Drawing[] = [
  { name: 'icon-192', size: 192, corner: 0.25, fill: 0.75 },
  { name: 'icon-512', size: 512, corner: 0.25, fill: 0.75 },
  { name: 'maskable-512', size: 512, corner: 0, fill: 0.56 },
  { name: 'touch-180', size: 180, corner: 0, fill: 0.66 },
  // The system uses only the shape of a badge.
  { name: 'badge-96', size: 96, corner: null, fill: 0.92, core: '#fff' },
];

function svgOf({ size, corner, fill, core = '#ff9d6e' }: Drawing): string {
  const scale = (size * fill) / 24;
  const edge = (size * (1 - fill)) / 2;
  const ground = corner === null ? '' : `<rect width="${size}" height="${size}" rx="${size * corner}" fill="${INK}"/>`;
  const mark = `<g transform="translate(${edge} ${edge}) scale(${scale})" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round">${MARK.replace('CORE', core)}</g>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${ground}${mark}</svg>`;
}

const browser = await chromium.launch({
  executablePath: Bun.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage();
for (const drawing of DRAWINGS) {
  const { name, size } = drawing;
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${svgOf(drawing)}`);
  await page.screenshot({ path: join(FOLDER, `${name}.png`), omitBackground: true });
}
await browser.close();
