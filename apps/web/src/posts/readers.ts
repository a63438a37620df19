/** The readers of posts: the page and the worker load them together. */
export { readEditorBlocks } from './read-blocks.ts';
export { readMarkdown } from './read-markdown.ts';
