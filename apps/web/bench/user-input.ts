import type { Locator, Page } from 'playwright-core';

/**
 * How long a person takes for a deed, in milliseconds: Card, Moran and Newell, "The Keystroke-Level Model" (CACM 23(7), 1980). A
 * keystroke of somebody who is no typist, pointing at something, pressing it, and making up one's mind before each deed.
 */
const KEYSTROKE_MS = 280;
const POINT_MS = 1_100;
const PRESS_MS = 200;
const DECIDE_MS = 1_350;

/**
 * How many words a minute somebody takes in: who reads each of them (the mean of Brysbaert, "How many words do we read per minute?",
 * Journal of Memory and Language 109, 2019), who skims (Carver, "Reading Rate", 1990), and who has been here before.
 */
export const PACES = {
  'reading each word': 238,
  skimming: 450,
  'knowing the way': Number.POSITIVE_INFINITY,
} as const;

/** Somebody who has never seen these pages: takes in all that is new to him before he goes on, then thinks, points, presses. */
export class Hand {
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

  /** Presses and keeps pressing until `end`. */
  async hold(what: string, target: Locator, end: () => Promise<unknown>): Promise<void> {
    await this.#before(what, target);
    await this.#wait(POINT_MS);
    const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await this.page.mouse.move(x + width / 2, y + height / 2);
    await this.page.mouse.down();
    await end();
    await this.page.mouse.up();
  }

  /** Into a field that has the focus, or gets it by the Tab key; one that does neither is pointed at. */
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

  /** Goes to another window, pastes there what was copied, and comes back. */
  async pasteElsewhere(what: string): Promise<void> {
    this.actions.push(what);
    await this.#wait(2 * (DECIDE_MS + POINT_MS + PRESS_MS) + 2 * KEYSTROKE_MS);
  }

  async #before(what: string, target: Locator): Promise<void> {
    await target.waitFor();
    this.actions.push(what);
    const lines = await this.page.evaluate(wordsInSight);
    const words = lines.filter((line) => !this.#read.has(line)).flatMap((line) => line.split(/\s+/u));
    for (const line of lines) this.#read.add(line);
    await this.#wait(words.length * this.#wordMs + DECIDE_MS);
  }

  #wait(ms: number): Promise<void> {
    return this.page.waitForTimeout(ms);
  }
}

/** In the page: the lines that one sees, of the dialog if there is one. The code of a snippet is copied, not read. */
function wordsInSight(): string[] {
  const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  const lines: string[] = [];
  const texts = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement, nodeValue } = texts.currentNode;
    const isSeen =
      parentElement?.checkVisibility({ visibilityProperty: true }) && !parentElement.closest('pre, .sr, .skip');
    if (isSeen && nodeValue && /\p{L}/u.test(nodeValue)) lines.push(nodeValue.trim());
  }
  return lines;
}
