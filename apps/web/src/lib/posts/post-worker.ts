import { mayNameCharacters } from '@hub/contract/markdown/shortcodes';
import { findTask } from './find-task.ts';
import { highlighter } from './highlight.ts';
import { htmlReader } from './html-elements.ts';
import { readEditorBlocks } from './read-blocks.ts';
import type { Job, NumberedJob, Reply, Results } from './read-in-worker.ts';
import { readMarkdown } from './read-markdown.ts';

/** Handles one job at a time. The page terminates the worker if a job takes too long. */
addEventListener('message', ({ data: { number, job } }: MessageEvent<NumberedJob>) => {
  const send = (reply: Reply) => postMessage(reply);
  prepare(job)
    .then((read) => {
      send({ number, type: 'started' });
      send({ number, type: 'done', result: read() });
    })
    .catch(() => send({ number, type: 'failed' }));
});

/** Loads the code that a job needs, which does not count toward the job's time limit. */
async function prepare(job: Job): Promise<() => Results[Job['do']]> {
  if (job.do === 'markdown') {
    const names = mayNameCharacters(job.text) ? await import('@hub/contract/markdown/named-characters') : undefined;
    return () => readMarkdown(job.text, names?.namedCharacters, htmlReader);
  }
  if (job.do === 'findTask') return () => findTask(job.text, job.task);
  if (job.do === 'blocks') return () => readEditorBlocks(job.blocks);
  const highlight = await highlighter(job.language);
  return () => highlight(job.code);
}
