export interface TimeWords {
  /** "Europe/Berlin, UTC+1" */
  zone: string;
  /** Of times and dates: "British English" */
  language: string;
  /** A moment, as it is written here. */
  example: string;
}

/** How this browser tells times: where it is, in which language, and what that looks like. */
export function timeWords(atMs: number, locale?: string, timeZone?: string): TimeWords {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const { locale: found, timeZone: zone } = format.resolvedOptions();
  const offset = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' })
    .formatToParts(atMs)
    .find(({ type }) => type === 'timeZoneName')?.value;
  return {
    zone:
      offset === undefined || zone === 'UTC' ? zone : `${zone.replaceAll('_', ' ')}, ${offset.replace('GMT', 'UTC')}`,
    language: new Intl.DisplayNames('en', { type: 'language' }).of(found) ?? found,
    example: format.format(atMs),
  };
}
