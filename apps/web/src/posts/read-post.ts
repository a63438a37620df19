import type { Block, Item } from '@hub/contract';
import { mayNameCharacters } from '@hub/contract/markdown/shortcodes';
import { type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import { readPlain } from './in-parts.ts';
import { loadNames, namesFor } from './names.ts';
import type { PostTree } from './post-tree.ts';
import { readApart } from './read-apart.ts';

export interface ReadPost {
  tree: PostTree;
  /** It is being read: what is there is the beginning of the text as it was sent. */
  isReading: boolean;
}

/** So much is read at once; what is longer, or has more signs of Markdown, goes to the worker. */
const SHORT = 8_000;
const FEW_SIGNS = 300;
const SIGN = /[*_[\]`~<>@\\!]|[-+.)] |www/g;
/** Shown of a long text until it has been read. */
const BEGINNING = 4_000;
/** So many posts stay read, those that were shown last. */
const KEPT = 400;

interface Kept {
  post: Signal<ReadPost>;
  /** What it was read from. */
  source: string;
}

const kept = new Map<string, Kept>();

let readers: typeof import('./readers.ts') | null = null;

/** Loads what reads posts, which is no part of the first load. No post can be shown before. */
export async function loadReaders(): Promise<void> {
  readers ??= await import('./readers.ts');
}

function loadedReaders(): NonNullable<typeof readers> {
  if (readers === null) throw new Error('loadReaders() must be awaited before posts are read');
  return readers;
}

/** What an item says, as far as it has been read; each version of it is read once. */
export function readItem(item: Item): ReadonlySignal<ReadPost> {
  const source = sourceOf(item);
  const blocks = item.kind === 'message' ? item.blocks : null;
  return once(item.id, source, () => (blocks ? readBlocks(blocks) : readText(source)));
}

/**
 * By what one can tell whether an item says something else. The number of its version does not do: where a backup was restored, it
 * can come once more, with other words.
 */
export function sourceOf(item: Item): string {
  if (item.kind === 'message' && item.blocks) return JSON.stringify(item.blocks);
  return (item.kind === 'message' ? item.text : item.content) ?? '';
}

/** What a text says that is no item yet. */
export function readDraft(text: string): ReadonlySignal<ReadPost> {
  return once(`draft ${text}`, text, () => readText(text));
}

function once(key: string, source: string, read: () => Signal<ReadPost>): Signal<ReadPost> {
  const known = kept.get(key);
  const post = known?.source === source ? known.post : read();
  kept.delete(key);
  kept.set(key, { post, source });
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
  return post;
}

function readText(text: string): Signal<ReadPost> {
  if (!isQuick(text)) return later(readPlain(text.slice(0, BEGINNING)), readApart({ do: 'markdown', text }), text);
  const { readMarkdown } = loadedReaders();
  const read = () => ({ tree: orPlain(() => readMarkdown(text, names()), text), isReading: false });
  const names = () => untracked(() => namesFor(text));
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

function readBlocks(blocks: readonly Block[]): Signal<ReadPost> {
  const json = JSON.stringify(blocks);
  const { readEditorBlocks } = loadedReaders();
  if (json.length <= SHORT) return signal({ tree: orPlain(() => readEditorBlocks(blocks), json), isReading: false });
  return later(beginningOf(blocks), readApart({ do: 'blocks', blocks }), json);
}

function later(beginning: PostTree, reading: Promise<PostTree | null>, whole: string): Signal<ReadPost> {
  const post = signal<ReadPost>({ tree: beginning, isReading: true });
  void reading.then((tree) => {
    post.value = { tree: tree ?? readPlain(whole), isReading: false };
  });
  return post;
}

/** The first blocks, as far as they are short. */
function beginningOf(blocks: readonly Block[]): PostTree {
  let length = 0;
  const end = blocks.findIndex((block) => {
    length += JSON.stringify(block).length;
    return length > BEGINNING;
  });
  return loadedReaders().readEditorBlocks(blocks.slice(0, end));
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
