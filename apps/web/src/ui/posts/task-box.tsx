import type { Item } from '@hub/contract';
import { type ReadonlySignal, signal, useComputed } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { mayEdit } from '../../data/items/item.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { errorMessage } from '../../data/request.ts';
import { type ReadPost, sourceOf } from '../../lib/posts/read-post.ts';
import { toast } from '../toast.tsx';

/** How the reader checks the tasks of a post. */
export interface Tasks {
  /** Changes that are not saved yet, by the number of the task. */
  pending: ReadonlySignal<ReadonlyMap<number, boolean>>;
  check: (task: number, isDone: boolean) => void;
}

/** Lets the reader check the tasks of an item that they may edit. */
export function useTasks(item: Item, post: ReadonlySignal<ReadPost>): Tasks | null {
  const { items, me } = useWorkspace();
  const isOpen = mayEdit(me.value, item);
  const text = sourceOf(item);
  /** The text whose tasks are on the screen. While a long text is being parsed, that is the previous one. */
  const latest = useRef(text);
  if (!post.value.isReading) latest.current = text;
  return useMemo(() => {
    if (!isOpen) return null;
    const pending = signal<ReadonlyMap<number, boolean>>(new Map());
    const check = async (task: number, isDone: boolean) => {
      pending.value = new Map(pending.peek()).set(task, isDone);
      try {
        // Most readers check nothing, so the first load does without this.
        const { checkTask } = await import('../../data/items/check-task.ts');
        await checkTask(items, { id: item.id, text: latest.current, task, isDone });
      } catch (error) {
        toast(
          `Not saved. ${error instanceof Error && error.name === 'TaskError' ? error.message : errorMessage(error)}`,
          { isError: true },
        );
      }
      pending.value = new Map([...pending.peek()].filter(([other]) => other !== task));
    };
    return { pending, check: (task, isDone) => void check(task, isDone) };
  }, [isOpen, item.id]);
}

export function TaskBox(props: { tasks: Tasks; task: number; isDone: boolean; label: string }) {
  const { tasks, task, isDone, label } = props;
  const isChecked = useComputed(() => tasks.pending.value.get(task)).value ?? isDone;
  return (
    <input
      class="check"
      type="checkbox"
      aria-label={label}
      checked={isChecked}
      onChange={({ currentTarget }) => tasks.check(task, currentTarget.checked)}
    />
  );
}
