import type { Block } from '@hub/contract';
import type { PostTree } from './post-tree.ts';

/** What is read apart from the page: see post-worker.ts. */
export type Job =
  | { do: 'markdown'; text: string }
  | { do: 'blocks'; blocks: readonly Block[] }
  | { do: 'highlight'; code: string; language: string };

/** A piece of code, and what it is: comment, keyword, string, number. */
export type Run = readonly [kind: 'c' | 'k' | 's' | 'n' | null, text: string];

export interface Results {
  markdown: PostTree;
  blocks: PostTree;
  highlight: readonly Run[];
}

export type Reply =
  | { number: number; is: 'begun' }
  | { number: number; is: 'done'; result: Results[Job['do']] }
  | { number: number; is: 'failed' };

export interface NumberedJob {
  number: number;
  job: Job;
}
