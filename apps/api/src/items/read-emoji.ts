import { AppError } from '../core/errors.ts';

const PRESENTATION = '\u{fe0f}';
/** An emoji recommended for general interchange (Unicode Technical Standard 51), including skin tones and sequences. */
const EMOJI = /^\p{RGI_Emoji}$/v;
/** Characters shown as text unless U+FE0F follows; a skin tone has the same effect. */
const TEXT_BY_DEFAULT = /[\p{Emoji}--\p{Emoji_Presentation}--\p{Emoji_Modifier}](?!\p{Emoji_Modifier})/gv;

/** Returns the canonical spelling of an emoji (`❤️` for `❤`), by which it is counted, or throws `invalid`. */
export function readEmoji(text: string | null): string {
  const bare = (text ?? '').replaceAll(PRESENTATION, '');
  const spellings = [text ?? '', bare, bare.replace(TEXT_BY_DEFAULT, `$&${PRESENTATION}`)];
  const emoji = spellings.find((spelling) => EMOJI.test(spelling));
  if (emoji === undefined) throw new AppError('invalid', 'A reaction must be a single emoji, such as 👍');
  return emoji;
}
