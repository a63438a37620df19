import type { Block, Item } from '@hub/contract';
import { mayNameCharacters } from '@hub/contract/markdown/shortcodes';
import { type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import { keepNewest } from '../newest.ts';
import type { HtmlReader } from './html-nodes.ts';
import { readPlain } from './in-parts.ts';
import { loadNames, namesFor } from './names.ts';
import type { PostTree } from './post-tree.ts';
import { readInWorker } from './read-in-worker.ts';
import { readMarkdown } from './read-markdown.ts';

export interface ReadPost {
  tree: PostTree;
  /** Whether it is still being parsed; the tree is then the previous one, or the beginning of the text. */
  isReading: boolean;
}

/** In characters. Longer text, and text with more Markdown syntax than `FEW_SIGNS`, is parsed in the worker. */
const SHORT = 8_000;
const FEW_SIGNS = 300;
const SIGN = /[*_[\]`~<>@\\!]|[-+.)] |www/g;
/** In characters: how much of a long text is shown until it is parsed. */
const BEGINNING = 4_000;
/** How many of the most recently shown posts stay parsed. */
const MAX_KEPT = 400;

interface Kept {
  post: Signal<ReadPost>;
  source: string;
}

const cache = new Map<string, Kept>();

/** Returns the content of an item, or the part of it that is parsed so far. Each version is parsed once. */
export function readItem(item: Item): ReadonlySignal<ReadPost> {
  const source = sourceOf(item);
  const blocks = item.kind === 'message' ? item.blocks : null;
  return once(item.id, source, (previous) => (blocks ? readBlocks(blocks) : readText(source, previous)));
}

/**
 * Returns the source of an item, which is used to detect changes. The version number is not enough: after a backup is
 * restored, it can recur with different text.
 */
export function sourceOf(item: Item): string {
  if (item.kind === 'message' && item.blocks) return JSON.stringify(item.blocks);
  return (item.kind === 'message' ? item.text : item.content) ?? '';
}

/** Returns the parsed content of text that is not an item yet. */
export function readDraft(text: string): ReadonlySignal<ReadPost> {
  return once(`draft ${text}`, text, () => readText(text));
}

function once(key: string, source: string, read: (previous?: PostTree) => Signal<ReadPost>): Signal<ReadPost> {
  const cached = cache.get(key);
  const post = cached?.source === source ? cached.post : read(cached?.post.peek().tree);
  keepNewest(cache, key, { post, source }, MAX_KEPT);
  return post;
}

/** `previous`: the tree of the text before it was changed, which stays until a long text is parsed. */
function readText(text: string, previous?: PostTree): Signal<ReadPost> {
  if (!isQuick(text)) {
    const beginning = previous ?? readPlain(text.slice(0, BEGINNING));
    return deferred(beginning, readInWorker({ do: 'markdown', text }), text);
  }
  const parse = () => orPlain(() => readMarkdown(text, names(), htmlReader), text);
  const read = () => ({ tree: parse(), isReading: false });
  const names = () => untracked(() => namesFor(text));
  if (!htmlReader && TAG.test(text)) {
    const loading = Promise.all([loadHtmlReader(), mayNameCharacters(text) ? loadNames().catch(() => {}) : null]);
    const reading = loading.then(
      () => parse(),
      () => null,
    );
    return deferred(previous ?? readPlain(text.slice(0, BEGINNING)), reading, text);
  }
  const post = signal<ReadPost>(read());
  if (mayNameCharacters(text) && names() === undefined)
    void loadNames().then(
      () => {
        post.value = read();
      },
      () => {},
    );
  return post;
}

const TAG = /<[a-z/!?]/i;
let htmlReader: HtmlReader | undefined;

async function loadHtmlReader(): Promise<HtmlReader> {
  htmlReader ??= (await import('./html-elements.ts')).htmlReader;
  return htmlReader;
}

type BlocksReader = (blocks: readonly Block[]) => PostTree;
/** Loaded with the first post that consists of blocks, which few posts do. */
let blocksReader: BlocksReader | null = null;

async function loadBlocksReader(): Promise<BlocksReader> {
  blocksReader ??= (await import('./read-blocks.ts')).readEditorBlocks;
  return blocksReader;
}

function readBlocks(blocks: readonly Block[]): Signal<ReadPost> {
  const json = JSON.stringify(blocks);
  const isShort = json.length <= SHORT;
  const read = blocksReader;
  if (read && isShort) return signal({ tree: orPlain(() => read(blocks), json), isReading: false });
  const reading = isShort
    ? loadBlocksReader().then(
        (load) => orPlain(() => load(blocks), json),
        () => null,
      )
    : readInWorker({ do: 'blocks', blocks });
  return deferred(read ? beginningOf(blocks, read) : readPlain(''), reading, json);
}

function deferred(beginning: PostTree, reading: Promise<PostTree | null>, whole: string): Signal<ReadPost> {
  const post = signal<ReadPost>({ tree: beginning, isReading: true });
  void reading.then((tree) => {
    post.value = { tree: tree ?? readPlain(whole), isReading: false };
  });
  return post;
}

/** Parses the first blocks, up to `BEGINNING` characters. */
function beginningOf(blocks: readonly Block[], read: BlocksReader): PostTree {
  let length = 0;
  const end = blocks.findIndex((block) => {
    length += JSON.stringify(block).length;
    return length > BEGINNING;
  });
  return read(blocks.slice(0, end));
}

function orPlain(read: () => PostTree, text: string): PostTree {
  try {
    return read();
  } catch {
    return readPlain(text);
  }
}

function isQuick(text: string): boolean {
  if (text.length > SHORT) return false;
  let signs = 0;
  for (const _ of text.matchAll(SIGN)) {
    signs += 1;
    if (signs > FEW_SIGNS) return false;
  }
  return true;
}
