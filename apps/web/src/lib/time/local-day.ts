/** Returns the day in the reader's time zone as `YYYY-MM-DD`, the value of a date input. */
export function localDay(ms: number): string {
  const date = new Date(ms);
  const part = (number: number, length = 2) => String(number).padStart(length, '0');
  return `${part(date.getFullYear(), 4)}-${part(date.getMonth() + 1)}-${part(date.getDate())}`;
}

/** Whether a text is such a day after 1 January 1970. The 31st of February is not. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) && text > '1970-01-01';
}

/** Returns the instant at which such a day begins in the reader's time zone, or one `daysLater`, as ISO 8601. */
export function startOfDay(day: string, daysLater = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const start = new Date(2000, 0, 1);
  // The Date constructor maps the years 0 to 99 to 1900 to 1999.
  start.setFullYear(year, month - 1, date + daysLater);
  return start.toISOString();
}
