import { AppError } from '../errors.ts';

const PRESENTATION = '\u{fe0f}';
/** One emoji that is recommended for general interchange (Unicode Technical Standard 51), skin tones and sequences too. */
const EMOJI = /^\p{RGI_Emoji}$/v;
/** What shows as text unless U+FE0F follows; a skin tone has the same effect. */
const TEXT_BY_DEFAULT = /[\p{Emoji}--\p{Emoji_Presentation}--\p{Emoji_Modifier}](?!\p{Emoji_Modifier})/gv;

/** One emoji in the one spelling under which it is counted: `❤` is `❤️`. Any other text is refused. */
export function readEmoji(text: string | null): string {
  const bare = (text ?? '').replaceAll(PRESENTATION, '');
  const spellings = [text ?? '', bare, bare.replace(TEXT_BY_DEFAULT, `$&${PRESENTATION}`)];
  const emoji = spellings.find((spelling) => EMOJI.test(spelling));
  if (emoji === undefined) throw new AppError('invalid', 'A reaction is one emoji, such as 👍, and nothing else');
  return emoji;
}
