import { escapeHeading } from '@hub/contract/blocks/escape-markdown';
import type { Payload } from './payload.ts';
import {
  codeBlockMarkdown,
  codeHtml,
  convertedLines,
  ENOUGH,
  emojiHtml,
  html,
  imageMarkdown,
  joinedLines,
  lineMarkdown,
  linesOf,
  linkHtml,
  listMarkdown,
  plainMarkdown,
  quoteMarkdown,
  shortened,
} from './relay-markdown.ts';
import { mrkdwnHtml, mrkdwnMarkdown, slackHtml, slackTitleHtml } from './slack-mrkdwn.ts';

const BETWEEN = ' · ';

/** The blocks that are shown (https://docs.slack.dev/reference/block-kit/blocks). */
const BLOCKS: Readonly<Record<string, (block: Payload) => string>> = {
  header: (block) => headingMarkdown(block.object('text').line('text')),
  section: (block) => {
    const text = textMarkdown(block.object('text'));
    const fields = listMarkdown(Array.from(block.list('fields'), (field) => lineMarkdown(textHtml(field))));
    return parts(text, fields, elementMarkdown(block.object('accessory')));
  },
  context: (block) => joinedLine(Array.from(block.list('elements'), contextHtml)),
  divider: () => '---',
  image: (block) => {
    const title = lineMarkdown(slackTitleHtml(block.object('title').line('text')));
    return parts(title, imageOf(block));
  },
  actions: (block) => actionsMarkdown(block.list('elements')),
  rich_text: (block) => convertedParts(richTextParts(block.list('elements'))),
};

export function isKnownBlock(block: Payload): boolean {
  return Object.hasOwn(BLOCKS, block.line('type'));
}

/** Returns a block in Markdown, or a note about a block that Hub does not show. */
export function blockMarkdown(block: Payload): string {
  const type = block.line('type');
  if (Object.hasOwn(BLOCKS, type)) return BLOCKS[type]?.(block) ?? '';
  return lineMarkdown(`<i>${html(`Hub does not show this Slack block: ${shortened(type || '?', 100)}`)}</i>`);
}

/** Returns links to the targets of buttons. A button without a URL would need Slack, so it is left out. */
export function actionsMarkdown(elements: Iterable<Payload>): string {
  return joinedLine(Array.from(elements, buttonHtml));
}

function joinedLine(pieces: readonly string[]): string {
  return lineMarkdown(pieces.filter((piece) => piece !== '').join(BETWEEN));
}

function parts(...all: string[]): string {
  return all.filter((part) => part !== '').join('\n\n');
}

/** Joins parts until they are more than a message can have. */
function convertedParts(all: Iterable<string>): string {
  let joined = '';
  for (const part of all) {
    joined = parts(joined, part);
    if (joined.length > ENOUGH) break;
  }
  return joined;
}

function headingMarkdown(text: string): string {
  const line = lineMarkdown(slackTitleHtml(text));
  return line === '' ? '' : `### ${escapeHeading(line)}`;
}

function textMarkdown(text: Payload): string {
  const written = text.text('text');
  return text.is('type', 'plain_text') ? plainMarkdown(written, slackHtml) : mrkdwnMarkdown(written);
}

function textHtml(text: Payload): string {
  const written = text.line('text');
  return text.is('type', 'plain_text') ? slackTitleHtml(written) : mrkdwnHtml(written);
}

/** Returns a text, or the alternative text of an icon. */
function contextHtml(element: Payload): string {
  return element.is('type', 'image') ? slackTitleHtml(element.line('alt_text')) : textHtml(element);
}

function elementMarkdown(element: Payload): string {
  return element.is('type', 'image') ? imageOf(element) : lineMarkdown(buttonHtml(element));
}

function imageOf(image: Payload): string {
  return imageMarkdown(image.url('image_url'), image.line('alt_text'));
}

function buttonHtml(element: Payload): string {
  const url = element.url('url');
  // A button of an attachment has its text directly.
  const label = element.object('text').line('text') || element.line('text') || 'Open';
  return url === '' ? '' : linkHtml(url, slackTitleHtml(label));
}

/** Yields the parts of rich text. Neighboring lists are one list with several levels. */
function* richTextParts(elements: Iterable<Payload>): Generator<string> {
  let list: string[] = [];
  for (const element of elements) {
    if (element.is('type', 'rich_text_list')) {
      list.push(...richListLines(element));
      continue;
    }
    yield list.join('\n');
    list = [];
    const content = element.list('elements');
    if (element.is('type', 'rich_text_preformatted')) {
      const code = Array.from(content, (each) => each.text('text') || each.line('url')).join('');
      if (code.trim() !== '') yield codeBlockMarkdown(code);
    } else {
      const text = richLines(content);
      yield element.is('type', 'rich_text_quote') && text !== '' ? quoteMarkdown(text) : text;
    }
  }
  yield list.join('\n');
}

const MAX_INDENT = 8;

function richListLines(list: Payload): string[] {
  const isOrdered = list.is('style', 'ordered');
  const indent = Math.min(MAX_INDENT, Math.max(0, Math.trunc(Number(list.line('indent'))) || 0));
  const first = Math.min(1_000_000, Math.max(0, Math.trunc(Number(list.line('offset'))) || 0)) + 1;
  return Array.from(list.list('elements'), (item, index) => {
    const text = richLines(item.list('elements')).replaceAll('\n', ' ');
    return `${'   '.repeat(indent)}${isOrdered ? `${first + index}.` : '-'} ${text}`;
  });
}

/** Returns inline elements as lines. Formatting ends with its element, so no line begins within one. */
function richLines(elements: Iterable<Payload>): string {
  const lines = [''];
  for (const element of elements) {
    const [first = '', ...others] = linesOf(richText(element)).map(richHtml(element));
    lines[lines.length - 1] += first;
    lines.push(...others);
  }
  return joinedLines(convertedLines(lines, lineMarkdown));
}

/** Returns the text of an element. Only links and text have one of their own. */
function richText(element: Payload): string {
  switch (element.line('type')) {
    case 'user':
      return `@${element.line('user_id')}`;
    case 'usergroup':
      return `@${element.line('usergroup_id')}`;
    case 'channel':
      return `#${element.line('channel_id')}`;
    case 'broadcast':
      return `@${element.line('range')}`;
    case 'emoji':
      return `:${element.line('name')}:`;
    case 'date':
      return element.text('fallback');
    case 'color':
      return element.line('value');
    case 'link':
      // In one line, so that the URL is not repeated for each.
      return (element.line('text') || element.line('url')).replace(/\s+/g, ' ');
    default:
      // White space between two words can be an element of its own.
      return element.string('text') || element.line('url');
  }
}

function richHtml(element: Payload): (line: string) => string {
  const style = element.object('style');
  const [isCode, isEmoji] = [style.is('code', true), element.is('type', 'emoji')];
  const url = element.is('type', 'link') ? element.line('url') : '';
  return (line) => {
    const text = isCode ? codeHtml(line) : isEmoji ? emojiHtml(line) : html(line);
    let marked = url === '' ? text : linkHtml(url, text);
    if (style.is('italic', true)) marked = `<i>${marked}</i>`;
    if (style.is('bold', true)) marked = `<b>${marked}</b>`;
    return style.is('strike', true) ? `<s>${marked}</s>` : marked;
  };
}
