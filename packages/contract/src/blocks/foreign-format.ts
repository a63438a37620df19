import { isObject } from './block-problem.ts';

type Detector = (block: Record<string, unknown>) => boolean;

const isText = (value: unknown): boolean => typeof value === 'string';
const isTextObject = (value: unknown): boolean =>
  isObject(value) && (value.type === 'plain_text' || value.type === 'mrkdwn') && isText(value.text);

/** The required fields of each Slack block type. */
const SLACK_BLOCKS: Readonly<Record<string, Detector>> = {
  section: ({ text, fields, accessory }) => isTextObject(text) || Array.isArray(fields) || isObject(accessory),
  header: ({ text }) => isTextObject(text),
  divider: (block) => Object.keys(block).every((name) => name === 'type' || name === 'block_id'),
  context: ({ elements }) => Array.isArray(elements),
  context_actions: ({ elements }) => Array.isArray(elements),
  actions: ({ elements }) => Array.isArray(elements),
  rich_text: ({ elements }) => Array.isArray(elements),
  image: ({ image_url, slack_file }) => isText(image_url) || isObject(slack_file),
  input: ({ label, element }) => isTextObject(label) && isObject(element),
  video: ({ video_url }) => isText(video_url),
  file: ({ external_id }) => isText(external_id),
  markdown: ({ text }) => isText(text),
  table: ({ rows }) => Array.isArray(rows),
};

const isSlack: Detector = (block) =>
  typeof block.type === 'string' &&
  Object.hasOwn(SLACK_BLOCKS, block.type) &&
  SLACK_BLOCKS[block.type]?.(block) === true;

const contentOf = (block: Record<string, unknown>): Record<string, unknown>[] =>
  Array.isArray(block.content) ? block.content.filter(isObject) : [];

const isBlockNote: Detector = (block) =>
  isText(block.type) && (isObject(block.props) || contentOf(block).some(({ styles }) => isObject(styles)));

/** The depth of a text node in a list: listItem, paragraph, text. Bounded, so that no input can exhaust the stack. */
const TEXT_DEPTH = 3;

function isProseMirror(node: Record<string, unknown>, depth = TEXT_DEPTH): boolean {
  if (!isText(node.type)) return false;
  if (isObject(node.attrs) || Array.isArray(node.marks)) return true;
  if (node.type === 'doc' && Array.isArray(node.content)) return true;
  const isInside = (child: Record<string, unknown>): boolean =>
    (child.type === 'text' && isText(child.text)) || (depth > 1 && isProseMirror(child, depth - 1));
  return contentOf(node).some(isInside);
}

const FORMATS: readonly [string, Detector][] = [
  ['Slack Block Kit blocks', isSlack],
  ['BlockNote blocks', isBlockNote],
  ['ProseMirror or TipTap nodes', (node) => isProseMirror(node)],
];

/**
 * Returns the message for `blocks` in the format of another editor or service, or null. Call it for rejected values. It
 * recognizes only values that cannot be Editor.js: no element has `data`, and at least one has the fields of the other
 * format.
 */
export function foreignFormatMessage(value: unknown): string | null {
  const whole = isObject(value) ? [value] : value;
  const elements = isObject(value) && Array.isArray(value.blocks) ? value.blocks : whole;
  if (!Array.isArray(elements) || !elements.every((element) => isObject(element) && !Object.hasOwn(element, 'data'))) {
    return null;
  }
  const format = FORMATS.find(([, isOfFormat]) => elements.some(isOfFormat));
  if (format === undefined) return null;
  return (
    `These look like ${format[0]}; Hub takes Editor.js blocks. Send text, or convert each to a type and data, ` +
    'such as {"type":"paragraph","data":{"text":"Hello"}}.'
  );
}
