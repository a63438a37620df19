import { escapeHeading } from '@hub/contract/blocks/escape-markdown';
import { listIn, objectIn, type Payload, textIn } from './payload.ts';
import {
  codeBlockMarkdown,
  codeHtml,
  convertedLines,
  ENOUGH,
  emojiHtml,
  html,
  imageMarkdown,
  isWebUrl,
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
/** Slack itself accepts at most 25 elements and 10 fields. */
const MAX_ELEMENTS = 100;

/** The blocks that are shown (https://docs.slack.dev/reference/block-kit/blocks). */
const BLOCKS: Readonly<Record<string, (block: Payload) => string>> = {
  header: (block) => headingMarkdown(textIn(objectIn(block, 'text'), 'text')),
  section: (block) => {
    const fields = listMarkdown(listIn(block, 'fields', MAX_ELEMENTS).map((field) => lineMarkdown(textHtml(field))));
    return parts(textMarkdown(objectIn(block, 'text')), fields, elementMarkdown(objectIn(block, 'accessory')));
  },
  context: (block) => joinedLine(listIn(block, 'elements', MAX_ELEMENTS).map(contextHtml)),
  divider: () => '---',
  image: (block) => {
    const title = lineMarkdown(slackTitleHtml(textIn(objectIn(block, 'title'), 'text')));
    return parts(title, imageMarkdown(textIn(block, 'image_url'), textIn(block, 'alt_text')));
  },
  actions: (block) => actionsMarkdown(listIn(block, 'elements', MAX_ELEMENTS)),
  rich_text: (block) => convertedParts(richTextParts(listIn(block, 'elements'))),
};

export function isKnownBlock(block: Payload): boolean {
  return Object.hasOwn(BLOCKS, textIn(block, 'type'));
}

/** Returns a block in Markdown, or a note about a block that Hub does not show. */
export function blockMarkdown(block: Payload): string {
  if (isKnownBlock(block)) return BLOCKS[textIn(block, 'type')]?.(block) ?? '';
  return lineMarkdown(
    `<i>${html(`Hub does not show this Slack block: ${shortened(textIn(block, 'type') || '?', 100)}`)}</i>`,
  );
}

/** Returns links to the targets of buttons. A button without a URL would need Slack, so it is left out. */
export function actionsMarkdown(elements: readonly Payload[]): string {
  return joinedLine(elements.map(buttonHtml));
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
  const written = textIn(text, 'text');
  if (text.type !== 'plain_text') return mrkdwnMarkdown(written);
  return plainMarkdown(written, slackHtml);
}

function textHtml(text: Payload): string {
  const written = textIn(text, 'text');
  return text.type === 'plain_text' ? slackTitleHtml(written) : mrkdwnHtml(written);
}

/** Returns a text, or the alternative text of an icon. */
function contextHtml(element: Payload): string {
  return element.type === 'image' ? slackTitleHtml(textIn(element, 'alt_text')) : textHtml(element);
}

function elementMarkdown(element: Payload): string {
  if (element.type === 'image') return imageMarkdown(textIn(element, 'image_url'), textIn(element, 'alt_text'));
  return lineMarkdown(buttonHtml(element));
}

function buttonHtml(element: Payload): string {
  const url = textIn(element, 'url');
  // A button of an attachment has its text directly.
  const label = textIn(objectIn(element, 'text'), 'text') || textIn(element, 'text') || 'Open';
  return isWebUrl(url) ? linkHtml(url, slackTitleHtml(label)) : '';
}

/** Yields the parts of rich text. Neighboring lists are one list with several levels. */
function* richTextParts(elements: readonly Payload[]): Generator<string> {
  let list: string[] = [];
  for (const element of elements) {
    if (element.type === 'rich_text_list') {
      list.push(...richListLines(element));
      continue;
    }
    yield list.join('\n');
    list = [];
    const content = listIn(element, 'elements');
    if (element.type === 'rich_text_preformatted') {
      const code = content.map((each) => textIn(each, 'text') || textIn(each, 'url')).join('');
      if (code.trim() !== '') yield codeBlockMarkdown(code);
    } else {
      const text = richLines(content);
      yield element.type === 'rich_text_quote' && text !== '' ? quoteMarkdown(text) : text;
    }
  }
  yield list.join('\n');
}

const MAX_INDENT = 8;
/** More items than a message has room for are not converted. */
const MAX_ITEMS = 1_000;

function richListLines(list: Payload): string[] {
  const isOrdered = list.style === 'ordered';
  const indent = Math.min(MAX_INDENT, Math.max(0, Math.trunc(Number(textIn(list, 'indent'))) || 0));
  const first = Math.min(1_000_000, Math.max(0, Math.trunc(Number(textIn(list, 'offset'))) || 0)) + 1;
  return listIn(list, 'elements', MAX_ITEMS).map((item, index) => {
    const text = richLines(listIn(item, 'elements')).replaceAll('\n', ' ');
    return `${'   '.repeat(indent)}${isOrdered ? `${first + index}.` : '-'} ${text}`;
  });
}

/** Returns inline elements as lines. Formatting ends with its element, so no line begins within one. */
function richLines(elements: readonly Payload[]): string {
  const lines = [''];
  let left = ENOUGH;
  for (const element of elements) {
    const text = richText(element).slice(0, left);
    left -= text.length;
    const [first = '', ...others] = linesOf(text);
    lines[lines.length - 1] += richHtml(element, first);
    lines.push(...others.map((line) => richHtml(element, line)));
  }
  return joinedLines(convertedLines(lines, lineMarkdown));
}

/** The texts of elements that have no text of their own. */
function richText(element: Payload): string {
  switch (element.type) {
    case 'user':
      return `@${textIn(element, 'user_id')}`;
    case 'usergroup':
      return `@${textIn(element, 'usergroup_id')}`;
    case 'channel':
      return `#${textIn(element, 'channel_id')}`;
    case 'broadcast':
      return `@${textIn(element, 'range')}`;
    case 'emoji':
      return `:${textIn(element, 'name')}:`;
    case 'date':
      return textIn(element, 'fallback');
    case 'color':
      return textIn(element, 'value');
    default:
      // White space between two words can be an element of its own.
      return typeof element.text === 'string' && element.text !== '' ? element.text : textIn(element, 'url');
  }
}

function richHtml(element: Payload, line: string): string {
  const style = objectIn(element, 'style');
  const text = style.code === true ? codeHtml(line) : element.type === 'emoji' ? emojiHtml(line) : html(line);
  const url = element.type === 'link' ? textIn(element, 'url') : '';
  let marked = url === '' ? text : linkHtml(url, text);
  if (style.italic === true) marked = `<i>${marked}</i>`;
  if (style.bold === true) marked = `<b>${marked}</b>`;
  return style.strike === true ? `<s>${marked}</s>` : marked;
}
