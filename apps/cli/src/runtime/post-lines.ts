import type { Block, Item } from '@hub/contract';
import { blocksToText } from '@hub/contract/blocks/blocks-to-text';
import { decodeEntities } from '@hub/contract/blocks/html-entities';
import { alertMark, alertTitle } from '@hub/contract/markdown/alert-kinds';
import { showBytes } from './format.ts';
import { type Line, type Segment, type Style, styled, textOf } from './output.ts';
import { plainLine, plainText } from './terminal-text.ts';

/** The opening or closing line of a fenced code block (CommonMark 0.31, section 4.5), after the marks of a quote. */
const FENCE = /^((?:> ?)*) {0,3}(`{3,}|~{3,})/;
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;
/** Quote marks, indent, the mark of a heading or a list item, and that of a task. */
const PREFIX = /^((?:> ?){0,20})( {0,80})(?:(#{1,6}) +|([-*+]|\d{1,9}[.)]) +(?:\[([ xX])\] +)?)?/;

/** Formats Markdown for the terminal. Tables and the like stay as written, without HTML. Takes linear time. */
export function markdownLines(markdown: string): Line[] {
  let fence: string | undefined;
  const lines = plainText(markdown.replaceAll(COMMENT, ''))
    .split('\n')
    .flatMap((line): Line[] => {
      const [, marks = '', mark = ''] = FENCE.exec(line) ?? [];
      const isFence = fence === undefined ? mark !== '' : mark.startsWith(fence);
      if (isFence) {
        fence = fence === undefined ? mark : undefined;
        return [];
      }
      if (fence !== undefined) return [['  ', styled('cyan', line.replace(/^(?:> ?)+/, ''))]];
      if (marks === '' && RULE.test(line)) return [[styled('dim', '─'.repeat(40))]];
      return line.split(/<br *\/?>/i).map(textLine);
    });
  return withoutBlanks(lines);
}

function textLine(line: string): Line {
  const [all = '', quote = '', indent = '', heading, bullet, task] = PREFIX.exec(line) ?? [];
  const before: Line = [styled('gray', '│ '.repeat(quote.split('>').length - 1)), indent];
  if (task !== undefined) before.push(task === ' ' ? styled('dim', '☐ ') : styled('green', '☑ '));
  else if (bullet !== undefined) before.push(styled('cyan', /\d/.test(bullet) ? `${bullet} ` : '• '));
  const rest = line.slice(all.length).trimEnd();
  const alert = quote === '' ? null : alertMark(rest);
  const text = alert ? [styled('bold', alertTitle(alert.kind))] : inline(rest, heading === undefined ? [] : ['bold']);
  return [...before, ...text].filter((segment) => textOf([segment]) !== '');
}

const COMMENT = /<!--(?:(?!<!--).)*?-->/gs;
/** The tags that Markdown often has for layout. Their text stays. Others are shown, since they may be placeholders. */
const TAG =
  /<\/?(?:a|b|blockquote|br|center|code|del|details|div|em|h[1-6]|hr|i|img|ins|kbd|li|ol|p|pre|s|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>]{0,500})?\/?>/gi;

/** Code, escaped characters, links, images, and emphasis. Each is limited in length, so that matching is linear. */
const INLINE =
  /(`{1,3})(?!`)(.{1,300}?)(?<!`)\1(?!`)|\\([!-/:-@[-`{-~])|(!?)\[((?:[^[\]]|\[[^[\]]{0,200}\](?:\([^()\s]{0,500}\))?){0,300})\]\(<?([^()<>\s]{1,1000})>?(?: "[^"]{0,200}")?\)|<((?:https?:|mailto:)[^<>\s]{1,1000})>|(\*\*|__|~~)(?!\s)(.{1,300}?)(?<!\s)\8(?!\*)|(?<![\p{L}\p{N}_*])([*_])(?![\s*_])([^*_]{1,300})(?<!\s)\10(?![\p{L}\p{N}])/gsu;

function inline(text: string, styles: readonly Style[]): Segment[] {
  const segments: Segment[] = [];
  const push = (part: string, more: readonly Style[] = []) => {
    const all = [...styles, ...more];
    if (part !== '') segments.push(all.length === 0 ? part : { text: part, style: all });
  };
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    const [all, , code, escaped, isImage, label, address = '', link, strong, strongText = '', , emphasis] = match;
    push(plain(text.slice(from, match.index)));
    from = match.index + all.length;
    if (code !== undefined) push(code, ['cyan']);
    else if (escaped !== undefined) push(escaped);
    else if (link !== undefined) push(link, ['blue', 'underline']);
    else if (label !== undefined) {
      if (isImage) push(`📷 ${label}`, ['magenta']);
      else segments.push(...inline(label, [...styles, 'blue', 'underline']));
      if (![label, `mailto:${label}`].includes(address)) push(` (${address})`, ['dim']);
    } else if (emphasis !== undefined) segments.push(...inline(emphasis, [...styles, 'italic']));
    else segments.push(...inline(strongText, [...styles, strong === '~~' ? 'strikethrough' : 'bold']));
  }
  push(plain(text.slice(from)));
  return segments;
}

const plain = (text: string) => decodeEntities(text.replaceAll(TAG, ''));

/** Leaves out empty lines at the start and the end, and all but one elsewhere. */
function withoutBlanks(lines: readonly Line[]): Line[] {
  const isBlank = (line: Line | undefined) => line === undefined || textOf(line).trim() === '';
  const kept = lines.filter((line, index) => !isBlank(line) || !isBlank(lines[index - 1]));
  return isBlank(kept.at(-1)) ? kept.slice(0, -1) : kept;
}

/** Formats Editor.js blocks as their text. */
export function blocksLines(blocks: readonly Block[]): Line[] {
  return withoutBlanks(
    plainText(blocksToText(blocks))
      .split('\n')
      .map((line) => [line.trimEnd()]),
  );
}

/** Returns the text of an item without its title, and its files; no lines without either. */
export function bodyOf(item: Item): Line[] {
  const isBlocks = item.kind === 'message' && item.blocks;
  return [
    ...(isBlocks
      ? blocksLines(item.blocks ?? [])
      : markdownLines((item.kind === 'message' ? item.text : item.content) ?? '')),
    ...(item.files ?? []).map(({ name, size }) => [styled('dim', `[${name}, ${showBytes(size)}]`)]),
  ];
}

/** Returns a short name for an item: its title, else its first line. */
export function hintOf(item: Item): string {
  const title = item.kind === 'message' ? null : item.title;
  const [first = []] = title === null ? bodyOf(item) : [[title]];
  return plainLine(textOf(first))
    .replaceAll(/[│•]|\(https?:[^\s)]*\)/g, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
}
