/** The alerts of GitHub: a quotation whose first line is `[!NOTE]` or the like, and nothing else. */
export const ALERT_KINDS = ['note', 'tip', 'important', 'warning', 'caution'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

const MARK = /^\[!([a-z]+)\][ \t]*(?:\n|$)/i;

/** Returns the kind that a quotation's text begins with, and the length of its mark; null for any other text. */
export function alertMark(text: string): { kind: AlertKind; length: number } | null {
  const [mark = '', name = ''] = MARK.exec(text) ?? [];
  const kind = ALERT_KINDS.find((known) => known === name.toLowerCase());
  return kind === undefined ? null : { kind, length: mark.length };
}

/** What an alert is called: `Note`. */
export function alertTitle(kind: AlertKind): string {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
}
