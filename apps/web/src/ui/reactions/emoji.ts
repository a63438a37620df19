export interface Emoji {
  text: string;
  name: string;
  /** Its names in text, with spaces: "heart eyes" for `:heart_eyes:`. */
  shortcodes: readonly string[];
  /** Search keywords, in addition to the name. */
  keywords: string;
  hasTones: boolean;
}

/** Skin tones: none, then the lightest to the darkest. */
export const TONES = ['', '🏻', '🏼', '🏽', '🏾', '🏿'] as const;
export type Tone = (typeof TONES)[number];

const PRESENTATION = '\u{fe0f}';

/** Returns the emoji in a skin tone, if it supports any: the tone follows its first code point. */
export function inTone({ text, hasTones }: Pick<Emoji, 'text' | 'hasTones'>, tone: Tone): string {
  if (!hasTones || tone === '') return text;
  const [first = '', ...rest] = text;
  return `${first}${tone}${rest.join('').replace(new RegExp(`^${PRESENTATION}`), '')}`;
}
