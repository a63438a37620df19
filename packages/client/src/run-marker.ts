import { isBlank } from '@hub/contract/blank-text';
import { HubUsageError } from './errors.ts';

/** The format of a marker: a word that Markdown, search and shells do not change. */
const MARKER = /^[0-9A-Za-z][0-9A-Za-z._:/#@+-]{0,99}$/;

/**
 * Adds a run marker to Markdown text, as the last paragraph `` `run:build-4711` ``. Every accepted request creates a
 * new item, so a run that is repeated after a crash can search the Hub for its marker and skip what it already posted.
 * Text that already ends with the marker is returned unchanged.
 *
 * @param marker A letter or digit, then up to 99 letters, digits and `._:/#@+-`.
 * @throws HubUsageError if the marker is invalid.
 */
export function withRunMarker(text: string, marker: string): string {
  const line = `\`${markerWord(marker)}\``;
  const body = text.trimEnd();
  if (isBlank(body)) return line;
  return body === line || body.endsWith(`\n\n${line}`) ? body : `${body}\n\n${line}`;
}

/** @internal */
export function markerWord(marker: unknown): string {
  if (typeof marker === 'string' && MARKER.test(marker)) return `run:${marker}`;
  throw new HubUsageError(
    'runMarker must start with a letter or digit and have at most 100 characters: letters, digits and ._:/#@+-',
  );
}
