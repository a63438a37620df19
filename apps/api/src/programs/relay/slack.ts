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

/**
 * Translates a message for a Slack incoming webhook
 * (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks): `text`, or `blocks` if Hub can show any of
 * them, then `attachments`. The name and the icon that it asks for are ignored, since every post shows its key. Some
 * senders put all of it as JSON text into a field `payload`, as in the form that Slack accepts.
 */
export function* slackParts(body: Payload): Generator<string> {
  const payload = body.unwrapped('payload');
  // Buttons without a URL and blank sections, for example, show nothing.
  let isAnyShown = false;
  const waiting: string[] = [];
  for (const block of payload.list('blocks')) {
    waiting.push(blockMarkdown(block));
    isAnyShown ||= isKnownBlock(block) && waiting.at(-1) !== '';
    if (isAnyShown) yield* waiting.splice(0);
  }
  if (!isAnyShown) yield messageMarkdown(payload);
  for (const attachment of payload.list('attachments')) yield* attachmentParts(attachment);
}

function messageMarkdown(payload: Payload): string {
  const text = payload.text('text');
  return payload.is('mrkdwn', false) ? plainMarkdown(text, slackHtml) : mrkdwnMarkdown(text);
}

/** Yields the text above an attachment, and the attachment as a quote whose first line shows its color. */
function* attachmentParts(attachment: Payload): Generator<string> {
  yield mrkdwnMarkdown(attachment.text('pretext'));
  const content = [...contentParts(attachment)].filter((part) => part !== '').join('\n\n');
  const text = content || mrkdwnMarkdown(attachment.text('fallback'));
  if (text === '') return;
  const dot = dotOf(attachment.line('color'));
  // Before a list or a code block, the dot needs a line of its own.
  const gap = /^(?:[-`#!]|\d+\.)/.test(text) ? '\n\n' : ' ';
  yield quoteMarkdown(dot === '' ? text : dot + gap + text);
}

function* contentParts(attachment: Payload): Generator<string> {
  const [author, title] = [attachment.line('author_name'), attachment.line('title')];
  if (author !== '') yield lineMarkdown(linked(attachment.url('author_link'), slackTitleHtml(author)));
  if (title !== '') yield lineMarkdown(`<b>${linked(attachment.url('title_link'), slackTitleHtml(title))}</b>`);
  yield mrkdwnMarkdown(attachment.text('text'));
  yield listMarkdown(Array.from(attachment.list('fields'), fieldMarkdown));
  for (const block of attachment.list('blocks')) yield blockMarkdown(block);
  const image = attachment.url('image_url') || attachment.url('thumb_url');
  if (image !== '') yield imageMarkdown(image, title);
  yield actionsMarkdown(attachment.list('actions'));
  yield lineMarkdown(slackTitleHtml(attachment.line('footer')));
}

function linked(url: string, labelHtml: string): string {
  return url === '' ? labelHtml : linkHtml(url, labelHtml);
}

function fieldMarkdown(field: Payload): string {
  const [title, value] = [field.line('title'), mrkdwnHtml(field.value('value'))];
  return lineMarkdown(title === '' ? value : `<b>${slackTitleHtml(title)}:</b> ${value}`);
}

const DOTS: readonly [string, number, number, number][] = [
  ['🔴', 0xdd, 0x2e, 0x44],
  ['🟠', 0xf4, 0x90, 0x0c],
  ['🟡', 0xfd, 0xcb, 0x58],
  ['🟢', 0x2e, 0xb6, 0x6d],
  ['🔵', 0x55, 0xac, 0xee],
  ['🟣', 0xaa, 0x8e, 0xd6],
  ['⚫', 0x31, 0x37, 0x3d],
  ['⚪', 0xe6, 0xe7, 0xe8],
];
const NAMED_COLORS: Readonly<Record<string, string>> = { good: '🟢', warning: '🟡', danger: '🔴' };

/** Returns the dot for the color of an attachment: a name, or the nearest to a color such as `#2eb886`. */
function dotOf(color: string): string {
  const code = Object.hasOwn(NAMED_COLORS, color) ? NAMED_COLORS[color] : undefined;
  if (code !== undefined) return code;
  const [, hex] = /^#?([0-9a-f]{6})$/i.exec(color.trim()) ?? [];
  if (hex === undefined) return '';
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ];
  const distance = ([, r, g, b]: (typeof DOTS)[number]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
  return DOTS.reduce((nearest, dot) => (distance(dot) < distance(nearest) ? dot : nearest))[0];
}

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

function isKnownBlock(block: Payload): boolean {
  return Object.hasOwn(BLOCKS, block.line('type'));
}

/** Returns a block in Markdown, or a note about a block that Hub does not show. */
function blockMarkdown(block: Payload): string {
  const type = block.line('type');
  if (Object.hasOwn(BLOCKS, type)) return BLOCKS[type]?.(block) ?? '';
  return lineMarkdown(`<i>${html(`Hub does not show this Slack block: ${shortened(type || '?', 100)}`)}</i>`);
}

/** Returns links to the targets of buttons. A button without a URL would need Slack, so it is left out. */
function actionsMarkdown(elements: Iterable<Payload>): string {
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
