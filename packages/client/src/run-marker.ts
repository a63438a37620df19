import { HubUsageError } from './errors.ts';

/** What a marker may be made of: a word that Markdown, search and a shell all leave as it is. */
const MARKER = /^[0-9A-Za-z][0-9A-Za-z._:/#@+-]{0,99}$/;

/**
 * Puts a run marker under a Markdown text: a last paragraph `` `run:build-4711` ``. Every accepted request makes a new
 * item, so a run that is repeated after a crash can search the Hub for its own marker and leave out what is there.
 * A text that already ends in the marker is returned as it is.
 *
 * @param marker A letter or digit, then up to 99 letters, digits and `._:/#@+-`.
 * @throws HubUsageError if the marker has another form.
 */
export function withRunMarker(text: string, marker: string): string {
  const line = `\`${markerWord(marker)}\``;
  const body = text.trimEnd();
  if (body === '') return line;
  return body === line || body.endsWith(`\n\n${line}`) ? body : `${body}\n\n${line}`;
}

/** @internal */
export function markerWord(marker: unknown): string {
  if (typeof marker === 'string' && MARKER.test(marker)) return `run:${marker}`;
  throw new HubUsageError(
    'runMarker must begin with a letter or digit, have at most 100 characters, and only letters, digits and ._:/#@+-',
  );
}
