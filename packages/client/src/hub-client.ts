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
import { requireSafeRuntime } from './runtime-guard.ts';
import { type Post, type RuntimeEnvironment, send } from './send.ts';
import { checkPostOptions, readSettings } from './settings.ts';

/**
 * The option that tests use to inject an environment. The package does not export it.
 * @internal
 */
export const RUNTIME_ENVIRONMENT = Symbol('runtime environment');

/** A process may have several copies of this package, such as one for `import` and one for `require`. They share this. */
const PACERS = Symbol.for('@hub/client/pacers/1');

function systemEnvironment(): RuntimeEnvironment {
  const shared = globalThis as { [PACERS]?: Pacers };
  shared[PACERS] ??= new Pacers(systemClock);
  return { clock: systemClock, pacers: shared[PACERS] };
}

/** The operations on items of one kind. */
export interface ItemResource<Input, Created> {
  /**
   * Posts one item and resolves once it is on the server's disk. Every successful call creates a new item.
   *
   * @throws HubApiError or a subclass if the server rejects the post, HubConnectionError if the connection fails,
   * HubUsageError if the options or the input are invalid; the reason of `options.signal` if it aborts.
   */
  create(input: Input, options?: PostOptions): Promise<Created>;
}

/**
 * Posts messages, notes and to-dos to the Hub of one key.
 *
 * ```ts
 * const hub = new HubClient({ baseUrl: 'https://hub.example.com', apiKey });
 * await hub.messages.create({ text: '**Deploy finished** in 42 s' });
 * ```
 *
 * The key is kept in a closure, so that printing or serializing a client does not show it.
 */
export class HubClient {
  readonly messages: ItemResource<CreateMessageInput, CreatedMessage>;
  readonly notes: ItemResource<CreateNoteInput, CreatedNote>;
  readonly todos: ItemResource<CreateTodoInput, CreatedTodo>;

  /** @throws HubUsageError if an option is invalid, or in a browser or React Native, where the key would leak. */
  constructor(options: HubClientOptions) {
    requireSafeRuntime();
    const settings = readSettings(options);
    const environment =
      (options as { [RUNTIME_ENVIRONMENT]?: RuntimeEnvironment })[RUNTIME_ENVIRONMENT] ?? systemEnvironment();

    const resource = <Input extends object, Created>(
      endpoint: Post['endpoint'],
      containerField: Post['containerField'],
      mark: (input: Input, marker: string) => Input,
    ): ItemResource<Input, Created> => ({
      // The body is serialized before the first wait, so that later changes by the caller are not posted.
      create: async (input, options = {}) => {
        checkPostOptions(options);
        const { runMarker } = options;
        const body = toJson(runMarker === undefined ? input : mark(requireObject(input), runMarker));
        return await send<Created>(settings, environment, { endpoint, containerField, body, options });
      },
    });

    this.messages = resource('messages', 'conversationId', markMessage);
    this.notes = resource('notes', 'bucketId', markNote);
    this.todos = resource('todos', 'bucketId', markTodo);
  }
}

function requireObject<T>(input: T): T {
  if (typeof input === 'object' && input !== null) return input;
  throw new HubUsageError('create requires an object with the fields of the item.');
}

/** Serializes an item. A `Date` is written in UTC with milliseconds, as the server shows it. */
function toJson(input: object): string {
  const { dueDate } = requireObject(input) as { dueDate?: unknown };
  if (dueDate instanceof Date && Number.isNaN(dueDate.getTime())) {
    throw new HubUsageError('dueDate is an invalid Date.');
  }
  try {
    return JSON.stringify(input);
  } catch (cause) {
    throw new HubUsageError('The item cannot be converted to JSON.', { cause });
  }
}
