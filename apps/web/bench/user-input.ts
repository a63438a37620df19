import type { Locator, Page } from 'playwright-core';

/**
 * The time that a user takes for an action, in milliseconds: Card, Moran and Newell, "The Keystroke-Level Model" (CACM
 * 23(7), 1980). Covers a keystroke by an untrained typist, pointing, pressing, and deciding before each action.
 */
const KEYSTROKE_MS = 280;
const POINT_MS = 1_100;
const PRESS_MS = 200;
const DECIDE_MS = 1_350;

/**
 * Reading speeds in words per minute: reading each word (the mean of Brysbaert, "How many words do we read per
 * minute?", Journal of Memory and Language 109, 2019), skimming (Carver, "Reading Rate", 1990), and not reading at all,
 * since the user already knows the pages.
 */
export const PACES = {
  'reading each word': 238,
  skimming: 450,
  'knowing the way': Number.POSITIVE_INFINITY,
} as const;

/**
 * Simulates a user who sees these pages for the first time. Before each action, the user reads all new text, then
 * decides, points and presses.
 */
export class SimulatedUser {
  readonly page: Page;
  readonly #wordMs: number;
  readonly actions: string[] = [];
  readonly #startMs = performance.now();
  readonly #read = new Set<string>();

  constructor(page: Page, wordsPerMinute: number) {
    this.page = page;
    this.#wordMs = 60_000 / wordsPerMinute;
  }

  get seconds(): number {
    return (performance.now() - this.#startMs) / 1_000;
  }

  async press(what: string, target: Locator): Promise<void> {
    await this.#before(what, target);
    await this.#wait(POINT_MS + PRESS_MS);
    await target.click();
  }

  /** Presses and holds the button until `end` resolves. */
  async hold(what: string, target: Locator, end: () => Promise<unknown>): Promise<void> {
    await this.#before(what, target);
    await this.#wait(POINT_MS);
    const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await this.page.mouse.move(x + width / 2, y + height / 2);
    await this.page.mouse.down();
    await end();
    await this.page.mouse.up();
  }

  /** Types into a field that has the focus or gets it with the Tab key; otherwise, points at the field first. */
  async type(what: string, field: Locator, text: string): Promise<void> {
    const hasFocus = () => field.evaluate((element) => element === document.activeElement);
    await this.#before(what, field);
    if (!(await hasFocus())) await this.page.keyboard.press('Tab', { delay: KEYSTROKE_MS });
    if (!(await hasFocus())) {
      await this.#wait(POINT_MS + PRESS_MS);
      await field.click();
    }
    await this.page.keyboard.type(text, { delay: KEYSTROKE_MS });
  }

  /** Switches to another window, pastes the copied text there and returns. */
  async pasteElsewhere(what: string): Promise<void> {
    this.actions.push(what);
    await this.#wait(2 * (DECIDE_MS + POINT_MS + PRESS_MS) + 2 * KEYSTROKE_MS);
  }

  async #before(what: string, target: Locator): Promise<void> {
    await target.waitFor();
    this.actions.push(what);
    const lines = await this.page.evaluate(visibleLines);
    const words = lines.filter((line) => !this.#read.has(line)).flatMap((line) => line.split(/\s+/u));
    for (const line of lines) this.#read.add(line);
    await this.#wait(words.length * this.#wordMs + DECIDE_MS);
  }

  #wait(ms: number): Promise<void> {
    return this.page.waitForTimeout(ms);
  }
}

/**
 * Runs in the page: returns the visible lines, or only those of the dialog if one is open. Code in snippets is left
 * out, since users copy it without reading it.
 */
function visibleLines(): string[] {
  const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  const lines: string[] = [];
  const texts = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement, nodeValue } = texts.currentNode;
    const isSeen =
      parentElement?.checkVisibility({ visibilityProperty: true }) &&
      !parentElement.closest('pre, .sr, .skip') &&
      // Labels for screen readers are cut off.
      getComputedStyle(parentElement).clipPath === 'none';
    if (isSeen && nodeValue && /\p{L}/u.test(nodeValue)) lines.push(nodeValue.trim());
  }
  return lines;
}
