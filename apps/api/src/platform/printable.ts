const MAX_SHOWN_CHARACTERS = 200;
const MAX_ID_CHARACTERS = 64;

/** Makes untrusted text safe for a message: truncates it and replaces characters that control a terminal. */
export function printable(text: string, maxCharacters = MAX_SHOWN_CHARACTERS): string {
  const cut = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
  return cut.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
}

/** Returns "There is no Hub hub_0.", for example. `id` is `null` if the id in the path cannot be decoded. */
export function notFound(noun: string, id: string | null): string {
  return id === null ? `There is no ${noun} with this id.` : `There is no ${noun} ${printable(id, MAX_ID_CHARACTERS)}.`;
}
