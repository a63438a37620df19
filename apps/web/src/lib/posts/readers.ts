/** The parsers for posts, which the page and the worker load together. */
export { readEditorBlocks } from './read-blocks.ts';
export { readMarkdown } from './read-markdown.ts';
