import { LIMITS } from '@hub/contract';
import { codeBlock } from '@hub/contract/blocks/escape-markdown';
import { inlineMarkdown } from '@hub/contract/blocks/inline-markdown';
import { AFTER_SCHEME } from '@hub/contract/markdown/bare-address';
import { withoutEscapes } from '@hub/contract/markdown/without-escapes';

/**
 * Builds Markdown from text that others wrote, such as the labels of an alert. Text becomes inline HTML first, which the
 * contract converts to Markdown with all syntax escaped. Beyond that:
 *
 * - No `@` mentions a member: neither people nor programs whose text is relayed know the members of the Hub.
 * - No backtick of a text is left. Every backtick in the message then belongs to code that was meant as code, and
 *   everything that looks for code in it finds the same code.
 *
 * Noncharacters stand for these characters until the Markdown is complete, so that nothing else touches them.
 */
const AT = '\ufdd0';
const FULL_WIDTH_AT = '\ufdd5';
const BACKTICK = '\ufdd1';
/** The colon before the name of an emoji, which the conversion would escape. `:---:` is no name: it can begin a table. */
const EMOJI = '\ufdd2';
/** The pattern of such a name with its colons. */
export const EMOJI_NAME = ':[+-]?[a-z0-9][a-z0-9_+-]{0,58}:';
const EMOJI_COLON = new RegExp(`:(?=${EMOJI_NAME.slice(1)})`, 'g');
/** The `&` of a text that looks like a reference to one of these. */
const AMPERSAND = '\ufdd3';
/** A parenthesis after a bracket. Some readers take it for the target of a link although the bracket is escaped. */
const PARENTHESIS = '\ufdd4';
const MARKDOWN_OF: Readonly<Record<string, string>> = {
  [AT]: '&#64;',
  [FULL_WIDTH_AT]: '&#65312;',
  [BACKTICK]: '&#96;',
  [EMOJI]: ':',
  [AMPERSAND]: '\\&',
  [PARENTHESIS]: '&#40;',
};
/** A stand-in, or the numeric reference that the conversion writes for it next to emphasis. */
const STAND_IN = /[\ufdd0-\ufdd5]|&#649(?:7[6-9]|8[01]);/g;

/** An `@` in a word or an e-mail address mentions no one. No address has a full-width one. */
const MENTION = /(?<![A-Za-z0-9])@|＠/g;
/** The `@` after an address would follow its closing bracket, and no word. */
const ADDRESS = new RegExp(`(https?://${AFTER_SCHEME})(@?)`, 'giu');

/** Text that is longer is continued on the next line, so that a message can be truncated between lines. */
const MAX_LINE_CHARACTERS = 2_000;
/** Text is converted up to this length in UTF-16 code units, which is certainly more than a message can have. */
export const ENOUGH = 2 * LIMITS.messageTextCodePoints + 2;
/** As many as Slack accepts. Part of a URL would lead elsewhere, so a longer one is no link. */
const MAX_URL_CHARACTERS = 3_000;

/**
 * Replaces what cannot be stored or shown, and removes terminal escapes as readers do: otherwise `<\x1b[0mb>` would
 * become a tag there, after it was escaped here. Every line ends with `\n`.
 */
function clean(text: string): string {
  return withoutEscapes(text.toWellFormed())
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\ufdd0-\ufdef]/gu, '\ufffd');
}

/** Returns plain text as inline HTML. */
export function html(text: string): string {
  return textHtml(text, false);
}

/** Returns plain text in which names such as `:tada:` are emoji. */
export function emojiHtml(text: string): string {
  return textHtml(text, true);
}

function textHtml(text: string, withEmoji: boolean): string {
  const masked = clean(text)
    .replace(ADDRESS, (_, url: string, at: string) => url.replace(MENTION, encodeURIComponent) + (at && AT))
    .replace(MENTION, (sign) => (sign === '@' ? AT : FULL_WIDTH_AT))
    .replaceAll('`', BACKTICK)
    .replace(/&(?=#649(?:7[6-9]|8[01]);)/g, AMPERSAND)
    .replace(/(?<=\])\(/g, PARENTHESIS);
  return withReferences(withEmoji ? masked.replace(EMOJI_COLON, EMOJI) : masked);
}

export function boldHtml(text: string): string {
  return `<b>${html(text)}</b>`;
}

export function codeHtml(code: string): string {
  return `<code>${withReferences(clean(code))}</code>`;
}

/** Returns a link, or only its label unless the URL is absolute, not too long, and its scheme http, https or mailto. */
export function linkHtml(url: string, labelHtml: string): string {
  if (url.length > MAX_URL_CHARACTERS) return labelHtml;
  return `<a href="${withReferences(clean(url).trim().replace(MENTION, encodeURIComponent))}">${labelHtml}</a>`;
}

export function isWebUrl(text: string): boolean {
  return text.length <= MAX_URL_CHARACTERS && /^https?:\/\/[^\s<>]+$/i.test(text.trim());
}

/** Returns inline HTML as one line of Markdown. */
export function lineMarkdown(inlineHtml: string): string {
  if (inlineHtml === '') return '';
  const markdown = inlineMarkdown(inlineHtml.replaceAll('\n', ' '));
  return markdown.replace(STAND_IN, (standIn) => MARKDOWN_OF[characterOf(standIn)] ?? '');
}

/** Returns plain text as Markdown with the same lines. */
export function plainMarkdown(text: string, toHtml: (line: string) => string = html): string {
  return joinedLines(convertedLines(linesOf(text), (line) => lineMarkdown(toHtml(line))));
}

/** Converts as many lines as a message can have. */
export function convertedLines(lines: readonly string[], convert: (line: string) => string): string[] {
  const converted: string[] = [];
  let length = 0;
  for (const line of lines) {
    if (length > ENOUGH) break;
    converted.push(convert(line));
    length += (converted.at(-1) ?? '').length + 1;
  }
  return converted;
}

/** Joins lines of Markdown, with at most one blank line in a row. */
export function joinedLines(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');
}

export function codeBlockMarkdown(code: string, language = ''): string {
  return codeBlock(linesOf(code.slice(0, ENOUGH)).join('\n')).replace(/^`+/, (fence) => fence + language);
}

/** Returns an image that members load when they want to. An image over plain http is a link. */
export function imageMarkdown(url: string, text: string): string {
  const link = lineMarkdown(linkHtml(url, html(text || 'Image')));
  return /^https:/i.test(url.trim()) && link.startsWith('[') ? `!${link}` : link;
}

export function listMarkdown(lines: readonly string[]): string {
  return lines
    .filter((line) => line !== '')
    .map((line) => `- ${line}`)
    .join('\n');
}

export function quoteMarkdown(markdown: string): string {
  return markdown.replace(/^/gm, '> ').replace(/^> $/gm, '>');
}

/** Returns the lines of a text. Long ones are split, if possible between words. */
export function linesOf(text: string): string[] {
  return clean(text)
    .split('\n')
    .flatMap((line) => (line.length <= MAX_LINE_CHARACTERS ? [line] : splitLine(line)));
}

function splitLine(line: string): string[] {
  const lines: string[] = [];
  let from = 0;
  while (line.length - from > MAX_LINE_CHARACTERS) {
    const space = line.lastIndexOf(' ', from + MAX_LINE_CHARACTERS);
    const end = space > from ? space : from + MAX_LINE_CHARACTERS;
    // A pair of surrogates stays together.
    const isWithinPair = (line.charCodeAt(end) & 0xfc00) === 0xdc00;
    lines.push(line.slice(from, isWithinPair ? end - 1 : end));
    from = isWithinPair ? end - 1 : end;
  }
  lines.push(line.slice(from));
  return lines;
}

/** Returns the beginning of a text in one line, for names and values that should be short. */
export function shortened(text: string, maxCharacters: number): string {
  // Most of it is not shown, and need not be cleaned.
  const line = clean(text.slice(0, 4 * maxCharacters))
    .trim()
    .replaceAll(/\s+/g, ' ');
  return line.length <= maxCharacters ? line : `${line.slice(0, maxCharacters).toWellFormed().trimEnd()}…`;
}

function withReferences(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function characterOf(standIn: string): string {
  return standIn.startsWith('&') ? String.fromCodePoint(Number(standIn.slice(2, -1))) : standIn;
}
