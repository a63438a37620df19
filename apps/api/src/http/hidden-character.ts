/** What does not show, or looks like a blank: a name with it would pass for the same name without. */
const HIDDEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Emoji, with what joins them and says how they look; also in the spellings of other keyboards, and those of years to come. */
const AVATAR = String.raw`(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}[\ufe0e\ufe0f]?)\p{Emoji_Modifier}?`;
const EMOJI = String.raw`\p{RGI_Emoji_Tag_Sequence}|${AVATAR}(?:\u200d${AVATAR})*|[0-9#*]\ufe0f\u20e3`;

const JOINED_SCRIPTS = [
  ...[
    'Arabic',
    'Bengali',
    'Devanagari',
    'Gujarati',
    'Gurmukhi',
    'Kannada',
    'Khmer',
    'Malayalam',
    'Mongolian',
    'Myanmar',
  ],
  ...['Nko', 'Oriya', 'Sinhala', 'Syriac', 'Tamil', 'Telugu'],
];
/** A letter or a mark of a script in which whether letters join makes another word. */
const JOINED = `[[${JOINED_SCRIPTS.map((script) => String.raw`\p{scx=${script}}`).join('')}]&&[\\p{L}\\p{M}]]`;

/** Where signs that do not show belong to how a word is written. */
const NEEDED = [
  String.raw`(?<=${JOINED})[\u200c\u200d](?=${JOINED})`,
  // A final consonant of Malayalam, as it was typed before it had a letter of its own.
  String.raw`(?<=\u0d4d)\u200d`,
  String.raw`(?<=\p{scx=Mongolian})[\u180b-\u180f]`,
  // The form that a family has for a character of its name.
  String.raw`(?<=\p{scx=Han})[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`,
];
const ALLOWED = new RegExp(`${EMOJI}|${NEEDED.join('|')}`, 'gv');

/** The first character of a name that does not show, and is not needed for those around it; or `null`. */
export function hiddenCharacter(name: string): string | null {
  if (!HIDDEN.test(name)) return null;
  const places = new Set<number>();
  for (const { 0: allowed, index } of name.matchAll(ALLOWED)) {
    for (let place = index; place < index + allowed.length; place += 1) places.add(place);
  }
  let place = 0;
  for (const character of name) {
    if (!places.has(place) && HIDDEN.test(character)) return character;
    place += character.length;
  }
  return null;
}
