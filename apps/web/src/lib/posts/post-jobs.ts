import type { Block } from '@hub/contract';
import type { PostTree } from './post-tree.ts';

/** A job for the worker: see post-worker.ts. */
export type Job =
  | { do: 'markdown'; text: string }
  | { do: 'blocks'; blocks: readonly Block[] }
  | { do: 'findTask'; text: string; task: number }
  | { do: 'highlight'; code: string; language: string };

/** A piece of code and its kind: comment, keyword, string, number, or `null` for the rest. */
export type Run = readonly [kind: 'c' | 'k' | 's' | 'n' | null, text: string];

export interface Results {
  markdown: PostTree;
  blocks: PostTree;
  /** The index of the character between the brackets, or null if it cannot be found. */
  findTask: number | null;
  highlight: readonly Run[];
}

export type Reply =
  | { number: number; is: 'started' }
  | { number: number; is: 'done'; result: Results[Job['do']] }
  | { number: number; is: 'failed' };

export interface NumberedJob {
  number: number;
  job: Job;
}
