/**
 * A character that shows something: anything but white space, default ignorable code points (Unicode Standard, section
 * 5.21), control characters, the empty Braille pattern and annotation marks.
 */
const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;

/** Whether a text has no character that shows anything. Such a text counts as empty wherever text is entered. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  // Most texts begin with a letter, and this is on the path of each post.
  if (first > 0x20 && first < 0x7f) return false;
  // NUL is rejected as such.
  return !VISIBLE.test(text) && !text.includes('\0');
}
