import { withPanel } from '../router/location.ts';

/** The present address, with where a post came from open beside it. */
export function originAddress(itemId: string): string {
  return `${withPanel(itemId)}&show=origin`;
}
