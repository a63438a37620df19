import { mayNameCharacters } from '@hub/contract/markdown/shortcodes';
import { highlighter } from './highlight.ts';
import type { Job, NumberedJob, Reply, Results } from './post-jobs.ts';
import { readEditorBlocks, readMarkdown } from './readers.ts';

/** Reads what may take long, one after the other. Whoever asks ends it if that lasts too long. */
addEventListener('message', ({ data: { number, job } }: MessageEvent<NumberedJob>) => {
  const say = (reply: Reply) => postMessage(reply);
  prepare(job)
    .then((read) => {
      say({ number, is: 'begun' });
      say({ number, is: 'done', result: read() });
    })
    .catch(() => say({ number, is: 'failed' }));
});

/** Loads what it takes. The time that loading needs is not the text's fault. */
async function prepare(job: Job): Promise<() => Results[Job['do']]> {
  if (job.do === 'markdown') {
    const names = mayNameCharacters(job.text) ? await import('@hub/contract/markdown/named-characters') : undefined;
    return () => readMarkdown(job.text, names?.namedCharacters);
  }
  if (job.do === 'blocks') return () => readEditorBlocks(job.blocks);
  const highlight = await highlighter(job.language);
  return () => highlight(job.code);
}
