const MAX_SHOWN_CHARACTERS = 200;
const MAX_ID_CHARACTERS = 64;

/** A stranger's words as they may stand in our message: cut, and without characters that steer a terminal. */
export function printable(text: string, longest = MAX_SHOWN_CHARACTERS): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
}

/** "There is no Hub hub_0." The id is `null` if the part of the path that holds it cannot be decoded. */
export function notFound(noun: string, id: string | null): string {
  return id === null ? `There is no ${noun} with this id.` : `There is no ${noun} ${printable(id, MAX_ID_CHARACTERS)}.`;
}
