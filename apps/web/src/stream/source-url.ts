import { withPanel } from '../router/location.ts';

/** Returns the current URL, changed so that the source of a post opens beside the page. */
export function sourceUrl(itemId: string): string {
  return `${withPanel(itemId)}&show=origin`;
}
