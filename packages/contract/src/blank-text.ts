/**
 * Characters that show nothing: white space, control characters except NUL, which is never accepted, default ignorable
 * code points (Unicode Standard, section 5.21), annotation marks and the empty Braille pattern. A part of a character
 * class for patterns with and without the `u` flag, so those beyond U+FFFF are missing.
 */
export const BLANK_CHARACTERS = [
  String.raw`\s\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f`,
  String.raw`\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb`,
].join('');

const VISIBLE = new RegExp(
  String.raw`[^${BLANK_CHARACTERS}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]`,
  'u',
);

/** Whether a text has no character that shows anything. Such a text counts as empty wherever text is entered. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  // Most texts begin with a letter, and this is on the path of each post.
  if (first > 0x20 && first < 0x7f) return false;
  return !VISIBLE.test(text);
}
