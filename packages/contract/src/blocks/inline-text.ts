import { withoutEscapes } from '../markdown/without-escapes.ts';
import { type InlineNode, parseInlineHtml } from './inline-html.ts';

/**
 * Returns the readable text of an Editor.js string: line breaks, links with their URL, no formatting, no escape codes.
 */
export function inlineText(html: string): string {
  if (!html.includes('<') && !html.includes('&')) return withoutEscapes(html);
  return withoutEscapes(textOf(parseInlineHtml(html)).replaceAll('\u00a0', ' '));
}

function textOf(nodes: readonly InlineNode[]): string {
  let text = '';
  for (const node of nodes) {
    if (typeof node === 'string') text += node;
    else if (node.tag === 'br') text += '\n';
    else if (node.tag === 'a') text += linkText(textOf(node.children), node.href);
    else text += textOf(node.children);
  }
  return text;
}

function linkText(text: string, href: string): string {
  const label = text.trim();
  const isSameAddress = label === href || `${label}/` === href || `mailto:${label}` === href;
  return isSameAddress ? text : `${text} (${href})`;
}
