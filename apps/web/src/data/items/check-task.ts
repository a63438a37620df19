import type { Item } from '@hub/contract';
import { effect, type ReadonlySignal } from '@preact/signals';
import { withBox, withoutChecks } from '../../lib/posts/find-task.ts';
import { readInWorker } from '../../lib/posts/read-in-worker.ts';
import { type ReadPost, readItem, sourceOf } from '../../lib/posts/read-post.ts';
import { ApiError, request } from '../request.ts';
import type { ItemStore } from './item-store.ts';

/** How often a change is sent again after another change to the item arrived first. */
const MAX_ATTEMPTS = 4;

/** The task cannot be checked. The message is for the user. */
class TaskError extends Error {
  override readonly name = 'TaskError';
}

interface Check {
  id: string;
  text: string;
  task: number;
  isDone: boolean;
}

interface Dependencies {
  ask: typeof request;
  find: (text: string, task: number) => Promise<number | null>;
}

const inBrowser: Dependencies = { ask: request, find: (text, task) => readInWorker({ do: 'findTask', text, task }) };

/** The last change to each item, so that boxes checked in quick succession are saved one after the other. */
const last = new Map<string, Promise<void>>();

/**
 * Checks or unchecks a task in the text of an item, and applies the result. Other boxes that were checked in the
 * meantime are no conflict.
 * @throws TaskError; ApiError; NoResponse.
 */
export function checkTask(items: ItemStore, check: Check, dependencies = inBrowser): Promise<void> {
  const before = last.get(check.id) ?? Promise.resolve();
  const checked = before.catch(() => {}).then(() => save(items, check, dependencies));
  last.set(check.id, checked);
  const forget = () => {
    if (last.get(check.id) === checked) last.delete(check.id);
  };
  checked.then(forget, forget);
  return checked;
}

async function save(items: ItemStore, { id, text, task, isDone }: Check, { ask, find }: Dependencies): Promise<void> {
  const index = await find(text, task);
  if (index === null) throw new TaskError('This text is too complex. Edit it to check the task.');
  for (let attempt = 1; ; attempt += 1) {
    const item = items.get(id).peek();
    const current = item ? sourceOf(item) : '';
    if (!item || withoutChecks(current) !== withoutChecks(text)) {
      throw new TaskError('This text was changed in the meantime. Look at it again, then check the task.');
    }
    if ((current[index] !== ' ') === isDone) return;
    try {
      await items.applyResponseOf(() => send(item, withBox(current, index, isDone), ask));
      // Until a long text is parsed, its tasks are drawn as before.
      const saved = items.get(id).peek();
      if (saved) await whenRead(readItem(saved));
      return;
    } catch (error) {
      if (!(error instanceof ApiError) || error.statusCode !== 409 || attempt === MAX_ATTEMPTS) throw error;
      await items.applyResponseOf(() => ask('GET /items/{itemId}', { itemId: id }));
    }
  }
}

function send({ kind, id, version: baseVersion }: Item, text: string, ask: typeof request): Promise<Item> {
  if (kind === 'message') return ask('PATCH /messages/{messageId}', { messageId: id, body: { text, baseVersion } });
  if (kind === 'note') return ask('PATCH /notes/{noteId}', { noteId: id, body: { content: text, baseVersion } });
  return ask('PATCH /todos/{todoId}', { todoId: id, body: { content: text, baseVersion } });
}

function whenRead(post: ReadonlySignal<ReadPost>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = effect(() => {
    if (!post.value.isReading) resolve();
  });
  return promise.then(stop);
}
