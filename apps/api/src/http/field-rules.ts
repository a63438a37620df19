import { isBlank } from '@hub/contract/blank-text';
import { BlockSchema } from '@hub/contract/blocks/schema';
import { KindGuard, type TArray, type TSchema } from '@sinclair/typebox';

export function isObject(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/** Returns the allowed values of a choice field, or `null` for any other field. */
export function choicesOf(field: TSchema): string[] | null {
  if (!KindGuard.IsUnion(field) || !field.anyOf.every((choice) => KindGuard.IsLiteral(choice))) return null;
  return field.anyOf.map((choice) => String(choice.const));
}

/** Returns `T` for `T | null`, or the schema itself if it has no `null`. */
export function withoutNull(field: TSchema): TSchema {
  if (!KindGuard.IsUnion(field)) return field;
  const [inner, none] = field.anyOf;
  return inner && none && field.anyOf.length === 2 && KindGuard.IsNull(none) ? inner : field;
}

/** Whether a field takes Editor.js blocks, which have rules of their own. */
export function takesBlocks(field: TSchema): field is TArray<typeof BlockSchema> {
  return KindGuard.IsArray(field) && field.items === BlockSchema;
}

/** Whether blank text means "no value". In a number or boolean, it is a mistake, such as an unset variable. */
function takesText(field: TSchema): boolean {
  return KindGuard.IsString(field) || KindGuard.IsArray(field) || choicesOf(field) !== null;
}

/** Whether a value counts as absent. Shell scripts and templates send empty strings for missing values of any type. */
export function isAbsent(field: TSchema, value: unknown): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return KindGuard.IsArray(field) && value.length === 0;
  return isBlankText(field, value);
}

export function isBlankText(field: TSchema, value: unknown): boolean {
  return typeof value === 'string' && isBlank(value) && takesText(field);
}

/** Returns the number of code points, as JSON Schema counts. Iterating over characters takes several times as long. */
export function codePoints(text: string): number {
  let pairs = 0;
  for (let index = 1; index < text.length; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800) pairs += 1;
  }
  return text.length - pairs;
}

/** Invisible characters, and one that looks like a space: a name with one could pass for the name without it. */
const HIDDEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Emoji with joiners and modifiers, including the sequences that some keyboards produce, and future emoji. */
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
