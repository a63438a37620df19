import { systemClock } from './clock.ts';
import { HubUsageError } from './errors.ts';
import type {
  CreatedMessage,
  CreatedNote,
  CreatedTodo,
  CreateMessageInput,
  CreateNoteInput,
  CreateTodoInput,
} from './items.ts';
import { markMessage, markNote, markTodo } from './mark-item.ts';
import type { HubClientOptions, PostOptions } from './options.ts';
import { Pacers } from './pacers.ts';
import { rejectWhereKeysLeak } from './runtime-guard.ts';
import { type Post, type RuntimeEnvironment, send } from './send.ts';
import { readSettings } from './settings.ts';

/**
 * Tests put their own time here; the package's entry does not export it.
 * @internal
 */
export const RUNTIME_ENVIRONMENT = Symbol('surroundings');

const systemEnvironment: RuntimeEnvironment = { clock: systemClock, pacers: new Pacers(systemClock) };

/** Creates items of one kind. */
export interface Creates<Input, Created> {
  /**
   * Posts one item, and resolves once it is on the server's disk. Every successful call makes a new item.
   *
   * @throws HubApiError or a subclass if the server refuses, HubConnectionError if it cannot be reached, HubUsageError
   * if nothing was sent because of the options or the input; the reason of `options.signal` if that aborts.
   */
  create(input: Input, options?: PostOptions): Promise<Created>;
}

/**
 * Posts messages, notes and to-dos into the Hub of one key.
 *
 * ```ts
 * const hub = new HubClient({ baseUrl: 'https://hub.example.com', apiKey });
 * await hub.messages.create({ text: '**Deploy finished** in 42 s' });
 * ```
 *
 * The key is kept in a closure: neither printing nor serialising a client shows it.
 */
export class HubClient {
  readonly messages: Creates<CreateMessageInput, CreatedMessage>;
  readonly notes: Creates<CreateNoteInput, CreatedNote>;
  readonly todos: Creates<CreateTodoInput, CreatedTodo>;

  /** @throws HubUsageError if an option has another form, or in a browser or React Native, where the key would leak. */
  constructor(options: HubClientOptions) {
    rejectWhereKeysLeak();
    const settings = readSettings(options);
    const environment =
      (options as { [RUNTIME_ENVIRONMENT]?: RuntimeEnvironment })[RUNTIME_ENVIRONMENT] ?? systemEnvironment;

    const creates = <Input extends object, Created>(
      endpoint: Post['endpoint'],
      containerField: Post['containerField'],
      mark: (input: Input, marker: string) => Input,
    ): Creates<Input, Created> => ({
      // The body is written before the first wait: what the caller changes later is not posted.
      create: async (input, options = {}) => {
        const { runMarker } = options;
        const body = toJson(runMarker === undefined ? input : mark(requireObject(input), runMarker));
        return await send<Created>(settings, environment, { endpoint, containerField, body, options });
      },
    });

    this.messages = creates('messages', 'conversationId', markMessage);
    this.notes = creates('notes', 'bucketId', markNote);
    this.todos = creates('todos', 'bucketId', markTodo);
  }
}

function requireObject<T>(input: T): T {
  if (typeof input === 'object' && input !== null) return input;
  throw new HubUsageError('create needs an object with the fields of the item.');
}

/** A `Date` is written in UTC with milliseconds, as the server shows it. */
function toJson(input: object): string {
  const { dueDate } = requireObject(input) as { dueDate?: unknown };
  if (dueDate instanceof Date && Number.isNaN(dueDate.getTime())) {
    throw new HubUsageError('dueDate is an invalid Date.');
  }
  try {
    return JSON.stringify(input);
  } catch (cause) {
    throw new HubUsageError('The item cannot be written as JSON.', { cause });
  }
}
