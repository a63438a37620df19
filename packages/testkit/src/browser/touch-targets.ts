import type { Page } from 'playwright-core';

/**
 * Returns the controls of a page that are too small, by default for a finger on a phone. The area that reacts to a press counts,
 * even beyond the visible element. Controls in a line of text need only be as high as the line, and those in the head
 * of a message only as wide as their text.
 */
export function smallTouchTargets(page: Page, pixels = 40): Promise<string[]> {
  return page.evaluate((wanted) => {
    // With fractional positions, up to a pixel is lost.
    const MIN = wanted - 1;
    const PRESSED = 'a[href], button:not(:disabled), input, select, textarea, summary, [role="option"]';
    /** The controls in the head of a message, which has room above it. */
    const isInHead = (element: HTMLElement) => element.matches('.via-key, .at > a');
    const isInText = (element: HTMLElement) =>
      (element.closest('.prose, .skip, [aria-hidden="true"]') !== null && !element.matches('.check')) ||
      (getComputedStyle(element).display === 'inline' &&
        (element.parentElement?.textContent?.length ?? 0) > (element.textContent?.length ?? 0));
    /** Returns how many pixels around the middle of the control react to a press. */
    const reach = (takes: (by: number) => boolean) => {
      let [from, to] = [0, -1];
      while (to - from < MIN && takes(to + 1)) to += 1;
      while (to - from < MIN && takes(from - 1)) from -= 1;
      return to - from + 1;
    };
    const open = [...document.querySelectorAll('dialog[open], :popover-open')].at(-1);
    const small = new Set<string>();
    for (const element of (open ?? document).querySelectorAll<HTMLElement>(PRESSED)) {
      const isSeen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      if (!isSeen || (isInText(element) && !isInHead(element)) || element.closest('[inert]')) continue;
      element.scrollIntoView({ block: 'center', inline: 'center' });
      const { left, top, width, height } = element.getBoundingClientRect();
      const takes = (x: number, y: number) => {
        const hit = document.elementFromPoint(x, y);
        // A toast disappears on its own.
        if (hit?.closest('.toast') && !element.closest('.toast')) return true;
        return hit !== null && (element.contains(hit) || hit.closest('label')?.contains(element) === true);
      };
      const [x, y] = [Math.floor(left + width / 2), Math.floor(top + height / 2)];
      const high = reach((by) => takes(x, y + by));
      const wide = isInHead(element) ? MIN : reach((by) => takes(x + by, y));
      if (Math.min(high, wide) < MIN) small.add(`${wide} × ${high} px: ${element.outerHTML.slice(0, 120)}`);
    }
    return [...small];
  }, pixels);
}
