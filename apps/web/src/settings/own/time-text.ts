/** Returns the time zone of this browser, or the given one, with its offset at `atMs`: "Europe/Berlin, UTC+1". */
export function zoneText(atMs: number, timeZone?: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' });
  const zone = format.resolvedOptions().timeZone;
  const offset = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value;
  return offset === undefined || zone === 'UTC'
    ? zone
    : `${zone.replaceAll('_', ' ')}, ${offset.replace('GMT', 'UTC')}`;
}
