import {
  codeBlockMarkdown,
  codeHtml,
  convertedLines,
  EMOJI_NAME,
  ENOUGH,
  emojiHtml,
  joinedLines,
  lineMarkdown,
  linesOf,
  linkHtml,
  quoteMarkdown,
  shortened,
} from './relay-markdown.ts';

/** The end of the text for the name of a control sequence. */
const NAMES: Readonly<Record<string, string>> = { '@': '@', '#': '#', '!': '@' };
const MAX_FIELD_CHARACTERS = 2_000;

/**
 * Converts Slack's mrkdwn to Markdown (https://docs.slack.dev/messaging/formatting-message-text): bold, italics,
 * strikethrough, code, quotes, links, dates and the names in mentions.
 */
export function mrkdwnMarkdown(text: string): string {
  const segments = text.split('```');
  // Without an end, a fence is text.
  if (segments.length % 2 === 0) segments.push(segments.splice(-2).join('```'));
  let isCode = true;
  const parts = convertedLines(segments, (segment) => {
    isCode = !isCode;
    return isCode ? codeBlock(segment) : textLines(segment.replace(/^\n|\n$/g, ''));
  });
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Converts mrkdwn to one line of inline HTML. */
export function mrkdwnHtml(text: string): string {
  return lineHtml(shortened(text, MAX_FIELD_CHARACTERS));
}

/** Returns the text of an object that is not formatted, in which Slack still escapes three characters. */
export function slackHtml(text: string): string {
  return emojiHtml(unescaped(text));
}

export function slackTitleHtml(text: string): string {
  return slackHtml(shortened(text, MAX_FIELD_CHARACTERS));
}

function codeBlock(code: string): string {
  const content = unescaped(withoutControls(code.slice(0, 5 * ENOUGH))).replace(/^\n|\n$/g, '');
  return content.trim() === '' ? '' : codeBlockMarkdown(content);
}

/** Converts lines of text. Consecutive quoted lines are one quote. */
function textLines(text: string): string {
  const groups: { isQuote: boolean; lines: string[] }[] = [];
  let isQuoteToEnd = false;
  convertedLines(linesOf(text), (line) => {
    const [marks = ''] = /^(?:(?:&gt;|>){3}|&gt;|>) ?/.exec(line) ?? [];
    isQuoteToEnd ||= /(?:&gt;|>){3}/.test(marks);
    const isQuote = isQuoteToEnd || marks !== '';
    const converted = lineMarkdown(lineHtml(line.slice(marks.length)));
    const last = groups.at(-1);
    if (last?.isQuote === isQuote) last.lines.push(converted);
    else groups.push({ isQuote, lines: [converted] });
    return converted;
  });
  const parts = groups.map(({ isQuote, lines }) => {
    const joined = joinedLines(lines);
    return isQuote && joined !== '' ? quoteMarkdown(joined) : joined;
  });
  return parts.filter((part) => part !== '').join('\n\n');
}

/** A bare address or the name of an emoji, in which nothing is a delimiter. */
const UNFORMATTED = String.raw`https?://(?:[^\s<>\x60*_~]|[*_~]+(?=[\p{L}\p{N}/?&=#%\-]))+|${EMOJI_NAME}`;
/** A control sequence, code, a delimiter, or text. */
const TOKEN = new RegExp(
  String.raw`<([^<>]*)>|\x60([^\x60]+)\x60|${UNFORMATTED}|[*_~]|(?:(?!${UNFORMATTED})[^<\x60*_~])+|[<\x60]`,
  'gu',
);
const TAG: Readonly<Record<string, string>> = { '*': 'b', _: 'i', '~': 's' };
const WORD = /[\p{L}\p{N}]/u;

/** Converts a line of mrkdwn to inline HTML. Delimiters without a partner are text. Takes linear time. */
function lineHtml(line: string): string {
  const tokens: string[] = [];
  const open: { delimiter: string; index: number }[] = [];
  const openCounts: Record<string, number> = { '*': 0, _: 0, '~': 0 };
  for (const { 0: written, 1: control, 2: code, index } of line.matchAll(TOKEN)) {
    if (control !== undefined) tokens.push(controlHtml(control));
    else if (code !== undefined) tokens.push(codeHtml(unescaped(withoutControls(code))));
    else tokens.push(slackHtml(written));
    const tag = TAG[written];
    if (tag === undefined) continue;
    const [before, after] = [line.charAt(index - 1), line.charAt(index + 1)];
    const canClose = /\S/.test(before) && !WORD.test(after) && (openCounts[written] ?? 0) > 0;
    if (canClose && closeTo(written, tokens.length - 1)) continue;
    if (!/\S/.test(after) || WORD.test(before)) continue;
    open.push({ delimiter: written, index: tokens.length - 1 });
    openCounts[written] = (openCounts[written] ?? 0) + 1;
  }
  return tokens.join('');

  /** Pairs a delimiter with the last one of its kind. Those in between stay text. Nothing empty is formatted. */
  function closeTo(delimiter: string, end: number): boolean {
    const start = open.findLastIndex((each) => each.delimiter === delimiter);
    const opener = open[start];
    if (opener === undefined || opener.index === end - 1) return false;
    for (const each of open.splice(start)) openCounts[each.delimiter] = (openCounts[each.delimiter] ?? 0) - 1;
    tokens[opener.index] = `<${TAG[delimiter]}>`;
    tokens[end] = `</${TAG[delimiter]}>`;
    return true;
  }
}

/** Converts what is between `<` and `>`: a link, a mention, a date, or text that its sender forgot to escape. */
function controlHtml(control: string): string {
  const bar = control.indexOf('|');
  const [target, label] = bar === -1 ? [control, ''] : [control.slice(0, bar), control.slice(bar + 1)];
  const sign = NAMES[target.charAt(0)];
  if (sign !== undefined) {
    // `<!date^1392734382^{date}|18 February>` has a readable label; `<!subteam^S123>` and `<@U123>` have only an ID.
    const isDate = target.startsWith('!date^');
    const name = label || target.slice(1).split('^', 1)[0] || '';
    return slackHtml(isDate || name.startsWith(sign) ? name : sign + name);
  }
  const url = unescaped(target);
  if (!/^(?:https?:\/\/|mailto:)/i.test(url)) return slackHtml(label || (bar === -1 ? `<${control}>` : target));
  return linkHtml(url, slackHtml(label || target.replace(/^mailto:/i, '')));
}

/** Replaces links in code with their labels, as Slack shows them. */
function withoutControls(code: string): string {
  return code.replace(
    /<(?:https?:|mailto:)[^<>|]*(?:\|([^<>]*))?>/g,
    (link, label?: string) => label || link.slice(1, -1),
  );
}

const ESCAPED: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt);/g, (reference) => ESCAPED[reference] ?? reference);
}
