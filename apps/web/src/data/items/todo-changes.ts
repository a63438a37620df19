import type { ChangeTodoBody, Todo, TodoField } from '@hub/contract';
import { batch, type Signal, signal } from '@preact/signals';
import { request } from '../request.ts';
import type { ItemStore } from './item-store.ts';

/** A change made with a control, not by editing text. */
export type TodoChange = Partial<Pick<Todo, 'status' | 'assignee' | TodoField>>;

type Send = (todoId: string, body: ChangeTodoBody) => Promise<Todo>;

const sendToServer: Send = (todoId, body) => request('PATCH /todos/{todoId}', { todoId, body });

/** The user's unconfirmed changes: shown immediately, and reverted if the request fails. */
export class TodoChanges {
  readonly #items: ItemStore;
  readonly #send: Send;
  readonly #pending = new Map<string, Signal<readonly TodoChange[]>>();
  /** The last request for each to-do: a second change is sent after the first, so that it wins. */
  readonly #lastRequests = new Map<string, Promise<unknown>>();

  constructor(items: ItemStore, send = sendToServer) {
    this.#items = items;
    this.#send = send;
  }

  withPending(todo: Todo): Todo {
    return Object.assign({}, todo, ...this.#of(todo.id).value);
  }

  /** @throws ApiError or NoResponse; the change is then reverted. */
  async change(todoId: string, change: TodoChange): Promise<void> {
    const pending = this.#of(todoId);
    pending.value = [...pending.peek(), change];
    const before = this.#lastRequests.get(todoId) ?? Promise.resolve();
    const request = before.then(() => this.#send(todoId, bodyOf(change)));
    this.#lastRequests.set(
      todoId,
      request.catch(() => {}),
    );
    const clearPending = () => {
      pending.value = pending.peek().filter((other) => other !== change);
    };
    try {
      const response = await request;
      batch(() => {
        this.#items.applyResponse(response);
        clearPending();
      });
    } catch (error) {
      clearPending();
      throw error;
    }
  }

  #of(todoId: string): Signal<readonly TodoChange[]> {
    const changes = this.#pending.get(todoId) ?? signal<readonly TodoChange[]>([]);
    this.#pending.set(todoId, changes);
    return changes;
  }
}

function bodyOf({ assignee, ...rest }: TodoChange): ChangeTodoBody {
  return { ...rest, ...(assignee === undefined ? {} : { assigneeId: assignee?.id ?? null }) };
}
