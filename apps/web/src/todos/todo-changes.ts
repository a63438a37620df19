import type { ChangeTodoBody, Todo, UserRef } from '@hub/contract';
import { batch, type Signal, signal } from '@preact/signals';
import { path, request } from '../api/request.ts';
import type { ItemStore } from '../items/item-store.ts';

/** What is changed by a press, without words. */
export interface TodoChange {
  status?: Todo['status'];
  assignee?: UserRef | null;
  dueDate?: string | null;
  priority?: Todo['priority'];
}

/** Sends one change, and resolves with the to-do as it is then. */
type Send = (todoId: string, body: ChangeTodoBody) => Promise<Todo>;

const sendToServer: Send = (todoId, body) => request('PATCH', path`/todos/${todoId}`, { body });

/** The changes of one's own that the server has not answered yet: they show at once, and are taken back if it refuses. */
export class TodoChanges {
  readonly #items: ItemStore;
  readonly #send: Send;
  readonly #pending = new Map<string, Signal<readonly TodoChange[]>>();
  /** The last request for each to-do: of two presses the second is sent after the first, so that it wins. */
  readonly #lines = new Map<string, Promise<unknown>>();

  constructor(items: ItemStore, send = sendToServer) {
    this.#items = items;
    this.#send = send;
  }

  /** The to-do as it will be if all goes well. */
  shown(todo: Todo): Todo {
    return Object.assign({}, todo, ...this.#of(todo.id).value);
  }

  /** @throws ApiError or NoAnswer; the to-do is shown as it was, then. */
  async change(todoId: string, change: TodoChange): Promise<void> {
    const pending = this.#of(todoId);
    pending.value = [...pending.peek(), change];
    const before = this.#lines.get(todoId) ?? Promise.resolve();
    const sent = before.then(() => this.#send(todoId, bodyOf(change)));
    this.#lines.set(
      todoId,
      sent.catch(() => {}),
    );
    const hasResponse = () => {
      pending.value = pending.peek().filter((other) => other !== change);
    };
    try {
      const response = await sent;
      batch(() => {
        this.#items.applyResponse(response);
        hasResponse();
      });
    } catch (error) {
      hasResponse();
      throw error;
    }
  }

  #of(todoId: string): Signal<readonly TodoChange[]> {
    const known = this.#pending.get(todoId) ?? signal<readonly TodoChange[]>([]);
    this.#pending.set(todoId, known);
    return known;
  }
}

function bodyOf({ assignee, ...rest }: TodoChange): ChangeTodoBody {
  return { ...rest, ...(assignee === undefined ? {} : { assigneeId: assignee?.id ?? null }) };
}
