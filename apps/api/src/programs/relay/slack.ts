import type { Payload } from './payload.ts';
import { imageMarkdown, lineMarkdown, linkHtml, listMarkdown, plainMarkdown, quoteMarkdown } from './relay-markdown.ts';
import { actionsMarkdown, blockMarkdown, isKnownBlock } from './slack-blocks.ts';
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
  if (!isAnyShown) yield textMarkdown(payload);
  for (const attachment of payload.list('attachments')) yield* attachmentParts(attachment);
}

function textMarkdown(payload: Payload): string {
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
