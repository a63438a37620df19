import type { Page } from 'playwright-core';

/**
 * What of a phone's page can be pressed, but is too low for a finger: as far as a press counts for it, also beyond what is drawn.
 * What stands in a line of text is as high as that.
 */
export function tooLowForFingers(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const LEAST = 40;
    const PRESSED = 'a[href], button:not(:disabled), input, select, textarea, summary';
    const isInText = (element: HTMLElement) =>
      element.closest('.prose, .msg-head, .skip, [aria-hidden="true"]') !== null ||
      (getComputedStyle(element).display === 'inline' &&
        (element.parentElement?.textContent?.length ?? 0) > (element.textContent?.length ?? 0));
    const open = [...document.querySelectorAll('dialog[open], :popover-open')].at(-1);
    const low = new Set<string>();
    for (const element of (open ?? document).querySelectorAll<HTMLElement>(PRESSED)) {
      const isSeen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      if (!isSeen || isInText(element) || element.closest('[inert]')) continue;
      element.scrollIntoView({ block: 'center', inline: 'center' });
      const { left, top, width, height } = element.getBoundingClientRect();
      const takes = (y: number) => {
        const hit = document.elementFromPoint(left + width / 2, y);
        // A toast goes by itself.
        if (hit?.closest('.toast') && !element.closest('.toast')) return true;
        return hit !== null && (element.contains(hit) || hit.closest('label')?.contains(element) === true);
      };
      const middle = Math.floor(top + height / 2);
      let [from, to] = [middle, middle - 1];
      while (to - from < LEAST && takes(to + 1)) to += 1;
      while (to - from < LEAST && takes(from - 1)) from -= 1;
      // What begins between two pixels is not to be told from what ends there.
      if (to - from + 1 < LEAST - 1) low.add(`${to - from + 1} px: ${element.outerHTML.slice(0, 120)}`);
    }
    return [...low];
  });
}
