/** Invisible characters, and one that looks like a space: a name with one could pass for the name without it. */
const HIDDEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Emoji with joiners and modifiers, including the sequences that some keyboards produce, and future emoji. */
const AVATAR = String.raw`(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}[\ufe0e\ufe0f]?)\p{Emoji_Modifier}?`;
const EMOJI = String.raw`\p{RGI_Emoji_Tag_Sequence}|${AVATAR}(?:\u200d${AVATAR})*|[0-9#*]\ufe0f\u20e3`;

const JOINED_SCRIPTS = [
  ...'Arabic Bengali Devanagari Gujarati Gurmukhi Kannada Khmer Malayalam Mongolian Myanmar'.split(' '),
  ...'Nko Oriya Sinhala Syriac Tamil Telugu'.split(' '),
];
/** A letter or mark of a script in which joining or separating two letters can change the word. */
const JOINED = `[[${JOINED_SCRIPTS.map((script) => String.raw`\p{scx=${script}}`).join('')}]&&[\\p{L}\\p{M}]]`;

/** Positions where invisible characters are part of the spelling. */
const NEEDED = [
  String.raw`(?<=${JOINED})[\u200c\u200d](?=${JOINED})`,
  // A Malayalam final consonant, as it was typed before it had its own code point.
  String.raw`(?<=\u0d4d)\u200d`,
  String.raw`(?<=\p{scx=Mongolian})[\u180b-\u180f]`,
  // A variant form of a character in a family name.
  String.raw`(?<=\p{scx=Han})[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`,
];
const ALLOWED = new RegExp(`${EMOJI}|${NEEDED.join('|')}`, 'gv');

/** Returns the first invisible character in a name that its neighbors do not require, or `null`. */
export function hiddenCharacter(name: string): string | null {
  if (!HIDDEN.test(name)) return null;
  const allowedAt = new Set<number>();
  for (const { 0: allowed, index } of name.matchAll(ALLOWED)) {
    for (let position = index; position < index + allowed.length; position += 1) allowedAt.add(position);
  }
  let position = 0;
  for (const character of name) {
    if (!allowedAt.has(position) && HIDDEN.test(character)) return character;
    position += character.length;
  }
  return null;
}
