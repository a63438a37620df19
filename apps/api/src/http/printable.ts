const LONGEST_SHOWN = 200;

/** A stranger's words as they may stand in our message: cut, and without characters that steer a terminal. */
export function printable(text: string, longest = LONGEST_SHOWN): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
}
