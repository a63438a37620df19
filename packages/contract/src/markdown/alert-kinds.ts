/** The kinds of GitHub alerts: quotes whose first line is only `[!NOTE]` or similar. */
export const ALERT_KINDS = ['note', 'tip', 'important', 'warning', 'caution'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

const MARK = /^\[!([a-z]+)\][ \t]*(?:\n|$)/i;

/** Returns the kind of an alert and the length of its marker from the text of a quote; null if it is not an alert. */
export function alertMark(text: string): { kind: AlertKind; length: number } | null {
  const [mark = '', name = ''] = MARK.exec(text) ?? [];
  const kind = ALERT_KINDS.find((each) => each === name.toLowerCase());
  return kind === undefined ? null : { kind, length: mark.length };
}

/** Returns the title of an alert, such as `Note`. */
export function alertTitle(kind: AlertKind): string {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
}
