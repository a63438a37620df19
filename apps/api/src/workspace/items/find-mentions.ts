import type { Block } from '@hub/contract';
import { blocksToText } from '@hub/contract/blocks/blocks-to-text';
import { hasMentionSign, nameFinder } from '@hub/contract/find-names';
import { codeParts } from '@hub/contract/markdown/code-parts';
import { normalizeText } from '@hub/contract/normalize-text';

/** Returns the ids of the users whom the strings mention (find-names.ts of the contract). Code mentions no one. */
export function findMentions(texts: readonly string[], users: readonly { id: string; name: string }[]): Set<string> {
  const ids = new Set<string>();
  const find = nameFinder(users);
  for (const text of texts) {
    if (!hasMentionSign(text)) continue;
    for (const { userIds } of find(normalizeText(withoutCode(text), 'NFC'))) for (const id of userIds) ids.add(id);
  }
  return ids;
}

/** Returns the text of a message's blocks without the code in them. */
export function readableBlocks(blocks: readonly Block[]): string {
  const outside = blocks.filter(({ type }) => type !== 'code');
  return blocksToText(
    JSON.parse(JSON.stringify(outside), (_, value) => (typeof value === 'string' ? withoutCodeElements(value) : value)),
  );
}

/** Whether these texts can mention anyone. Most mention no one, and need no look-up. */
export function mayMention({ title, body, blocks }: Record<'title' | 'body' | 'blocks', string | null>): boolean {
  return hasMentionSign(blocks ?? body ?? '') || hasMentionSign(title ?? '');
}

/** Returns Markdown without its code and comments, in linear time. */
function withoutCode(markdown: string): string {
  return codeParts(markdown)
    .map(({ text, kind }) => (kind === 'text' ? text : ' '))
    .join('');
}

function withoutCodeElements(html: string): string {
  if (!html.includes('<code') && !html.includes('<CODE')) return html;
  let text = '';
  let depth = 0;
  let from = 0;
  for (const tag of html.matchAll(/<(\/?)code\b[^<>]*>/gi)) {
    if (depth === 0) text += html.slice(from, tag.index);
    depth = Math.max(0, depth + (tag[1] === '/' ? -1 : 1));
    from = tag.index + tag[0].length;
  }
  return depth === 0 ? `${text} ${html.slice(from)}` : text;
}
