/** OSC, DCS, SOS, PM and APC with their content, up to ST or BEL. Unterminated ones keep their content visible. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern matches control characters.
const STRINGS = /(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c)/g;

/** CSI: introducer, parameters, intermediates, final byte. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern matches control characters.
const CSI = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]/g;

/** Other escapes, such as character set changes and a full reset, but not the introducers of the longer forms. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern matches control characters.
const ESCAPES = /\x1b(?:[ -/]+[0-~]|[0-OQ-WYZ\\`-~])/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern matches control characters.
const INTRODUCER = /[\x1b\x90\x98\x9b\x9d-\x9f]/;

/** As `CSI`, but for "select graphic rendition", which sets colors. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern matches control characters.
const CSI_BUT_COLORS = /(?:\x1b\[|\x9b)(?![\d;:]*m)[0-?]*[ -/]*[@-~]/g;

/** "Select graphic rendition" (ECMA-48, 8.3.117), with its parameters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern matches control characters.
export const SET_COLORS = /(?:\x1b\[|\x9b)([\d;:]*)m/;

/** Returns the text without terminal control sequences, or without those that set no color (ECMA-48). */
export function withoutEscapes(text: string, { keepsColors = false } = {}): string {
  if (!INTRODUCER.test(text)) return text;
  return text
    .replace(STRINGS, '')
    .replace(keepsColors ? CSI_BUT_COLORS : CSI, '')
    .replace(ESCAPES, '');
}
